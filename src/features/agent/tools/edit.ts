import { z } from 'zod'
import { DocentError } from '#base/errors.ts'
import { blobId } from '#infra/files/editable-tree.ts'
import { afterEdit, hasSeen, type LineRange, wholeFile } from './file-memory.ts'
import { nearestPassage } from './nearest-passage.ts'
import { demandWritable, existingPath } from './paths.ts'
import { asData, linesOf, numbered, readText, showWhole } from './text-file.ts'
import { defineTool } from './tool.ts'

export const edit = defineTool({
  name: 'edit',
  description:
    'Replace a passage of a file that you have read. oldText must be exactly what the file says, without line numbers, and stand there once; take in a line before and after to make it unique, or set replaceAll. Keep it as short as is unique.',
  input: z.object({
    path: z.string(),
    oldText: z.string().min(1),
    newText: z.string().describe('What stands there instead. Empty to delete the passage.'),
    replaceAll: z.boolean().optional().describe('Replace every occurrence in this file.'),
  }),
  writes: true,
  async run({ path: written, oldText, newText, replaceAll = false }, { run, memory }) {
    const path = existingPath(run.tree, written)
    demandWritable(run.tree, path)
    const text = await readText(run.tree, path)
    const { id } = run.tree.entries.get(path)!
    const seen = memory.find(path)
    if (seen?.id !== id) {
      const why = seen === null ? 'You have not read it' : 'It has changed since you read it'
      // Shown with the refusal, a file that is short costs no step of its own.
      const shown = showWhole(path, text)
      if (shown === null) throw unread(path, `${why}: read it, then edit.`)
      memory.note(path, id, wholeFile)
      throw unread(path, `${why}. Here it is; edit it now:\n${shown}`)
    }

    const file = normalise(text)
    const given = { wanted: plain(oldText), replacement: plain(newText) }
    const { wanted, replacement } = file.text.includes(given.wanted) ? given : meantBy(given, file.text)
    const places = occurrences(file.text, wanted)
    if (places.length === 0) throw notFound(path, file.text, wanted)
    if (wanted === replacement) {
      throw new DocentError('invalid', 'edit.same', 'oldText and newText are the same: there is nothing to change.')
    }
    if (places.length > 1 && !replaceAll) throw ambiguous(path, file.text, places)
    const unseen = places.map((at) => lineRange(file.text, at, wanted)).find((range) => !hasSeen(seen, range))
    if (unseen) throw unread(path, `You have not read lines ${unseen[0]} to ${unseen[1]}: read them, then edit.`)

    // Only what differs is touched: in a file with both kinds of line ends, those around the change stay.
    const { head, tail } = sharedEnds(wanted, replacement)
    const inserted = replacement.slice(head, replacement.length - tail).replaceAll('\n', file.lineEnd)
    let result = text
    let ranges = seen.ranges
    for (const at of places.toReversed()) {
      const start = file.position(at + head)
      const end = file.position(at + wanted.length - tail)
      result = result.slice(0, start) + inserted + result.slice(end)
      const range = lineRange(file.text, at, wanted)
      const newLines = range[1] - range[0] + 1 + newlines(replacement) - newlines(wanted)
      ranges = afterEdit(ranges, range, newLines)
    }
    const bytes = Buffer.from(result)
    run.tree.write(path, bytes)
    memory.replace(path, { id: blobId(bytes), ranges })

    const count = places.length === 1 ? '' : ` in ${places.length} places`
    const shown = surroundings(result, file.text, places[0]!, replacement)
    return { text: `Edited ${path}${count}. It now says:\n${asData(path, shown)}`, progress: `Edited ${path}${count}` }
  },
})

const plain = (text: string) => text.replace(/\r\n/g, '\n').toWellFormed()

/** The passage without what models copy along or leave out at its edges: line numbers, and empty lines around it. */
function meantBy(given: { wanted: string; replacement: string }, text: string): typeof given {
  const numbers = /^ *\d+\t/gm
  const isNumbered = given.wanted.split('\n').every((line) => line === '' || /^ *\d+\t/.test(line))
  const { wanted, replacement } = isNumbered
    ? { wanted: given.wanted.replace(numbers, ''), replacement: given.replacement.replace(numbers, '') }
    : given
  if (wanted === '' || text.includes(wanted)) return { wanted: wanted || given.wanted, replacement }
  const trimmed = wanted.replace(/^\n+|\n+$/g, '')
  if (trimmed === '' || !text.includes(trimmed)) return given
  return { wanted: trimmed, replacement: replacement.replace(/^\n+|\n+$/g, '') }
}

interface NormalisedFile {
  /** With `\n` for every line end. */
  text: string
  /** Which of the two the file mostly uses. */
  lineEnd: string
  /** Where in the file the character at this index of `text` stands. */
  position(index: number): number
}

function normalise(original: string): NormalisedFile {
  const pairs: number[] = []
  for (let at = original.indexOf('\r\n'); at !== -1; at = original.indexOf('\r\n', at + 2)) pairs.push(at)
  const text = original.replaceAll('\r\n', '\n')
  const lineEnd = pairs.length * 2 > newlines(text) ? '\r\n' : '\n'
  return {
    text,
    lineEnd,
    position(index) {
      // The nth pair stands n characters further left in the normalised text: count those before the index.
      let [low, high] = [0, pairs.length]
      while (low < high) {
        const middle = (low + high) >> 1
        if (pairs[middle]! - middle < index) low = middle + 1
        else high = middle
      }
      return index + low
    },
  }
}

function occurrences(text: string, wanted: string): number[] {
  const places: number[] = []
  for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + wanted.length)) places.push(at)
  return places
}

function newlines(text: string): number {
  let count = 0
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count++
  return count
}

function lineAt(text: string, index: number): number {
  return newlines(text.slice(0, index)) + 1
}

function lineRange(text: string, at: number, wanted: string): LineRange {
  const from = lineAt(text, at)
  // The line end at the end of a passage belongs to its last line and not to the one after.
  return [from, from + newlines(wanted.slice(0, -1))]
}

/** How much two texts share at their ends, never half of a character. */
function sharedEnds(a: string, b: string): { head: number; tail: number } {
  const most = Math.min(a.length, b.length)
  let head = 0
  while (head < most && a[head] === b[head]) head++
  if (head > 0 && isHighSurrogate(a.charCodeAt(head - 1))) head--
  let tail = 0
  while (tail < most - head && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail++
  if (tail > 0 && isLowSurrogate(a.charCodeAt(a.length - tail))) tail--
  return { head, tail }
}

const isHighSurrogate = (unit: number) => unit >= 0xd800 && unit <= 0xdbff
const isLowSurrogate = (unit: number) => unit >= 0xdc00 && unit <= 0xdfff

function surroundings(result: string, before: string, at: number, replacement: string): string {
  const lines = linesOf(result)
  const from = Math.max(1, lineAt(before, at) - 2)
  const to = Math.min(lines.length, lineAt(before, at) + Math.min(newlines(replacement), 12) + 2)
  return numbered(
    lines.slice(from - 1, to).map((line) => (line.length > 300 ? `${line.slice(0, 300).toWellFormed()}…` : line)),
    from,
  )
}

function unread(path: string, why: string): DocentError {
  return new DocentError('conflict', 'edit.unread', `${path} was not edited. ${why}`)
}

function notFound(path: string, text: string, wanted: string): DocentError {
  const nearest = nearestPassage(text, wanted)
  const help =
    nearest === null
      ? 'Read the file again and copy the passage as it is.'
      : `The nearest passage is:\n${asData(path, nearest)}`
  return new DocentError('not_found', 'edit.not_found', `${path} does not contain that text exactly. ${help}`)
}

function ambiguous(path: string, text: string, places: number[]): DocentError {
  const lines = places.slice(0, 20).map((at) => lineAt(text, at))
  const more = places.length > 20 ? ', …' : ''
  const message = `${path} contains that text ${places.length} times, on lines ${lines.join(', ')}${more}. Take in more around it, or set replaceAll.`
  return new DocentError('conflict', 'edit.ambiguous', message)
}
