import { systemClock } from '#base/clock.ts'
import { counted } from '#base/counted.ts'
import { listRanges } from '#features/analytics/classify/ranges/list-ranges.ts'
import { type ListUpdate, updateRanges } from '#features/analytics/classify/ranges/update-ranges.ts'
import { dataPaths } from '#infra/data/folder.ts'
import { version } from '../version.ts'
import { defineCommand } from './command.ts'
import { table } from './output.ts'

export const analyticsRangesUpdate = defineCommand({
  name: 'analytics ranges update',
  about:
    'Gets the addresses and keys that operators of AI clients and search engines publish, into the data folder. They\ntell clients that are who they say from imitations. A running server takes them up within a minute. Nothing is\never fetched while requests are served, so call this now and then: a list older than 30 days only confirms.',
  options: {
    only: { type: 'string', value: 'name', about: 'Only this list; all by default.', multiple: true },
  },
  examples: ['docent analytics ranges update', 'docent analytics ranges update --only openai-gptbot'],
  async run({ options, output, config }) {
    const folder = dataPaths(config().config.data).ranges
    const updates = await updateRanges({
      folder,
      only: options.only,
      fetch: globalThis.fetch,
      clock: systemClock,
      userAgent: `Docent/${version}`,
      onDone: ({ name }) => output.isTerminal && output.note(`  ${name}`),
    })
    const failed = updates.filter(({ fault }) => fault !== null).length
    const text = [
      table(
        ['list', 'entries', 'what happened'],
        updates.map((update) => [update.name, String(update.entries), describe(update)]),
      ),
      ...(failed === 0 ? ['', `${counted(updates.length, 'list')} updated.`] : []),
    ]
    output.result({ lists: updates }, text.join('\n'))
    // To standard error, so that cron, which throws the table away, still reports it.
    if (failed > 0) output.note(`\n${failure(updates, { failed, folder })}`)
    return failed === 0 ? 0 : 6
  },
})

function failure(updates: ListUpdate[], { failed, folder }: { failed: number; folder: string }): string {
  const kept = updates.some(({ fault, entries }) => fault !== null && entries > 0)
    ? 'What was there before is still in use.'
    : 'Views are counted all the same; clients that cannot be checked are believed, and marked claimed.'
  if (failed < updates.length) return `${failed} of ${counted(updates.length, 'list')} not updated. ${kept}`
  return [
    `No list could be fetched. ${kept}`,
    'Does this machine reach the internet? Through a proxy, set HTTPS_PROXY and NODE_USE_ENV_PROXY=1. Or run this on',
    `another machine and copy the files of its ranges folder to ${folder}`,
  ].join('\n')
}

function describe({ fault, added, removed }: ListUpdate): string {
  if (fault !== null) return `not updated: ${fault}`
  if (added === 0 && removed === 0) return 'unchanged'
  return [added > 0 ? `${added} new` : '', removed > 0 ? `${removed} gone` : ''].filter(Boolean).join(', ')
}

export const analyticsRangesList = defineCommand({
  name: 'analytics ranges list',
  about: 'Lists the published addresses and keys that the data folder has, and how old they are.',
  options: {},
  async run({ output, config }) {
    const lists = await listRanges(dataPaths(config().config.data).ranges)
    const rows = lists.map(({ name, operator, file, fault, url }) => [
      name,
      operator,
      file ? String(file.entries) : null,
      file ? file.fetchedAt.slice(0, 10) : fault === null ? 'not there' : `unreadable: ${fault}`,
      url,
    ])
    const missing = lists.filter(({ file }) => file === null).length
    const advice = missing > 0 ? `\n\n${missing} of ${lists.length} not there: docent analytics ranges update` : ''
    output.result({ lists }, `${table(['list', 'operator', 'entries', 'from', 'published at'], rows)}${advice}`)
  },
})
