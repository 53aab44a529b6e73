import { relative } from 'node:path'
import type { Config } from '#infra/config/settings.ts'
import type { FirstRun } from './first-run.ts'
import { version } from './version.ts'

/** What a person sees when the server is ready. The first time it has what they need to make a first call. */
export function banner(config: Config, { adminKey, demoProjectId }: FirstRun): string {
  const folder = relative(process.cwd(), config.data) || config.data
  const lines = ['', `  Docent ${version} is ready at ${config.baseUrl}`, '']
  const add = (label: string, value: string) => lines.push(`  ${label.padEnd(15)} ${value}`)
  if (adminKey) add('Admin API key', `${adminKey}   (shown this once; keep it)`)
  if (demoProjectId) add('Demo project', demoProjectId)
  add('API reference', `${config.baseUrl}/reference`)
  add('Data folder', folder.startsWith('..') ? config.data : folder)
  const key = adminKey ?? (demoProjectId ? '$DOCENT_ADMIN_KEY' : null)
  if (key) {
    const path = demoProjectId ? `/v1/projects/${demoProjectId}` : '/v1/projects'
    lines.push('', '  Try it:', `  curl -H "Authorization: Bearer ${key}" ${config.baseUrl}${path}`)
  }
  lines.push('', '  Another key: npx docent key create --name <name>.  Stop with Ctrl-C.', '')
  return lines.join('\n')
}
