import { counted } from '#base/counted.ts'
import type { DocentError } from '#base/errors.ts'
import { oneLine } from '#base/one-line.ts'
import type { ImportedLog } from '#features/analytics/imports/import-log.ts'
import { durationOf } from './import-progress.ts'

/** What the server calls it, in the words of our own reasons. */
const serverReasons: Record<string, string> = { notPage: 'not a page', noVisitor: 'no address' }

/** What became of one log, for programs. */
export interface LogReport {
  file: string
  format: string
  lines: number
  linesBefore: number
  views: number
  skipped: Record<string, number>
  notUnderstood: { line: number; text: string }[]
  position: number
  unfinishedLine: boolean
  error: string | null
  seconds: number
  linesPerSecond: number
}

export function reportOf(log: ImportedLog, { isDryRun, seconds }: { isDryRun: boolean; seconds: number }): LogReport {
  const { name, format, linesBefore, tally, result, position, fault } = log
  const skipped: Record<string, number> = Object.fromEntries(tally.skipped)
  for (const [reason, count] of Object.entries(result.skipped)) {
    const said = serverReasons[reason] ?? reason
    skipped[said] = (skipped[said] ?? 0) + count
  }
  return {
    file: name,
    format,
    lines: tally.lines,
    linesBefore,
    views: isDryRun ? tally.views : result.accepted,
    skipped,
    notUnderstood: tally.examples,
    position,
    unfinishedLine: tally.isUnfinished,
    error: fault?.message ?? null,
    seconds: Math.round(seconds * 1000) / 1000,
    linesPerSecond: Math.round(tally.lines / Math.max(seconds, 0.001)),
  }
}

/** Of a file that turned out to be no log. */
export function reportOfUnread(file: string, error: DocentError): LogReport {
  const nothing = { lines: 0, linesBefore: 0, views: 0, skipped: {}, notUnderstood: [], position: 0 }
  return {
    file,
    format: 'unknown',
    ...nothing,
    unfinishedLine: false,
    error: error.message,
    seconds: 0,
    linesPerSecond: 0,
  }
}

/** The same for people. */
export function renderReport(report: LogReport, { isDryRun }: { isDryRun: boolean }): string {
  const { format, lines, linesBefore, views, notUnderstood, unfinishedLine, error } = report
  const file = oneLine(report.file, 200)
  if (format === 'unknown') return `${file}: not read. ${error}`
  if (format === 'empty') return `${file}: there is nothing in it yet.`
  const before = `${number(linesBefore, 'line')} had been read by an earlier import; --from-start reads all`
  const isNothingNew = lines === 0 && linesBefore > 0
  const text = [
    `${file} (${format}): ${isNothingNew ? `nothing new. ${before}` : `${number(lines, 'line')} read${speedOf(report)}`}.`,
  ]
  if (!isNothingNew) {
    if (linesBefore > 0) text.push(`  Before them, ${before}.`)
    // Views, not numbers of a report: those of bots are kept too, and what was imported before is there once.
    text.push(
      `  ${number(views, 'view')} ${isDryRun ? 'would be taken in' : 'taken in; what was there already counts once'}.`,
    )
  }
  const skipped = Object.entries(report.skipped).sort(([, a], [, b]) => b - a)
  if (skipped.length > 0) text.push('  Skipped:')
  for (const [reason, count] of skipped) text.push(`    ${count.toLocaleString('en').padStart(11)}  ${reason}`)
  for (const { line, text: excerpt } of notUnderstood) text.push(`    line ${line}: ${excerpt}`)
  if (unfinishedLine) text.push('  The last line has no end yet and was left for next time; --final counts it now.')
  if (error !== null) text.push(`  Stopped early: ${error}`)
  return text.join('\n')
}

/** Of a short one it says nothing. */
function speedOf({ seconds, linesPerSecond }: LogReport): string {
  return seconds < 1 ? '' : ` in ${durationOf(seconds)}, ${linesPerSecond.toLocaleString('en')} lines/s`
}

function number(count: number, noun: string): string {
  return counted(count, noun).replace(String(count), count.toLocaleString('en'))
}
