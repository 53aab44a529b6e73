import { counted } from '#base/counted.ts'
import { oneLine } from '#base/one-line.ts'
import type { EditionPage } from '../edition/edition.ts'
import type { ServedSite } from '../serve/served-site.ts'
import { markdownRoute, urlTo } from '../serve/site-address.ts'
import { type ListedSection, listSections } from './listed-pages.ts'

/** What agents read of one file before they cut it off. */
export const mostCharacters = 50_000
// Left for what stands above the links.
const headCharacters = 3_000
const mostTitleCharacters = 200
const mostDescriptionCharacters = 500

/** One file of the index by its route: `/llms.txt`, `/llms/1.txt`. */
export type LlmsFiles = ReadonlyMap<string, string>

interface Block {
  /** What it is called where another file leads to it. */
  label: string
  heading: string
  lines: string[]
  pages: number
}

/**
 * The index of a site for agents: one file, or one that leads to several, none of them longer than agents read. No page is
 * left out, however many there are.
 */
export function buildLlmsFiles(site: Pick<ServedSite, 'name' | 'edition' | 'base' | 'origin'>): LlmsFiles {
  const sections = listSections(site.edition)
  const blocks = sections.flatMap((section) => toBlocks(site, section))
  const files = new Map<string, string>()
  const whole = writeFile(site, { title: titleOf(site), blocks, isRoot: true })
  if (whole.length <= mostCharacters) return files.set('/llms.txt', whole)

  let number = 0
  let parts = packByName(blocks)
  // Each round leads to the files of the one before; one is enough for some ten thousand pages.
  while (true) {
    const level = parts.map((part): Block => {
      number++
      const route = `/llms/${number}.txt`
      const label = labelOf(part)
      files.set(route, writeFile(site, { title: `${titleOf(site)}: ${label}`, blocks: part, isRoot: false }))
      const pages = part.reduce((sum, block) => sum + block.pages, 0)
      const line = `- [${escapeText(label)}](${urlTo(site, route)}): ${counted(pages, 'page')}`
      return { label, heading: 'Parts of this index', lines: [line], pages }
    })
    const root = writeFile(site, { title: titleOf(site), blocks: level, isRoot: true })
    if (root.length <= mostCharacters) return files.set('/llms.txt', root)
    parts = pack(level)
  }
}

function titleOf({ name, edition }: Pick<ServedSite, 'name' | 'edition'>): string {
  return oneLine(edition.model.settings.name ?? name, mostTitleCharacters)
}

function writeFile(
  site: Pick<ServedSite, 'edition' | 'base' | 'origin'>,
  { title, blocks, isRoot }: { title: string; blocks: Block[]; isRoot: boolean },
): string {
  const { description } = site.edition.model.settings
  const summary = oneLine(description ?? '', mostDescriptionCharacters) || 'Documentation, as a list of its pages.'
  const hint = isRoot
    ? `Links lead to Markdown. Every page has it at its address with .md after it, or for requests that accept text/markdown. All pages in one file: ${urlTo(site, '/llms-full.txt')}`
    : `A part of the index at ${urlTo(site, '/llms.txt')}`
  let body = ''
  for (const [at, { heading, lines }] of blocks.entries()) {
    body += heading === blocks[at - 1]?.heading ? '' : `${at === 0 ? '' : '\n'}## ${heading}\n\n`
    body += `${lines.join('\n')}\n`
  }
  return [`# ${escapeText(title)}`, `> ${escapeText(summary)}`, hint, body].join('\n\n')
}

/** A section, in several blocks where it alone is too long for a file. */
function toBlocks(site: Pick<ServedSite, 'base' | 'origin'>, { trail, pages }: ListedSection): Block[] {
  const name = oneLine(trail.join(' › '), mostTitleCharacters) || 'Pages'
  const blocks: Block[] = []
  let lines: string[] = []
  let length = 0
  const close = () => {
    const suffix = blocks.length === 0 ? '' : ` (${blocks.length + 1})`
    blocks.push({ label: `${name}${suffix}`, heading: escapeText(`${name}${suffix}`), lines, pages: lines.length })
    lines = []
    length = 0
  }
  for (const page of pages) {
    const line = lineOf(site, page)
    if (length + line.length + 1 > mostCharacters - 2 * headCharacters) close()
    lines.push(line)
    length += line.length + 1
  }
  if (lines.length > 0) close()
  return blocks
}

function lineOf(site: Pick<ServedSite, 'base' | 'origin'>, { route, title, index }: EditionPage): string {
  const description = oneLine(index.fields.description ?? '', mostDescriptionCharacters)
  const link = `- [${escapeText(oneLine(title, mostTitleCharacters)) || route}](${urlTo(site, markdownRoute(route))})`
  return description === '' ? link : `${link}: ${escapeText(description)}`
}

/** Files of neighbours: as many as fit, but not of two divisions while there are few of those. */
function packByName(blocks: Block[]): Block[][] {
  const trails = blocks.map(({ label }) => label.split(' › '))
  // Where all stand in the same division, those inside of it are told apart.
  let depth = 0
  while (
    trails.length > 1 &&
    trails.every((trail) => trail[depth] !== undefined && trail[depth] === trails[0]![depth])
  ) {
    depth++
  }
  const byName = pack(blocks, (at) => trails[at]!.slice(0, depth + 1).join(' › '))
  // As many lines as this fit in the file that leads to them.
  return byName.length <= 100 ? byName : pack(blocks)
}

function pack(blocks: Block[], nameOf: (at: number) => string = () => ''): Block[][] {
  const parts: Block[][] = []
  let length = 0
  let nameOfPart = ''
  for (const [at, block] of blocks.entries()) {
    const size = block.heading.length + 8 + block.lines.reduce((sum, line) => sum + line.length + 1, 0)
    const name = nameOf(at)
    if (parts.length > 0 && length + size <= mostCharacters - headCharacters && name === nameOfPart) {
      parts.at(-1)!.push(block)
      length += size
    } else {
      parts.push([block])
      length = size
      nameOfPart = name
    }
  }
  return parts
}

function labelOf(part: Block[]): string {
  const [first, last] = [part[0]!.label, part.at(-1)!.label]
  return first === last ? first : oneLine(`${first} to ${last}`, mostTitleCharacters)
}

/** What would be read as Markdown where plain words stand. */
function escapeText(text: string): string {
  return text.replace(/[\\[\]`<>]/g, '\\$&')
}
