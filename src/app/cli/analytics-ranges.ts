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
    const { data } = config().config
    const updates = await updateRanges({
      folder: dataPaths(data).ranges,
      only: options.only,
      fetch: globalThis.fetch,
      clock: systemClock,
      userAgent: `Docent/${version}`,
      onDone: ({ name }) => output.isTerminal && output.note(`  ${name}`),
    })
    const failed = updates.filter(({ fault }) => fault !== null)
    const text = [
      table(
        ['list', 'entries', 'what happened'],
        updates.map((update) => [update.name, String(update.entries), describe(update)]),
      ),
      '',
      failed.length === 0
        ? `${counted(updates.length, 'list')} updated.`
        : `${failed.length} of ${counted(updates.length, 'list')} not updated; what was there before is still in use.`,
    ]
    output.result({ lists: updates }, text.join('\n'))
    return failed.length === 0 ? 0 : 6
  },
})

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
