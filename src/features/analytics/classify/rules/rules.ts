import { browserEvidence } from './browser-evidence.ts'
import { httpLibraries } from './http-libraries.ts'
import { markdownPreference } from './markdown-preference.ts'
import { projectRules } from './project-rules.ts'
import { publishedRanges } from './published-ranges.ts'
import type { Rule } from './rule.ts'
import { userAgentLists } from './user-agent-lists.ts'
import { webBotAuth } from './web-bot-auth.ts'

/** The first that has an answer decides; the last always has one. */
export const rules: readonly Rule[] = [
  projectRules,
  webBotAuth,
  userAgentLists,
  markdownPreference,
  publishedRanges,
  httpLibraries,
  browserEvidence,
]
