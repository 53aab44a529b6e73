import { closest } from '#base/closest.ts'
import { DocentError, type ErrorKind, toDocentError } from '#base/errors.ts'
import { readConfig } from '#infra/config/resolve.ts'
import { version } from '../version.ts'
import { type Command, parseCommandArgs, renderHelp, rows } from './command.ts'
import { createOutput, type Streams } from './output.ts'

/** The exit-code half of the error mapping. */
const exitCodes: Record<ErrorKind, number> = {
  internal: 1,
  invalid: 2,
  too_large: 2,
  unsupported: 2,
  unauthenticated: 3,
  forbidden: 3,
  not_found: 4,
  conflict: 5,
  rate_limited: 6,
  unavailable: 6,
}

/** Every command: its words, its line in the help, and the file that is loaded when it is called. */
const commands: Record<string, { about: string; load(): Promise<Command> }> = {
  serve: { about: 'Run the service: API, sites and worker.', load: async () => (await import('./serve.ts')).serve },
  worker: { about: 'Run only a worker (needs PostgreSQL).', load: async () => (await import('./worker.ts')).worker },
  check: {
    about: 'Check docs: a folder, or a project’s branch.',
    load: async () => (await import('./check.ts')).check,
  },
  config: { about: 'Show the configuration, secrets hidden.', load: async () => (await import('./config.ts')).config },
  doctor: { about: 'Check this machine and say what to do.', load: async () => (await import('./doctor.ts')).doctor },
  'project create': { about: 'Create a project.', load: async () => (await import('./project.ts')).projectCreate },
  'project list': { about: 'List projects.', load: async () => (await import('./project.ts')).projectList },
  'project show': { about: 'Show one project.', load: async () => (await import('./project.ts')).projectShow },
  'project delete': { about: 'Delete a project.', load: async () => (await import('./project.ts')).projectDelete },
  'job create': { about: 'Ask the agent for a change.', load: async () => (await import('./job.ts')).jobCreate },
  'job list': { about: 'List agent jobs.', load: async () => (await import('./job.ts')).jobList },
  'job show': { about: 'Show one agent job.', load: async () => (await import('./job.ts')).jobShow },
  'job watch': { about: 'Follow an agent job as it works.', load: async () => (await import('./job.ts')).jobWatch },
  'job message': {
    about: 'Send a follow-up to an agent job.',
    load: async () => (await import('./job.ts')).jobMessage,
  },
  'job archive': { about: 'Archive an agent job.', load: async () => (await import('./job.ts')).jobArchive },
  'key create': { about: 'Create an API key.', load: async () => (await import('./key.ts')).keyCreate },
  'key list': { about: 'List API keys, without secrets.', load: async () => (await import('./key.ts')).keyList },
  'key revoke': { about: 'Revoke an API key.', load: async () => (await import('./key.ts')).keyRevoke },
  'webhook create': { about: 'Create a webhook.', load: async () => (await import('./webhook.ts')).webhookCreate },
  'webhook list': { about: 'List webhooks.', load: async () => (await import('./webhook.ts')).webhookList },
  'webhook delete': { about: 'Delete a webhook.', load: async () => (await import('./webhook.ts')).webhookDelete },
  'webhook deliveries': {
    about: 'Show what was sent to a webhook.',
    load: async () => (await import('./webhook.ts')).webhookDeliveries,
  },
  'webhook test': { about: 'Send a test event.', load: async () => (await import('./webhook.ts')).webhookTest },
  'analytics explain': {
    about: 'Say what a request would be counted as, and why.',
    load: async () => (await import('./analytics-explain.ts')).analyticsExplain,
  },
  'analytics ranges update': {
    about: 'Get the addresses and keys that operators publish.',
    load: async () => (await import('./analytics-ranges.ts')).analyticsRangesUpdate,
  },
  'analytics ranges list': {
    about: 'List the published addresses and keys that are here.',
    load: async () => (await import('./analytics-ranges.ts')).analyticsRangesList,
  },
  'analytics import': {
    about: 'Count the views in access logs.',
    load: async () => (await import('./analytics-import.ts')).analyticsImport,
  },
  'analytics visitors': {
    about: 'Show visitors by page.',
    load: async () => (await import('./analytics-visitors.ts')).analyticsVisitors,
  },
  'analytics export': {
    about: 'Write raw views to a file.',
    load: async () => (await import('./analytics-export.ts')).analyticsExport,
  },
  'analytics forget': {
    about: 'Delete the views of a visitor.',
    load: async () => (await import('./analytics-forget.ts')).analyticsForget,
  },
  'site show': { about: 'Show a project’s site.', load: async () => (await import('./site.ts')).siteShow },
  'site deploy': { about: 'Publish a site now.', load: async () => (await import('./site.ts')).siteDeploy },
  'site deployments': {
    about: 'List what was published, or show one.',
    load: async () => (await import('./site.ts')).siteDeployments,
  },
  'site restore': {
    about: 'Return to what was live before.',
    load: async () => (await import('./site.ts')).siteRestore,
  },
  'site domain list': {
    about: 'List the domains of a site.',
    load: async () => (await import('./site-domain.ts')).siteDomainList,
  },
  'site domain add': {
    about: 'Serve a site under a domain.',
    load: async () => (await import('./site-domain.ts')).siteDomainAdd,
  },
  'site domain remove': {
    about: 'Remove a domain of a site.',
    load: async () => (await import('./site-domain.ts')).siteDomainRemove,
  },
  'site preview': {
    about: 'Serve a local folder while you write.',
    load: async () => (await import('./site-preview.ts')).sitePreview,
  },
  'site preview-link': {
    about: 'Make a link to a preview that works without a key.',
    load: async () => (await import('./site-preview-link.ts')).sitePreviewLink,
  },
  'setup-link': {
    about: 'Print a link that makes the first owner.',
    load: async () => (await import('./setup-link.ts')).setupLink,
  },
  'member list': { about: 'List members.', load: async () => (await import('./member.ts')).memberList },
  'member password-link': {
    about: 'Print a link to choose a new password.',
    load: async () => (await import('./member.ts')).memberPasswordLink,
  },
  'org create': { about: 'Create an organization.', load: async () => (await import('./org.ts')).orgCreate },
  'org list': { about: 'List organizations.', load: async () => (await import('./org.ts')).orgList },
}

/** Runs one command line and returns its exit code. */
export async function runCli(words: string[], streams: Streams = process): Promise<number> {
  const output = createOutput(streams, { json: words.includes('--json') })
  try {
    const found = findCommand(words)
    if ('text' in found) {
      output.result({ help: found.text }, found.text)
      return 0
    }
    const command = await commands[found.name]!.load()
    const { options, args } = parseCommandArgs(command, found.rest)
    if (options.help) {
      output.result({ help: renderHelp(command) }, renderHelp(command))
      return 0
    }
    return (await command.run({ options, args, output, config: readConfig })) ?? 0
  } catch (thrown) {
    const error = toDocentError(thrown)
    output.error(error)
    return exitCodes[error.kind]
  }
}

function findCommand(words: string[]): { name: string; rest: string[] } | { text: string } {
  const leading = words.slice(0, words.findIndex((word) => word.startsWith('-')) >>> 0)
  for (const length of [3, 2, 1]) {
    const name = leading.slice(0, length).join(' ')
    if (leading.length >= length && name in commands) return { name, rest: words.slice(length) }
  }
  if (words.includes('--version')) return { text: version }
  const group = groupOf(leading)
  if (leading.length === 0 || leading[0] === 'help' || (group.length > 0 && words.includes('--help'))) {
    return { text: overview(group.length > 0 ? group : Object.keys(commands)) }
  }
  const near =
    closest(leading.slice(0, 3).join(' '), Object.keys(commands)) ??
    closest(leading.slice(0, 2).join(' '), Object.keys(commands)) ??
    closest(leading[0]!, Object.keys(commands))
  const isGroup = group.some((name) => name.startsWith(`${leading.join(' ')} `))
  const hint =
    near && !isGroup ? ` Did you mean docent ${near}?` : group.length > 0 ? ` There is: ${group.join(', ')}.` : ''
  throw new DocentError(
    'invalid',
    'cli.usage',
    `There is no command "${leading.join(' ')}".${hint}\nSee: docent --help`,
  )
}

/** The commands that start with these words; of a word that no longer fits, those before it. */
function groupOf(leading: string[]): string[] {
  for (const length of [2, 1]) {
    if (leading.length < length) continue
    const start = `${leading.slice(0, length).join(' ')} `
    const group = Object.keys(commands).filter((name) => name.startsWith(start))
    if (group.length > 0) return group
  }
  return []
}

function overview(names: string[]): string {
  return [
    `Docent ${version}: documentation from git, agents that open pull requests, exact visitor counts.\n`,
    'Usage: docent <command> [options]\n',
    ...rows(names.map((name) => [name, commands[name]!.about])),
    '',
    'docent <command> --help tells more. Every command takes --json.',
    'Exit codes: 0 done, 1 failed, 2 wrong input, 3 not allowed, 4 not found, 5 conflict, 6 not reachable.',
  ].join('\n')
}
