import type { Problem } from '../check/problem.ts'
import { type ConfigReader, createConfigReader } from './config-reader.ts'
import type { ConfigObject, ConfigValue, DocsConfig } from './docs-config.ts'
import { modernConfig } from './mint-config.ts'
import type { SiteFont, SiteLink, SiteSettings } from './site-settings.ts'

export interface ReadSettings {
  settings: SiteSettings
  /** Fields that are not what they must be, and count as left out. */
  problems: Problem[]
}

const defaultColors = { primary: '#2563eb', light: '#60a5fa', dark: '#1d4ed8' }
const fontFamily = /^[\p{L}\p{N}][\p{L}\p{N} _.-]{0,99}$/u
const metaName = /^[a-z][\w:.-]{0,99}$/i
const variableName = /^[A-Za-z\d][\w.-]{0,99}$/

/** What docs.json, or mint.json, says about how the site looks. Nothing of it can fail. */
export function readSiteSettings(config: DocsConfig | null): ReadSettings {
  const root = config === null ? null : modernConfig(config)
  const reader = createConfigReader(config ?? noConfig)
  const { object, text, choice, flag } = reader
  const appearance = object(root, 'appearance')
  const errors = object(object(root, 'errors'), '404')
  const seo = object(root, 'seo')
  const settings: SiteSettings = {
    name: text(root, 'name'),
    description: text(root, 'description'),
    colors: readColors(reader, root),
    logo: readLogo(reader, root),
    favicon: readPair(reader, root, 'favicon'),
    fonts: readFonts(reader, root),
    appearance: {
      default: choice(appearance, 'default', ['system', 'light', 'dark']) ?? 'system',
      isFixed: flag(appearance, 'strict') ?? false,
    },
    banner: readBanner(reader, root),
    navbar: readNavbar(reader, root),
    footer: readFooter(reader, root),
    icons: choice(object(root, 'icons'), 'library', ['fontawesome', 'lucide', 'tabler']) ?? 'fontawesome',
    eyebrow: choice(object(root, 'styling'), 'eyebrows', ['section', 'breadcrumbs']) ?? 'section',
    metatags: readMetatags(reader, seo),
    indexing: choice(seo, 'indexing', ['navigable', 'all']) ?? 'navigable',
    searchPrompt: text(object(root, 'search'), 'prompt'),
    notFound: {
      // Only where it was asked for: a page that says what is missing is more use than another one.
      redirectHome: flag(errors, 'redirect') ?? false,
      title: text(errors, 'title'),
      description: text(errors, 'description'),
    },
    api: readApi(reader, root),
    variables: readVariables(reader, root),
  }
  return { settings, problems: reader.problems }
}

const noConfig: DocsConfig = {
  path: 'docs.json',
  root: null,
  problems: [],
  files: new Set(),
  placeOf: () => ({ line: 1, column: 1 }),
}

type Root = ConfigObject | null

function readColors(reader: ConfigReader, root: Root): SiteSettings['colors'] {
  const colors = reader.object(root, 'colors')
  const background = reader.object(reader.object(root, 'background'), 'color')
  const primary = reader.color(colors, 'primary')
  const light = reader.color(colors, 'light')
  const dark = reader.color(colors, 'dark')
  const backgrounds = {
    backgroundLight: reader.color(background, 'light'),
    backgroundDark: reader.color(background, 'dark'),
  }
  if (primary === null) return { ...defaultColors, ...backgrounds }
  return { primary, light: light ?? primary, dark: dark ?? primary, ...backgrounds }
}

/** One image, or one for each of light and dark. */
function readPair(reader: ConfigReader, root: Root, name: string): { light: string; dark: string } | null {
  const value = root?.fields.get(name)
  if (value?.kind !== 'object') {
    const one = reader.image(root, name)
    return one === null ? null : { light: one, dark: one }
  }
  const pair = reader.object(root, name)
  const [light, dark] = [reader.image(pair, 'light'), reader.image(pair, 'dark')]
  const one = light ?? dark
  return one === null ? null : { light: light ?? one, dark: dark ?? one }
}

function readLogo(reader: ConfigReader, root: Root): SiteSettings['logo'] {
  const pair = readPair(reader, root, 'logo')
  const logo = root?.fields.get('logo')
  const href = logo?.kind === 'object' ? reader.address(logo, 'href') : null
  return pair && { ...pair, href }
}

function readFonts(reader: ConfigReader, root: Root): SiteSettings['fonts'] {
  const fonts = reader.object(root, 'fonts')
  const both = readFont(reader, fonts)
  return {
    body: readFont(reader, reader.object(fonts, 'body')) ?? both,
    heading: readFont(reader, reader.object(fonts, 'heading')) ?? both,
  }
}

function readFont(reader: ConfigReader, font: ConfigObject | null): SiteFont | null {
  const family = reader.text(font, 'family')
  if (font === null || family === null) return null
  if (!fontFamily.test(family)) {
    reader.report(font.fields.get('family')!, `"${reader.nameOf(font, 'family')}" must be the name of a font.`)
    return null
  }
  const source = reader.image(font, 'source')
  return {
    family,
    // A font of another site would tell it who reads.
    source: source === null || /^(?:[a-z][a-z\d+.-]*:|\/\/)/i.test(source) ? null : source,
    weight: readWeight(reader, font),
  }
}

function readWeight(reader: ConfigReader, font: ConfigObject): string | null {
  const value = font.fields.get('weight')
  if (value === undefined) return null
  const weight =
    value.kind === 'scalar' && value.value !== null && value.value !== '' ? Number(value.value) : Number.NaN
  if (weight >= 1 && weight <= 1_000) return String(weight)
  reader.report(value, `"${reader.nameOf(font, 'weight')}" must be a number from 1 to 1000.`)
  return null
}

function readBanner(reader: ConfigReader, root: Root): SiteSettings['banner'] {
  const banner = reader.object(root, 'banner')
  const content = reader.text(banner, 'content')
  return content === null ? null : { content, isDismissible: reader.flag(banner, 'dismissible') ?? false }
}

const brandNames = { github: 'GitHub', discord: 'Discord', button: null }

function readLink(reader: ConfigReader, item: ConfigObject): SiteLink | null {
  const href = reader.address(item, 'href')
  const type = item.fields.get('type')
  const isBrand = type?.kind === 'scalar' && (type.value === 'github' || type.value === 'discord')
  const brand = isBrand ? (type.value as 'github' | 'discord') : null
  const label = reader.text(item, 'label') ?? (brand && brandNames[brand])
  if (href === null || label === null) return null
  return { label, href, icon: readIcon(item) ?? brand }
}

function readNavbar(reader: ConfigReader, root: Root): SiteSettings['navbar'] {
  const navbar = reader.object(root, 'navbar')
  const links = reader.objects(navbar, 'links').flatMap((item) => readLink(reader, item) ?? [])
  const primary = reader.object(navbar, 'primary')
  const link = primary && readLink(reader, primary)
  const type = reader.choice(primary, 'type', ['button', 'github', 'discord']) ?? 'button'
  return { links, primary: link && { ...link, type } }
}

function readFooter(reader: ConfigReader, root: Root): SiteSettings['footer'] {
  const footer = reader.object(root, 'footer')
  const named = reader.object(footer, 'socials')
  const socials = [...(named?.fields.keys() ?? [])].slice(0, 50).flatMap((name) => {
    const href = reader.address(named, name)
    return href === null ? [] : [{ name, href }]
  })
  const columns = reader.objects(footer, 'links').map((column) => ({
    header: reader.text(column, 'header'),
    items: reader.objects(column, 'items').flatMap((item) => readLink(reader, item) ?? []),
  }))
  return { socials, columns: columns.filter(({ items }) => items.length > 0) }
}

function readMetatags(reader: ConfigReader, seo: ConfigObject | null): [string, string][] {
  const tags = reader.object(seo, 'metatags')
  return [...(tags?.fields ?? [])].slice(0, 100).flatMap(([name, value]): [string, string][] => {
    const content = scalarText(value)
    if (content !== null && metaName.test(name)) return [[name, content]]
    reader.report(value, `"${reader.nameOf(tags!, name)}" must be the text of a meta element.`)
    return []
  })
}

function readApi(reader: ConfigReader, root: Root): SiteSettings['api'] {
  const api = reader.object(root, 'api')
  const mdx = reader.object(api, 'mdx')
  const auth = reader.object(mdx, 'auth')
  const method = reader.choice(auth, 'method', ['bearer', 'basic', 'key', 'cobo', 'none'])
  const servers = reader.texts(mdx, 'server')
  return {
    openapi: specSources(api?.fields.get('openapi')),
    asyncapi: specSources(api?.fields.get('asyncapi')),
    baseUrls: servers.filter((url) => /^https?:\/\//i.test(url)),
    auth: method === null ? null : { method, name: reader.text(auth, 'name') },
    exampleLanguages: reader.texts(reader.object(api, 'examples'), 'languages').slice(0, 20),
  }
}

/** A path or URL, a list of them, or an object with one as its source. */
export function specSources(value: ConfigValue | undefined): string[] {
  if (value?.kind === 'list') return value.items.flatMap((item) => specSources(item)).slice(0, 1_000)
  if (value?.kind === 'object') return specSources(value.fields.get('source'))
  return typeof value?.value === 'string' && value.value !== '' ? [value.value] : []
}

function readVariables(reader: ConfigReader, root: Root): Record<string, string> {
  const variables = reader.object(root, 'variables')
  const found = [...(variables?.fields ?? [])].flatMap(([name, value]): [string, string][] => {
    const text = scalarText(value)
    if (text !== null && variableName.test(name)) return [[name, text]]
    reader.report(value, `"${reader.nameOf(variables!, name)}" must be text, and its name letters, digits and hyphens.`)
    return []
  })
  return Object.fromEntries(found)
}

function scalarText(value: ConfigValue): string | null {
  return value.kind === 'scalar' && value.value !== null ? String(value.value) : null
}

/** The name of an icon, however it is given: a text, or an object with its name and style. */
export function readIcon(item: ConfigObject): string | null {
  const icon = item.fields.get('icon')
  const name = icon?.kind === 'object' ? icon.fields.get('name') : icon
  if (name?.kind !== 'scalar' || typeof name.value !== 'string') return null
  const text = name.value.trim()
  return text === '' || text.length > 1_000 ? null : text
}
