import { counted } from '#base/counted.ts'
import { DocentError } from '#base/errors.ts'
import { createClient, serverOptions } from './client.ts'
import { defineCommand } from './command.ts'
import { findProjectId, projectOption } from './find-project.ts'

export const analyticsForget = defineCommand({
  name: 'analytics forget',
  about: 'Deletes every view of one visitor. This cannot be undone.',
  options: {
    'visitor-id': { type: 'string', value: 'id', about: 'The id that your events name the visitor by.' },
    visitor: { type: 'string', value: 'hex', about: 'The visitor of an export: 16 hex digits.' },
    ip: { type: 'string', value: 'address', about: 'The visitor’s address; with --user-agent.' },
    'user-agent': { type: 'string', value: 'text', about: 'The visitor’s user agent; with --ip.' },
    ...projectOption,
    ...serverOptions,
  },
  examples: [
    'docent analytics forget --visitor-id user-17',
    "docent analytics forget --ip 203.0.113.7 --user-agent 'Mozilla/5.0 …'",
  ],
  async run(input) {
    const who = whoIsMeant(input.options)
    const client = createClient(input)
    const project = encodeURIComponent(await findProjectId(client, input.options.project))
    const forgotten = await client.call<{ views: number }>('POST', `/v1/analytics/${project}/forget`, who)
    const { views } = forgotten
    input.output.result(
      forgotten,
      views === 0 ? 'There are no views of this visitor.' : `Deleted ${counted(views, 'view')}.`,
    )
  },
})

interface Named {
  'visitor-id': string | undefined
  visitor: string | undefined
  ip: string | undefined
  'user-agent': string | undefined
}

/** Exactly one way of naming somebody, or it would not be plain who is meant. */
function whoIsMeant({ 'visitor-id': visitorId, visitor, ip, 'user-agent': userAgent }: Named): Record<string, string> {
  const given = [visitorId, visitor, ip ?? userAgent].filter((value) => value !== undefined)
  if (given.length === 1) {
    if (visitorId !== undefined) return { visitorId }
    if (visitor !== undefined) return { visitor }
    if (ip !== undefined && userAgent !== undefined) return { ip, userAgent }
  }
  const message = 'Say who is meant by --visitor-id, or by --visitor, or by --ip and --user-agent together.'
  throw new DocentError('invalid', 'cli.usage', `${message}\nSee: docent analytics forget --help`)
}
