import { posix } from 'node:path'
import { folderOf, withoutExtension } from './docs-tree.ts'

/** Address of a page on the site: no extension, no `index`. */
export function routeOf(page: string): string {
  return `/${withoutExtension(page).replace(/(^|\/)index$/i, '')}`
}

/** A link's target in its parts: `path`, then `?query` and `#hash` as they are written. */
export function splitTarget(target: string): { path: string; rest: string } {
  const at = target.search(/[?#]/)
  return at === -1 ? { path: target, rest: '' } : { path: target.slice(0, at), rest: target.slice(at) }
}

export interface TargetInput {
  /** The link as it is now. */
  written: string
  /** The file that it will stand in. */
  from: string
  to: string
  /** It is no address but a path in code or JSON, where nothing is encoded. */
  isPlain?: boolean
  /** What a relative link starts at; the folder of `from` unless told. */
  base?: string
}

/**
 * A link to `to` in the way in which `written` is: absolute or relative, with or without extension, `index`, a slash at
 * the end, query and hash.
 */
export function writeTarget({ written, from, to, isPlain = false, base = folderOf(from) }: TargetInput): string {
  const encode = isPlain ? (path: string) => path : encodePath
  const { path, rest } = splitTarget(written)
  const bare = path.replace(/\/+$/, '')
  const hasExtension = /\.mdx?$/i.test(bare)
  const namesIndex = /(^|\/)index(\.mdx?)?$/i.test(bare)
  const isIndex = /(^|\/)index\.mdx?$/i.test(to)
  // A page can be linked as Markdown whatever its file is.
  const asMarkdown = /\.md$/i.test(bare) && /\.mdx$/i.test(to)
  let target = !hasExtension ? withoutExtension(to) : asMarkdown ? `${withoutExtension(to)}.md` : to
  if (isIndex && !namesIndex && !hasExtension) target = target.replace(/(^|\/)index$/i, '')
  const slash = path.length > 1 && path.endsWith('/') && !hasExtension ? '/' : ''
  if (path.startsWith('/')) return encode(target === '' ? '/' : `/${target}${slash}`) + rest
  let relative = posix.relative(`/${base}`, `/${target}`)
  if (relative === '') relative = '.'
  else if (/^\.\.?(\/|$)/.test(path) && !relative.startsWith('.')) relative = `./${relative}`
  // `a:b` at the beginning would be read as a scheme.
  else if (/^[^/]*:/.test(relative)) relative = `./${relative}`
  return encode(relative + slash) + rest
}

/** What would end a link's target, or be read as something else in it. */
export function encodePath(path: string): string {
  return path
    .replace(/[\s()<>"'`\\{}|?#%]/g, (letter) => encodeURIComponent(letter).replace(/['()]/, percent))
    .replace(/&(?=#?\w+;)/g, percent)
}

function percent(letter: string): string {
  return `%${letter.charCodeAt(0).toString(16).toUpperCase()}`
}
