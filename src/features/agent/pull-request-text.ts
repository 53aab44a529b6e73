import { counted } from '#base/counted.ts'
import type { CheckResult } from './agent-run.ts'
import { codeSpan } from './code-span.ts'

export interface PullRequestText {
  jobId: string
  /** One for each prompt that changed something, oldest first. */
  summaries: string[]
  check: Pick<CheckResult, 'introduced' | 'problems' | 'pages' | 'links' | 'scope'>
  changes: { path: string; kind: 'added' | 'changed' | 'deleted' }[]
}

const mostTitle = 100
const mostFilesNamed = 50
const mostProblemsNamed = 20
const mostSummary = 10_000
// Between the two, a host sees no name and no number; a person sees no difference.
const joiner = '\u2060'

/** The body of a pull request. It is ours: what an agent wrote is quoted in it with everything harmless that could act. */
export function pullRequestBody({ jobId, summaries, check, changes }: PullRequestText): string {
  const parts = summaries.map((summary) => neutralise(summary.slice(0, mostSummary)).trim())
  const older = check.problems.length - check.introduced.length
  const found = check.introduced.slice(0, mostProblemsNamed).map((problem) => {
    return `- ${codeSpan(`${problem.path}:${problem.line}`)} ${neutralise(problem.message)}`
  })
  const isWhole = check.scope === 'whole'
  const checked = [
    `Checked ${counted(check.pages, isWhole ? 'page' : 'changed page')} and ${counted(check.links, 'link')}: ${
      check.introduced.length === 0
        ? 'this change breaks nothing'
        : `this change brings ${counted(check.introduced.length, 'problem')}`
    }${older > 0 ? `; ${counted(older, 'problem')} ${older === 1 ? 'was' : 'were'} there before` : ''}.${
      isWhole ? '' : ' The other pages were not checked: nothing changed that they depend on.'
    }`,
    ...found,
  ]
  const files = changes.slice(0, mostFilesNamed).map(({ path, kind }) => `- ${kind} ${codeSpan(path)}`)
  if (changes.length > mostFilesNamed) files.push(`- and ${changes.length - mostFilesNamed} more`)
  return `${parts.join('\n\n')}\n\n### Checks\n\n${checked.join('\n')}\n\n### Files\n\n${files.join('\n')}\n\n---\nMade by Docent, job ${codeSpan(jobId)}.\n`
}

export function pullRequestTitle(title: string): string {
  const line = quietLine(plainText(title).replace(/\s+/g, ' ').trim())
  return line.length <= mostTitle ? line : `${line.slice(0, mostTitle - 1)}…`
}

/** The commit message: hosts act on issue references in these too. */
export function commitMessage({ title, summary, jobId }: { title: string; summary: string; jobId: string }): string {
  const body = neutralise(summary.slice(0, mostSummary)).trim()
  return `${pullRequestTitle(title)}\n\n${body === '' ? '' : `${body}\n\n`}Docent-Job: ${jobId}\n`
}

/**
 * Markdown that tells nobody anything and does nothing: no mention, no reference that closes an issue, no quick action,
 * no picture or link to somewhere else, no HTML. Code stays as it is. Hosts differ in how they read Markdown, and no
 * native parser may meet hostile text in this process; so nothing is parsed here: whatever could act is broken up,
 * unless it stands in code that every host takes for code.
 */
export function neutralise(markdown: string): string {
  const lines: string[] = []
  let fence: string | null = null
  for (const line of plainText(markdown).split('\n')) {
    if (fence !== null) {
      lines.push(line)
      const [, marks = ''] = /^ {0,3}(`{3,}|~{3,})[ \t]*$/.exec(line) ?? []
      if (marks.startsWith(fence)) fence = null
      continue
    }
    // At the margin only: an indented one may belong to a list, and end with it.
    const [, marks] = /^(`{3,}(?=[^`]*$)|~{3,})/.exec(line) ?? []
    lines.push(marks === undefined ? quietLine(line) : quiet(line))
    fence = marks ?? null
  }
  // One that nobody closes would take in everything that comes after this text.
  if (fence !== null) lines.push(fence)
  return lines.join('\n')
}

function plainText(text: string): string {
  return text
    .toWellFormed()
    .replace(/\r\n?/g, '\n')
    .replace(/[^\P{Cc}\n\t]/gu, '')
}

/** Keeps the code spans of one line, and sees to it that no other begins in it. */
function quietLine(line: string): string {
  let result = ''
  let at = 0
  for (const { index, 0: run } of line.matchAll(/\\.|`+/g)) {
    if (index < at || run.startsWith('\\')) continue
    const end = closingRun(line, index + run.length, run.length)
    result += quiet(line.slice(at, index))
    // Escaped, it pairs with nothing on another line either, where it would turn code into text.
    result += end === null ? run.replaceAll('`', '\\`') : line.slice(index, end)
    at = end ?? index + run.length
  }
  result += quiet(line.slice(at))
  // GitLab obeys a line that begins so.
  return result.replace(/^([\s>*+-]*)\/(?=[\w/])/, `$1${joiner}/`)
}

/** Where the next run of exactly so many backticks ends; null when there is none. */
function closingRun(line: string, from: number, length: number): number | null {
  for (const { index, 0: run } of line.slice(from).matchAll(/`+/g)) {
    if (run.length === length) return from + index + length
  }
  return null
}

function quiet(text: string): string {
  return (
    text
      // Written as an entity, a character acts once the host has decoded it.
      .replace(/&(?=#|(?!(?:amp|lt|gt|quot);)[a-z]\w*;)/gi, '&amp;')
      .replace(/</g, '&lt;')
      .replace(/!\[([^[\]\n]*)\]\([^()\n]*\)/g, '$1')
      .replace(/\[([^[\]\n]*)\]\(\s*(?:[a-z][a-z0-9+.-]*:|[\\/]{2})[^()\n]*\)/gi, '$1')
      // What is left of these is none of the above, but some host may be kinder.
      .replace(/!(?=[[\d])/g, `!${joiner}`)
      .replace(/\](?=\s*:)/g, `]${joiner}`)
      .replace(/(?<=\]\(\s*)(?=[\\/]{2})/g, joiner)
      .replace(/(?<=\]\(\s*[a-z][a-z0-9+.-]{0,30})(?=:)/gi, joiner)
      .replace(/(?<=https?|ftp|mailto|xmpp|javascript|data)(?=:)/gi, joiner)
      .replace(/(?<=www)(?=\.)/gi, joiner)
      // `\_` is shown as `_`.
      .replace(/@(?=\\?[\w{[-])/g, `@${joiner}`)
      .replace(/[~%](?=\\?[\w"])/g, `$&${joiner}`)
      .replace(/[#$&](?=\d)/g, `$&${joiner}`)
      // Commands to Jira in a commit message; `[guide](/start#setup)` is none.
      .replace(/(?<=^|\s)#(?=\\?\w)/g, `#${joiner}`)
      .replace(/(?<=GH)(?=-\d)/gi, joiner)
  )
}
