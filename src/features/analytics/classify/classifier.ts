import type { Verdict } from '#backends/events/view.ts'
import { type Clock, systemClock } from '#base/clock.ts'
import type { Log } from '#base/log.ts'
import { createGenerationCache } from '../generation-cache.ts'
import type { ProjectRule } from '../settings/analytics-settings.ts'
import { crawlerListVersions } from './crawler-list.ts'
import type { Evidence } from './evidence.ts'
import { knownClientsVersion } from './known-clients.ts'
import { parseAddress } from './ranges/address.ts'
import { openRangeFolder } from './ranges/range-folder.ts'
import type { Answer, Question } from './rules/rule.ts'
import { rules } from './rules/rules.ts'
import { createUserAgentReader } from './user-agent-facts.ts'

export interface ClassifyContext {
  /** Canonical path of the page. */
  path: string
  /** The project's own. */
  rules: readonly ProjectRule[]
}

export interface Explanation {
  verdict: Verdict
  /** Every rule in its order: its verdict, or why it has none. */
  asked: { rule: string; answer: Omit<Verdict, 'listVersion'> | string; decides: boolean }[]
}

/** Says who reads. Nothing is ever fetched for it, and the time it takes is bounded whatever a client sends. */
export interface Classifier {
  classify(evidence: Evidence, context: ClassifyContext): Verdict
  /** The same verdict, with what each rule says. */
  explain(evidence: Evidence, context: ClassifyContext): Explanation
  /** Of the lists in use, with the day of the newest published one. */
  readonly listVersion: string
}

export interface ClassifierOptions {
  /** Folder of the published lists and keys; it need not be there. */
  rangesFolder: string
  log: Log
  clock?: Clock
}

// So many different ones that clients cannot fill the memory by the names they give themselves.
const rememberedVerdicts = { mostEntries: 5_000, mostCharacters: 1_000_000 }

const ownVersion = `${knownClientsVersion} crawler-user-agents-${crawlerListVersions['crawler-user-agents']} isbot-${crawlerListVersions.isbot}`

export function createClassifier({ rangesFolder, log, clock = systemClock }: ClassifierOptions): Classifier {
  const readUserAgent = createUserAgentReader()
  const readPublished = openRangeFolder({ folder: rangesFolder, log })
  let version = startVersion(null)

  /** The same text for all verdicts of a day, not a new one for each. */
  function versionOf(date: string | null) {
    if (date !== version.date) version = startVersion(date)
    return version
  }

  function questionOf(evidence: Evidence, { path, rules: projectRules }: ClassifyContext): Question {
    const now = clock.now().getTime()
    const published = readPublished(now)
    const userAgent = evidence.userAgent?.trim() || null
    const address = evidence.address ? parseAddress(evidence.address) : null
    return {
      evidence,
      path,
      projectRules,
      at: evidence.at ?? now,
      userAgent: userAgent === null ? null : readUserAgent(userAgent),
      address,
      lists: address === null ? 0 : published.ranges.find(address),
      published,
    }
  }

  /** The same object for the same answer: millions of views share a few hundred, and are told apart by them quickly. */
  function toVerdict(answer: Answer, { published }: Question): Verdict {
    const { category, client, reason, verification } = answer
    const { text, verdicts, ofAnswers } = versionOf(published.date)
    const same = ofAnswers.get(answer)
    if (same !== undefined) return same
    // The length keeps a name from reaching into the reason.
    const key = `${category} ${verification} ${client?.length} ${client} ${reason}`
    const verdict = verdicts.get(key) ?? { category, client, reason, verification, listVersion: text }
    verdicts.set(key, verdict)
    ofAnswers.set(answer, verdict)
    return verdict
  }

  return {
    classify(evidence, context) {
      const question = questionOf(evidence, context)
      for (const rule of rules) {
        const answer = rule.ask(question)
        if (typeof answer !== 'string') return toVerdict(answer, question)
      }
      throw new Error('The last rule has an answer to everything.')
    },
    explain(evidence, context) {
      const question = questionOf(evidence, context)
      const answers = rules.map((rule) => ({ rule: rule.name, answer: rule.ask(question) }))
      const first = answers.findIndex(({ answer }) => typeof answer !== 'string')
      return {
        verdict: toVerdict(answers[first]!.answer as Answer, question),
        asked: answers.map((asked, place) => ({ ...asked, decides: place === first })),
      }
    },
    get listVersion() {
      return versionOf(readPublished(clock.now().getTime()).date).text
    },
  }
}

function startVersion(date: string | null) {
  const text = date === null ? ownVersion : `${ownVersion} ranges-${date}`
  return {
    date,
    text,
    verdicts: createGenerationCache<Verdict>(rememberedVerdicts),
    // Rules give the same object for what they say most often.
    ofAnswers: new WeakMap<Answer, Verdict>(),
  }
}
