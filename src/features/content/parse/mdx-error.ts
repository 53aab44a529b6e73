import { messageOf } from '#base/errors.ts'
import type { PageProblem } from '../check/problem.ts'

/** What the parser said, as a problem that tells a writer what to do. */
export function explainMdxError(error: unknown): PageProblem {
  const said = messageOf(error)
  const match = /^(\d+):(\d+)(?:-\d+:\d+)?:\s*([\s\S]*)$/.exec(said)
  const place = match ? { line: Number(match[1]), column: Number(match[2]) } : { line: 1, column: 1 }
  const reason = (match?.[3] ?? said).replace(/\s*\([\w-]+:[\w-]+\)\s*$/, '')
  const { message, hint } = explain(reason)
  return { rule: 'mdx', ...place, message, hint, subject: message.replace(/\d+:\d+/g, '') }
}

function explain(reason: string): { message: string; hint: string | null } {
  const javascript = /^Could not parse (expression|esm) with oxc: ([\s\S]*)$/.exec(reason)
  if (javascript?.[1] === 'esm') {
    return { message: `This import or export is no JavaScript: ${sentence(javascript[2]!)}`, hint: null }
  }
  if (javascript) {
    return {
      message: `What stands in these braces is no JavaScript: ${sentence(javascript[2]!)}`,
      hint: 'To show a brace, write \\{ or put the text in code.',
    }
  }
  if (/to create a comment in MDX/.test(reason)) {
    return { message: 'HTML comments are not MDX.', hint: 'Write {/* comment */} instead.' }
  }
  if (/expected a corresponding closing brace/.test(reason)) {
    return {
      message: 'This { is never closed.',
      hint: 'Close it with }; to show a brace, write \\{ or put the text in code.',
    }
  }
  if (/before name, expected a character that can start a name|expected a valid JSX tag/.test(reason)) {
    return {
      message: sentence(reason.replace(/\s*\(note:[\s\S]*\)$/, '')),
      hint: 'To show a <, write &lt; or put the text in code; a bare address is written [text](url).',
    }
  }
  return { message: sentence(reason), hint: null }
}

function sentence(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim().slice(0, 300)
  return /[.!?]$/.test(line) ? line : `${line}.`
}
