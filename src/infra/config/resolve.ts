import { readFileSync } from 'node:fs'
import { relative, resolve } from 'node:path'
import { isMap, isNode, isScalar, LineCounter, parseDocument } from 'yaml'
import { closest } from '#base/closest.ts'
import { DocentError, type ErrorDetail, messageOf } from '#base/errors.ts'
import { hideSecrets } from '#base/hide-secrets.ts'
import { dataPaths } from '../data/folder.ts'
import { type Config, environmentName, type Setting, type SettingName, settings } from './settings.ts'

/** A value, and where a person would go to change it. */
interface Found {
  raw: unknown
  origin: string
}

export interface ResolvedConfig {
  config: Config
  /** For each setting, where its value came from: `default`, `DOCENT_PORT`, `docent.yaml line 3`. */
  origins: Record<SettingName, string>
  /** Things that are probably mistakes but stop nothing. */
  warnings: string[]
}

export interface ConfigInput {
  env: Record<string, string | undefined>
  cwd: string
  /** Whether a person reads the output, for what depends on it by default. */
  terminal: boolean
}

const names = Object.keys(settings) as SettingName[]
const fileVariable = 'DOCENT_CONFIG'
const defaultFile = 'docent.yaml'

/** The configuration of this process, read here and nowhere else. */
export function readConfig(): ResolvedConfig {
  return resolveConfig({ env: process.env, cwd: process.cwd(), terminal: Boolean(process.stdout.isTTY) })
}

/**
 * One typed object from the environment, the file and the defaults, in that order of strength. All faults are
 * told at once, each with what was expected, what was found and where.
 */
export function resolveConfig({ env, cwd, terminal }: ConfigInput): ResolvedConfig {
  const faults: ErrorDetail[] = []
  const warnings: string[] = []
  const fromFile = readFile({ env, cwd }, faults)
  const values: Record<string, unknown> = {}
  const origins = {} as Record<SettingName, string>

  for (const name of names) {
    const { reader, fallback, secret } = settings[name] as Setting<unknown>
    const found = fromEnvironment(env, name) ?? fromFile.get(name)
    origins[name] = found?.origin ?? 'default'
    values[name] = fallback
    if (!found) continue
    const value = reader.read(found.raw, { cwd })
    if (value !== undefined) values[name] = value
    else {
      const shown = secret ? 'another value (hidden, it is a secret)' : show(found.raw)
      faults.push({ path: name, message: `${found.origin}: expected ${reader.expected}, found ${shown}.` })
    }
  }
  warnings.push(...unknownVariables(env))

  const config = derive(values, { cwd, terminal })
  if (config.model.startsWith('openai-compatible/') && !config.modelBaseUrl) {
    const message = `${environmentName('modelBaseUrl')}: expected the address of the model server, as the model is ${config.model}, found nothing.`
    faults.push({ path: 'modelBaseUrl', message })
  }
  if (faults.length > 0) throw configError(faults)
  return { config, origins, warnings }
}

function derive(values: Record<string, unknown>, { cwd, terminal }: { cwd: string; terminal: boolean }): Config {
  const host = values.host as string
  const anyAddress = host === '0.0.0.0' || host === '::'
  // A zone such as `%eth0` means something to this machine only, and no URL takes it.
  const shownHost = anyAddress ? 'localhost' : host.includes(':') ? `[${host.replace(/%.*/, '')}]` : host
  const data = (values.data as string | undefined) ?? resolve(cwd, 'data')
  return {
    ...(values as unknown as Config),
    data,
    repositories: (values.repositories as string | undefined) ?? dataPaths(data).git,
    baseUrl: (values.baseUrl as string | undefined) ?? `http://${shownHost}:${values.port}`,
    logFormat: (values.logFormat as Config['logFormat'] | undefined) ?? (terminal ? 'text' : 'json'),
  }
}

function fromEnvironment(env: ConfigInput['env'], name: SettingName): Found | undefined {
  const raw = env[environmentName(name)]
  // A variable set to nothing is how compose files and CI systems spell "not set".
  return raw === undefined || raw === '' ? undefined : { raw, origin: environmentName(name) }
}

function readFile({ env, cwd }: Pick<ConfigInput, 'env' | 'cwd'>, faults: ErrorDetail[]): Map<string, Found> {
  const found = new Map<string, Found>()
  const named = env[fileVariable]
  const path = resolve(cwd, named || defaultFile)
  let source: string
  try {
    source = readFileSync(path, 'utf8')
  } catch (error) {
    if (!named && (error as NodeJS.ErrnoException).code === 'ENOENT') return found
    faults.push({ path: fileVariable, message: `${fileVariable}: cannot read ${path}: ${messageOf(error)}.` })
    return found
  }

  const shownPath = relative(cwd, path) || path
  const lines = new LineCounter()
  const document = parseDocument(source, { lineCounter: lines, prettyErrors: false })
  for (const error of document.errors) {
    const place = `${shownPath} line ${lines.linePos(error.pos[0]).line}`
    faults.push({ path: shownPath, message: `${place}: ${withoutQuote(error)}.` })
  }
  const isEmpty = document.contents === null || (isScalar(document.contents) && document.contents.value === null)
  if (document.errors.length > 0 || isEmpty) return found
  if (!isMap(document.contents)) {
    faults.push({ path: shownPath, message: `${shownPath}: expected settings as "name: value" lines.` })
    return found
  }
  for (const { key, value } of document.contents.items) {
    const name = String(isScalar(key) ? key.value : key)
    const offset = isScalar(key) ? (key.range?.[0] ?? 0) : 0
    const origin = `${shownPath} line ${lines.linePos(offset).line}`
    const isKnown = (names as string[]).includes(name)
    if (!isKnown) {
      const near = closest(name, names)
      const hint = near ? ` Did you mean ${near}?` : ' README.md lists the settings.'
      faults.push({ path: name, message: `${origin}: there is no setting "${name}".${hint}` })
      continue
    }
    try {
      const raw = isNode(value) ? value.toJS(document) : null
      if (raw !== null) found.set(name, { raw, origin })
    } catch (error) {
      faults.push({ path: name, message: `${origin}: ${withoutQuote(error)}.` })
    }
  }
  return found
}

/** What is wrong with the YAML, without the piece of the file that follows a colon: it may be part of a secret. */
function withoutQuote(error: unknown): string {
  return messageOf(error).split(':')[0]!
}

/** Variables that start like ours and are not: a typing error would otherwise go unnoticed. */
function unknownVariables(env: ConfigInput['env']): string[] {
  const known = new Set([...names.map(environmentName), fileVariable])
  return Object.keys(env)
    .filter(
      (variable) => variable.startsWith('DOCENT_') && !variable.startsWith('DOCENT_TEST_') && !known.has(variable),
    )
    .map((variable) => {
      const near = closest(variable, known)
      return `${variable} is not a setting and is ignored.${near ? ` Did you mean ${near}?` : ''}`
    })
}

function show(raw: unknown): string {
  try {
    // Hidden before it is cut: half of a URL does not show that the other half is a password.
    const text = hideSecrets(JSON.stringify(raw))
    return text.length > 80 ? `${text.slice(0, 77)}…` : text
  } catch {
    return 'a value that contains itself'
  }
}

function configError(faults: ErrorDetail[]): DocentError {
  // A secret may have been put under the name of a setting that is none, or in another's place.
  const safe = faults.map(({ path, message }) => ({ path: hideSecrets(path), message: hideSecrets(message) }))
  const message = ['The configuration has faults:', ...safe.map((fault) => `  ${fault.message}`)].join('\n')
  return new DocentError('invalid', 'config.invalid', message, { details: safe })
}
