import { describeConfig } from '#infra/config/describe.ts'
import { defineCommand } from './command.ts'
import { table } from './output.ts'

export const config = defineCommand({
  name: 'config',
  about: 'Shows every setting with its value and where that came from. Secrets are hidden.',
  options: {},
  async run({ output, config: resolve }) {
    const resolved = resolve()
    const described = describeConfig(resolved)
    const shown = (value: unknown) =>
      value === null ? null : Array.isArray(value) ? value.join(', ') || null : String(value)
    const rows = described.map(({ name, value, from }) => [name, shown(value), from])
    const values = Object.fromEntries(described.map(({ name, value, from }) => [name, { value, from }]))
    for (const warning of resolved.warnings) output.note(`Warning: ${warning}`)
    output.result(values, table(['setting', 'value', 'from'], rows))
  },
})
