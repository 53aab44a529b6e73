import { markdownToMdast } from 'satteri'
import type { CheckResult } from './agent-run.ts'

export interface PullRequestText {
  jobId: string
  /** One for each prompt that changed something, oldest first. */
  summaries: string[]
  check: Pick<CheckResult, 'introduced' | 'problems' | 'pages' | 'links'>
  changes: { path: string; kind: 'added' | 'changed' | 'deleted' }[]
}

const mostTitle = 100
const mostFilesNamed = 50
const mostProblemsNamed = 20
const mostSummary = 10_000
// Between the two, a host sees no name and no number; a person sees no difference.
const joiner = '\u2060'

/** The body of a pull request. It is ours: what an agent wrote is quoted in it with everything harmless that could act. */
export function pullRequestBody({ jobId, summaries, check, changes }: PullRequestText): string {
  const parts = summaries.map((summary) => neutralise(summary.slice(0, mostSummary)).trim())
  const older = check.problems.length - check.introduced.length
  const found = check.introduced.slice(0, mostProblemsNamed).map((problem) => {
    return `- ${asCode(`${problem.path}:${problem.line}`)} ${neutralise(problem.message)}`
  })
  const checked = [
    `Checked ${count(check.pages, 'page')} and ${count(check.links, 'link')}: ${
      check.introduced.length === 0
        ? 'this change breaks nothing'
        : `this change brings ${count(check.introduced.length, 'problem')}`
    }${older > 0 ? `; ${count(older, 'problem')} were there before` : ''}.`,
    ...found,
  ]
  const files = changes.slice(0, mostFilesNamed).map(({ path, kind }) => `- ${kind} ${asCode(path)}`)
  if (changes.length > mostFilesNamed) files.push(`- and ${changes.length - mostFilesNamed} more`)
  return `${parts.join('\n\n')}\n\n### Checks\n\n${checked.join('\n')}\n\n### Files\n\n${files.join('\n')}\n\n---\nMade by Docent, job ${asCode(jobId)}.\n`
}

export function pullRequestTitle(title: string): string {
  const line = neutralise(title.replace(/\s+/g, ' ')).trim()
  return line.length <= mostTitle ? line : `${line.slice(0, mostTitle - 1)}…`
}

/** The commit message: hosts act on issue references in these too. */
export function commitMessage({ title, summary, jobId }: { title: string; summary: string; jobId: string }): string {
  const body = neutralise(summary.slice(0, mostSummary)).trim()
  return `${pullRequestTitle(title)}\n\n${body === '' ? '' : `${body}\n\n`}Docent-Job: ${jobId}\n`
}

interface Node {
  type: string
  url?: string
  alt?: string | null
  value?: string
  position?: { start: { offset?: number }; end: { offset?: number } }
  children?: Node[]
}

/**
 * Markdown that tells nobody anything and does nothing: no mention, no reference that closes an issue, no quick action,
 * no picture or link to somewhere else, no HTML. Code stays as it is.
 */
export function neutralise(markdown: string): string {
  const text = markdown.toWellFormed().replace(/[^\P{Cc}\n\t]/gu, '')
  const pieces: string[] = []
  let at = 0
  const replace = (node: Node, by: string) => {
    const { start, end } = spanOf(node)
    if (start < at) return
    pieces.push(text.slice(at, start), by)
    at = end
  }
  const visit = (node: Node) => {
    if (node.type === 'text') replace(node, quiet(sourceOf(text, node)))
    else if (node.type === 'html') replace(node, asCode(node.value ?? ''))
    else if (node.type === 'image' || node.type === 'imageReference') replace(node, quiet(node.alt ?? ''))
    else if (node.type === 'definition' && isOutside(node.url)) replace(node, '')
    else if (node.type === 'link' && isOutside(node.url)) replace(node, quiet(plain(node)))
    else if (node.type === 'linkReference') replace(node, quiet(plain(node)))
    else for (const child of node.children ?? []) visit(child)
  }
  visit(markdownToMdast(text) as unknown as Node)
  pieces.push(text.slice(at))
  // GitLab obeys a line that begins so, wherever Markdown sees it.
  return pieces.join('').replace(/^([ \t>]*)\/(?=[a-z])/gim, `$1${joiner}/`)
}

function quiet(text: string): string {
  return (
    text
      // Written as an entity, a character acts once the host has decoded it.
      .replace(/&(?=#|(commat|num|excl|sol|colon|period|dollar|percnt);)/gi, '&amp;')
      .replace(/@(?=[\w{[-])/g, `@${joiner}`)
      .replace(/(?<=^|[^&\w])([#!%~$&])(?=[\w"])(?!amp;)/g, `$1${joiner}`)
      .replace(/([\w.-]+)#(?=\d)/g, `$1#${joiner}`)
      .replace(/\b(GH)-(?=\d)/gi, `$1${joiner}-`)
      .replace(/\b(https?|ftp|mailto|javascript|data):/gi, `$1${joiner}:`)
      .replace(/\bwww\./gi, `www${joiner}.`)
  )
}

function isOutside(url: string | undefined): boolean {
  return url === undefined || /^([a-z][a-z0-9+.-]*:|\/\/|\\)/i.test(url.trim())
}

function plain({ value, alt, children = [] }: Node): string {
  return (value ?? alt ?? '') + children.map(plain).join('')
}

function sourceOf(text: string, node: Node): string {
  const { start, end } = spanOf(node)
  return text.slice(start, end)
}

function spanOf({ position }: Node): { start: number; end: number } {
  return { start: position?.start.offset ?? 0, end: position?.end.offset ?? 0 }
}

/** As inline code, whatever it holds. */
function asCode(text: string): string {
  const line = text.replace(/\s+/g, ' ')
  const longest = Math.max(0, ...[...line.matchAll(/`+/g)].map(([ticks]) => ticks.length))
  const fence = '`'.repeat(longest + 1)
  const pad = line.startsWith('`') || line.endsWith('`') || line === '' ? ' ' : ''
  return `${fence}${pad}${line}${pad}${fence}`
}

function count(number: number, word: string): string {
  return `${number} ${word}${number === 1 ? '' : 's'}`
}
