import { relative, resolve } from 'node:path'
import type { Config } from '#infra/config/settings.ts'
import type { FirstRun } from './first-run.ts'
import { version } from './version.ts'

// On the manual it changes a page, its links and the navigation, and needs no quotes in a shell.
const firstPrompt = 'rename page quickstart to start'

/** What a person sees when the server is ready. The first time it has what they need to make a first job. */
export function banner(config: Config, { adminKey, demoProjectId, setupLink }: FirstRun): string {
  const folder = relative(process.cwd(), config.data) || config.data
  const lines = ['', `  Docent ${version} is ready at ${config.baseUrl}`, '']
  const add = (label: string, value: string) => lines.push(`  ${label.padEnd(15)} ${value}`)
  if (setupLink) add('Set it up', `${setupLink}   (makes you its owner; works once)`)
  else add('Dashboard', `${config.baseUrl}/app/`)
  if (adminKey) add('Admin API key', `${adminKey}   (shown this once; keep it)`)
  if (demoProjectId) {
    add('Demo project', demoProjectId)
    add('Manual', `${config.baseUrl}/sites/demo/`)
  }
  add('API reference', `${config.baseUrl}/reference`)
  add('Data folder', folder.startsWith('..') ? config.data : folder)
  const curl = `curl -H "Authorization: Bearer ${adminKey ?? '$DOCENT_ADMIN_KEY'}"`
  if (demoProjectId) {
    const elsewhere = config.data === resolve('data') ? '' : `DOCENT_DATA=${shellWord(config.data)} `
    lines.push('', '  Try it: ask the agent for a change, and open the pull request that it makes.')
    lines.push(`  ${elsewhere}npx docent job create --prompt '${firstPrompt}' --watch`)
    lines.push('', '  The same over HTTP:', `  ${curl} -H "Content-Type: application/json" \\`)
    lines.push(`       -d '{"prompt": "${firstPrompt}"}' ${config.baseUrl}/v2/agent/${demoProjectId}/job`)
  } else if (adminKey) {
    lines.push('', '  Try it:', `  ${curl} ${config.baseUrl}/v1/projects`)
  }
  lines.push('', '  Another key: npx docent key create --name <name>.  Stop with Ctrl-C.', '')
  return lines.join('\n')
}

function shellWord(text: string): string {
  return /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}
