// A year of views of a documentation site, the same for the same seed: most visitors are seen on one day, some return
// over weeks, few all year; pages by Zipf's law; people, AI clients of every category, bots; a few visitors seen as a
// person and as AI. Made in columns, some thousand rows at a time, so that ten million views never exist as objects.
import type { View } from '#backends/events/view.ts'
import { clients, opencode, paths, referrers } from './analytics-site.ts'

const dayMs = 86_400_000
const days = 365
/** 830,000 visitors of 10 million views. */
const visitorsPerView = 0.083
const yearStart = Date.UTC(2025, 0, 1)

/** Rows by column; only the first `length` of each count. */
export interface Columns {
  length: number
  at: Float64Array
  /** Index into `visitorIds`. */
  visitor: Uint32Array
  /** Index into `paths`. */
  page: Uint16Array
  /** Index into `clients`. */
  client: Uint8Array
  referrer: Uint8Array
  /** 0: the view carries no id. */
  eventId: BigUint64Array
}

export interface DataSet {
  views: number
  visitors: number
  visitorIds: BigUint64Array
  from: number
  to: number
  /** In order of time, or in none at all. */
  chunks(rows: number): Generator<Columns>
}

export interface DataSetOptions {
  views: number
  seed: number
  isShuffled?: boolean
  /** Of the views, how many carry an id of their own, as every line of an imported log does. */
  idShare?: number
}

export function createDataSet({ views, seed, isShuffled = false, idShare = 1 }: DataSetOptions): DataSet {
  const visitors = Math.max(1, Math.round(views * visitorsPerView))
  const visitorIds = BigUint64Array.from({ length: visitors }, (_, visitor) => mix64(seed, visitor))
  const { starts, visitorOf } = visitorDays({ visitors, seed })
  const inOrder = () => timeOrdered({ views, seed, idShare, starts, visitorOf, visitors })
  return {
    views,
    visitors,
    visitorIds,
    from: yearStart,
    to: yearStart + days * dayMs,
    chunks: (rows) => (isShuffled ? shuffled(inOrder(), { views, seed, rows }) : resized(inOrder(), rows)),
  }
}

export function toViews(columns: Columns, { visitorIds }: DataSet, projectId: string): View[] {
  return Array.from({ length: columns.length }, (_, row) => ({
    projectId,
    at: columns.at[row]!,
    path: paths[columns.page[row]!]!,
    visitor: visitorIds[columns.visitor[row]!]!,
    eventId: columns.eventId[row]! || null,
    verdict: clients[columns.client[row]!]!.verdict,
    referrer: referrers[columns.referrer[row]!]!,
    source: 'log',
  }))
}

/** Uniform in [0, 1), from a state of one 32-bit number (mulberry32). */
function createRandom(seed: number): () => number {
  let state = seed | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000
  }
}

const mix32 = (a: number, b: number) => {
  let mixed = Math.imul(a ^ Math.imul(b + 1, 0x9e3779b1), 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return (mixed ^ (mixed >>> 16)) | 0
}

/** A bijection of the pair (splitmix64): no two visitors of a seed, nor two events, have the same. */
function mix64(seed: number, index: number): bigint {
  let mixed = BigInt.asUintN(64, (BigInt(seed >>> 0) << 40n) + BigInt(index + 1) * 0x9e3779b97f4a7c15n)
  mixed = BigInt.asUintN(64, (mixed ^ (mixed >> 30n)) * 0xbf58476d1ce4e5b9n)
  mixed = BigInt.asUintN(64, (mixed ^ (mixed >> 27n)) * 0x94d049bb133111ebn)
  return mixed ^ (mixed >> 31n)
}

/** What a visitor is: made of the visitor alone, so that it is the same on every day. */
function clientOf(visitor: number, seed: number): number {
  let rest = (mix32(seed + 1, visitor) >>> 0) / 0x1_0000_0000
  for (let index = 1; index < clients.length; index++) {
    rest -= clients[index]!.share
    if (rest < 0) return index
  }
  return 0
}

/** The days on which a visitor comes, perhaps twice on one. */
function lifetime(visitor: number, seed: number): number[] {
  const random = createRandom(mix32(seed + 2, visitor))
  if (clients[clientOf(visitor, seed)]!.isCrawler) return Array.from({ length: days }, (_, day) => day)
  const first = Math.floor(random() * days)
  const kind = random()
  const [visits, span] =
    kind < 0.72
      ? [1, 1]
      : kind < 0.92
        ? [2 + Math.floor(random() * 5), 28]
        : kind < 0.985
          ? [8 + Math.floor(random() * 17), 90]
          : [60 + Math.floor(random() * 90), days]
  const seen = [first]
  for (let visit = 1; visit < visits; visit++) {
    const day = first + Math.floor(random() * span)
    // Whoever comes all year began before it and goes on after it.
    if (span === days) seen.push(day % days)
    else if (day < days) seen.push(day)
  }
  return seen
}

/** All visits of the year by day: those of a day are `visitorOf[starts[day]]` and on to the next day's start. */
function visitorDays({ visitors, seed }: { visitors: number; seed: number }) {
  const starts = new Uint32Array(days + 1)
  for (let visitor = 0; visitor < visitors; visitor++) for (const day of lifetime(visitor, seed)) starts[day + 1]!++
  for (let day = 0; day < days; day++) starts[day + 1]! += starts[day]!
  const next = starts.slice()
  const visitorOf = new Uint32Array(starts[days]!)
  for (let visitor = 0; visitor < visitors; visitor++)
    for (const day of lifetime(visitor, seed)) visitorOf[next[day]!++] = visitor
  return { starts, visitorOf }
}

/** A draw from this table is a page by Zipf's law. */
function zipfTable(): Uint16Array {
  const table = new Uint16Array(1 << 18)
  const weights = paths.map((_, page) => 1 / (page + 1))
  const sum = weights.reduce((total, weight) => total + weight, 0)
  let reached = 0
  let at = 0
  for (const [page, weight] of weights.entries()) {
    reached += weight / sum
    for (; at < Math.round(reached * table.length); at++) table[at] = page
  }
  return table
}

interface Visits {
  views: number
  seed: number
  idShare: number
  visitors: number
  starts: Uint32Array
  visitorOf: Uint32Array
}

/** A day at a time. Every visit has a view, so every visitor is seen; the other views fall on visits by chance. */
function* timeOrdered({ views, seed, idShare, starts, visitorOf }: Visits): Generator<Columns> {
  const random = createRandom(mix32(seed, 3))
  const zipf = zipfTable()
  const draw = () => zipf[Math.floor(random() * zipf.length)]!
  const visitsOfYear = starts[days]!
  let event = 0
  for (let day = 0; day < days; day++) {
    const visits = starts[day + 1]! - starts[day]!
    // Cut to the whole number at the year's end, where the sum of all days is the number asked for.
    const end = Math.floor((views * starts[day + 1]!) / visitsOfYear)
    const count = end - Math.floor((views * starts[day]!) / visitsOfYear)
    const begins = Float64Array.from({ length: visits }, () => random() * dayMs)
    const rows: { visit: Uint32Array; at: Float64Array } = {
      visit: new Uint32Array(count),
      at: new Float64Array(count),
    }
    for (let row = 0; row < count; row++) {
      // Squared, so that some visits have many views and most have few.
      const visit = row < visits ? row : Math.floor(random() ** 2 * visits)
      const afterMs = row < visits ? 0 : -Math.log(1 - random()) * 600_000
      rows.visit[row] = visit
      rows.at[row] = yearStart + day * dayMs + Math.floor(Math.min(begins[visit]! + afterMs, dayMs - 1))
    }
    const columns = createColumns(count)
    for (const [at, row] of sortedRows(rows.at).entries()) {
      const visitor = visitorOf[starts[day]! + rows.visit[row]!]!
      const kind = clientOf(visitor, seed)
      // One in 300 people sometimes reads by a coding agent that looks like their browser.
      const isBoth = kind === 0 && mix32(seed + 4, visitor) % 300 === 0
      columns.at[at] = rows.at[row]!
      columns.visitor[at] = visitor
      columns.client[at] = isBoth && random() < 0.4 ? opencode : kind
      // A third of what someone reads are the few pages that they come back for.
      columns.page[at] = random() < 0.33 ? zipf[mix32(visitor, Math.floor(random() * 4)) & (zipf.length - 1)]! : draw()
      columns.referrer[at] = random() < 0.3 ? 1 + Math.floor(random() ** 3 * (referrers.length - 1)) : 0
      columns.eventId[at] = random() < idShare ? mix64(seed + 5, event) : 0n
      event++
    }
    yield columns
  }
}

/** Indexes of the times in their order. Milliseconds of a day and a row of it both fit into one exact number. */
function sortedRows(at: Float64Array): Uint32Array {
  const keys = at.map((time, row) => (time % dayMs) * 0x100_0000 + row).sort()
  return Uint32Array.from(keys, (key) => key % 0x100_0000)
}

function createColumns(rows: number): Columns {
  return {
    length: rows,
    at: new Float64Array(rows),
    visitor: new Uint32Array(rows),
    page: new Uint16Array(rows),
    client: new Uint8Array(rows),
    referrer: new Uint8Array(rows),
    eventId: new BigUint64Array(rows),
  }
}

const fields = ['at', 'visitor', 'page', 'client', 'referrer', 'eventId'] as const

/** The same rows in chunks of this many, the last one shorter. */
function* resized(chunks: Iterable<Columns>, rows: number): Generator<Columns> {
  let into = createColumns(rows)
  into.length = 0
  for (const chunk of chunks) {
    for (let from = 0; from < chunk.length; ) {
      const taken = Math.min(chunk.length - from, rows - into.length)
      for (const field of fields) into[field].set(chunk[field].subarray(from, from + taken) as never, into.length)
      into.length += taken
      from += taken
      if (into.length < rows) continue
      yield into
      into = createColumns(rows)
      into.length = 0
    }
  }
  if (into.length > 0) yield into
}

/** All rows in any order: a chunk has views of the whole year. */
function* shuffled(
  chunks: Iterable<Columns>,
  { views, seed, rows }: { views: number; seed: number; rows: number },
): Generator<Columns> {
  const [all] = [...resized(chunks, views)] as [Columns]
  const order = Uint32Array.from({ length: views }, (_, row) => row)
  const random = createRandom(mix32(seed, 6))
  for (let row = views - 1; row > 0; row--) {
    const other = Math.floor(random() * (row + 1))
    const kept = order[row]!
    order[row] = order[other]!
    order[other] = kept
  }
  for (let from = 0; from < views; from += rows) {
    const chunk = createColumns(Math.min(rows, views - from))
    for (const field of fields)
      for (let row = 0; row < chunk.length; row++) chunk[field][row] = all[field][order[from + row]!] as never
    yield chunk
  }
}
