import { hideSecrets } from '#base/hide-secrets.ts'
import type { ResolvedConfig } from './resolve.ts'
import { environmentName, type Setting, type SettingName, settings } from './settings.ts'

export interface DescribedSetting {
  name: SettingName
  value: unknown
  from: string
}

const hidden = '[hidden]'

/** The resolved configuration for people to read: secrets hidden, each value with its origin. */
export function describeConfig({ config, origins }: ResolvedConfig): DescribedSetting[] {
  return (Object.keys(settings) as SettingName[]).map((name) => {
    const value = config[name]
    const isSecret = (settings[name] as Setting<unknown>).secret === true
    // A secret can also have been put in the wrong place.
    const shown = isSecret && value !== undefined ? hidden : typeof value === 'string' ? hideSecrets(value) : value
    return { name, value: shown ?? null, from: origins[name] }
  })
}

/** The table of settings in README.md. */
export function settingsTable(): string {
  const rows = (Object.entries(settings) as [SettingName, Setting<unknown>][]).map(([name, setting]) => {
    const fallback = setting.described ?? `\`${Array.isArray(setting.fallback) ? 'none' : setting.fallback}\``
    return `| \`${environmentName(name)}\` | \`${name}\` | ${fallback.replace('`none`', 'none')} | ${setting.about} |`
  })
  return ['| environment | in the file | default | meaning |', '|---|---|---|---|', ...rows].join('\n')
}
