import { parseArgs } from 'node:util'
import { closest } from '#base/closest.ts'
import { DocentError, messageOf } from '#base/errors.ts'
import type { ResolvedConfig } from '#infra/config/resolve.ts'
import type { Output } from './output.ts'

export interface Option {
  type: 'string' | 'boolean'
  about: string
  /** What stands for the value in help: `--name <text>`. */
  value?: string
  /** May be given several times. */
  multiple?: boolean
  required?: boolean
}

type OptionValue<O extends Option> = O['type'] extends 'boolean'
  ? boolean
  : O extends { multiple: true }
    ? string[]
    : O extends { required: true }
      ? string
      : string | undefined

export interface CommandInput<Options extends Record<string, Option> = Record<string, Option>> {
  options: { [Name in keyof Options]: OptionValue<Options[Name]> }
  /** The arguments without a name, as many as the command declares. */
  args: string[]
  output: Output
  /** Resolved when first asked for: help works with a broken configuration too. */
  config(): ResolvedConfig
}

export interface Command<Options extends Record<string, Option> = Record<string, Option>> {
  /** The words that call it: `project create`. */
  name: string
  about: string
  /** The last one may stand for `many`. */
  args?: { name: string; about: string; optional?: boolean; many?: boolean }[]
  options: Options
  examples?: string[]
  /** Returns the exit code; nothing means 0. */
  // biome-ignore lint/suspicious/noConfusingVoidType: most commands return nothing.
  run(input: CommandInput<Options>): Promise<number | void>
}

/** Keeps the types of a command's options for its `run`. */
export function defineCommand<const Options extends Record<string, Option>>(command: Command<Options>): Command {
  return command as unknown as Command
}

const commonOptions = {
  json: { type: 'boolean', about: 'Print JSON, for programs.' },
  help: { type: 'boolean', about: 'Show this help.' },
} as const satisfies Record<string, Option>

/** Reads the words after the command's name. Throws `invalid` for what the command does not know. */
export function parseCommandArgs(command: Command, words: string[]): Pick<CommandInput, 'options' | 'args'> {
  const known: Record<string, Option> = { ...command.options, ...commonOptions }
  let parsed: ReturnType<typeof parseArgs>
  try {
    parsed = parseArgs({
      args: words,
      allowPositionals: true,
      options: Object.fromEntries(
        Object.entries(known).map(([name, { type, multiple = false }]) => [name, { type, multiple }]),
      ),
    })
  } catch (error) {
    throw usageError(command, describeParseError(error, Object.keys(known)))
  }
  const options: Record<string, unknown> = { ...parsed.values }
  const expected = command.args ?? []
  if (options.help) return { options: options as CommandInput['options'], args: [] }
  if (parsed.positionals.length > expected.length && !expected.at(-1)?.many) {
    throw usageError(command, `Did not expect "${parsed.positionals[expected.length]}".`)
  }
  const missing = expected[parsed.positionals.length]
  if (missing && !missing.optional) throw usageError(command, `Missing <${missing.name}>: ${missing.about}`)
  for (const [name, option] of Object.entries(known)) {
    if (option.required && options[name] === undefined) throw usageError(command, `Missing --${name}: ${option.about}`)
    if (option.type === 'boolean') options[name] ??= false
    if (option.multiple) options[name] ??= []
  }
  return { options: options as CommandInput['options'], args: parsed.positionals }
}

function usageError(command: Pick<Command, 'name'>, message: string): DocentError {
  return new DocentError('invalid', 'cli.usage', `${message}\nSee: docent ${command.name} --help`)
}

/** `Unknown option '--nmae'. To specify a positional …` is Node's; people need the first sentence and a guess. */
function describeParseError(error: unknown, known: string[]): string {
  const [sentence = ''] = messageOf(error).split('. ')
  const unknown = /Unknown option '--?([^']+)'/.exec(sentence)?.[1]
  const near = unknown ? closest(unknown, known) : null
  return `${sentence.replace(/\.$/, '')}.${near ? ` Did you mean --${near}?` : ''}`
}

export function renderHelp(command: Command): string {
  const args = command.args ?? []
  const usage = [
    'docent',
    command.name,
    ...args.map(({ name, optional, many }) => `${optional ? `[${name}]` : `<${name}>`}${many ? '…' : ''}`),
    '[options]',
  ].join(' ')
  const options = Object.entries({ ...command.options, ...commonOptions } as Record<string, Option>)
  const sections = [`${command.about}\n`, `Usage: ${usage}`]
  if (args.length > 0) sections.push('', 'Arguments:', ...rows(args.map(({ name, about }) => [`<${name}>`, about])))
  const label = ([name, { type, value = 'text' }]: [string, Option]) =>
    type === 'boolean' ? `--${name}` : `--${name} <${value}>`
  const about = ([, option]: [string, Option]) =>
    `${option.about}${option.required ? ' Required.' : ''}${option.multiple ? ' May be repeated.' : ''}`
  sections.push('', 'Options:', ...rows(options.map((option) => [label(option), about(option)])))
  if (command.examples) sections.push('', 'Examples:', ...command.examples.map((example) => `  ${example}`))
  return sections.join('\n')
}

/** Two columns, the first as wide as it needs. */
export function rows(pairs: [string, string][]): string[] {
  const width = Math.max(...pairs.map(([left]) => left.length))
  return pairs.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`)
}
