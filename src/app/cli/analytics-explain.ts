import type { Verdict } from '#backends/events/view.ts'
import { DocentError } from '#base/errors.ts'
import { createLog } from '#base/log.ts'
import { oneLine } from '#base/one-line.ts'
import { createClassifier, type Explanation } from '#features/analytics/classify/classifier.ts'
import { countsAs as countOf } from '#features/analytics/classify/counts-as.ts'
import type { Evidence } from '#features/analytics/classify/evidence.ts'
import { parseAddress } from '#features/analytics/classify/ranges/address.ts'
import type { AnalyticsSettings } from '#features/analytics/settings/analytics-settings.ts'
import { dataPaths } from '#infra/data/folder.ts'
import { createClient, serverOptions } from './client.ts'
import { defineCommand, rows } from './command.ts'
import { findProjectId } from './find-project.ts'

export const analyticsExplain = defineCommand({
  name: 'analytics explain',
  about:
    'Says what a request would be counted as, and why: every rule in its order, with its answer. What is not given is\nnot known, as in a log that has no such field; an empty text is a header that was not sent.',
  options: {
    ua: { type: 'string', value: 'text', about: 'The User-Agent header.' },
    accept: { type: 'string', value: 'text', about: 'The Accept header.' },
    'accept-language': { type: 'string', value: 'text', about: 'The Accept-Language header.' },
    ip: { type: 'string', value: 'address', about: 'The client’s address.' },
    path: { type: 'string', value: 'path', about: 'Path of the page, for rules of the project. Default /.' },
    project: { type: 'string', value: 'project', about: 'Project whose own rules count; asks the server for them.' },
    ...serverOptions,
  },
  examples: [
    'docent analytics explain --ua "Claude-User (claude-code/2.1.0; +https://support.anthropic.com/)"',
    'docent analytics explain --ua "GPTBot/1.2" --ip 203.0.113.7',
    'docent analytics explain --ua node --accept "text/markdown, */*" --project docs',
  ],
  async run(input) {
    const { options, output, config } = input
    let settings: Pick<AnalyticsSettings, 'rules' | 'aiTraffic'> = { rules: [], aiTraffic: 'all' }
    if (options.project !== undefined) {
      const client = createClient(input)
      const id = await findProjectId(client, options.project)
      settings = await client.call<AnalyticsSettings>('GET', `/v1/analytics/${encodeURIComponent(id)}/settings`)
    }
    const log = createLog({ level: 'warn', format: 'text', destination: process.stderr })
    const classifier = createClassifier({ rangesFolder: dataPaths(config().config.data).ranges, log })
    const evidence: Evidence = { source: 'log', userAgent: options.ua || null }
    if (options.accept !== undefined) evidence.accept = options.accept || null
    if (options['accept-language'] !== undefined) evidence.acceptLanguage = options['accept-language'] || null
    if (options.ip !== undefined) evidence.address = addressIn(options.ip)
    const { verdict, asked } = classifier.explain(evidence, { path: options.path ?? '/', rules: settings.rules })
    const countsAs = countOf(verdict.category, settings.aiTraffic)
    output.result({ ...verdict, countsAs, rules: asked }, render(verdict, countsAs, asked))
  },
})

function addressIn(text: string): string {
  if (parseAddress(text) !== null) return text
  const message = `Expected an address such as 203.0.113.7 or 2001:db8::1, found "${oneLine(text, 80)}".`
  throw new DocentError('invalid', 'analytics.bad_address', message)
}

function render(verdict: Verdict, countsAs: string | null, asked: Explanation['asked']): string {
  const { category, client, reason, verification, listVersion } = verdict
  const counts = countsAs === null ? 'nowhere; it stays in the raw views' : countsAs === 'ai' ? 'AI' : countsAs
  const told = asked.map(({ rule, answer, decides }): [string, string] => {
    const said = typeof answer === 'string' ? answer : `${answer.category}: ${answer.reason}`
    return [`${decides ? '→' : ' '} ${rule}`, said]
  })
  return [
    ...rows([
      ['category', category],
      ['client', client === null ? '–' : oneLine(client, 100)],
      ['why', reason],
      ['verification', verification],
      ['counts as', counts],
      ['lists', listVersion],
    ]),
    '',
    'Each rule in its order; the first with an answer decides:',
    ...rows(told),
  ].join('\n')
}
