import { DocentError } from '#base/errors.ts'
import { oneLine } from '#base/one-line.ts'
import { type ImportTarget, importLog } from '#features/analytics/imports/import-log.ts'
import { createLineIdThread } from '#features/analytics/imports/line-id-thread.ts'
import { type FieldName, fieldNames } from '#features/analytics/imports/log-entry.ts'
import { isFormatName, logFormats } from '#features/analytics/imports/log-formats.ts'
import { type LogSource, openLogFile, streamSource } from '#features/analytics/imports/log-source.ts'
import { parseLogTime } from '#features/analytics/imports/log-time.ts'
import type { ImportPosition, ImportResult } from '#features/analytics/imports/schema.ts'
import { type Client, createClient, serverOptions } from './client.ts'
import { defineCommand } from './command.ts'
import { findProjectId, projectOption } from './find-project.ts'
import { createImportProgress } from './import-progress.ts'
import { type LogReport, renderReport, reportOf, reportOfUnread } from './import-report.ts'

/** Where a request that names another address comes from: proxies of one's own. */
const privateNetworks = ['127.0.0.0/8', '10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '::1/128', 'fc00::/7']

export const analyticsImport = defineCommand({
  name: 'analytics import',
  about:
    'Counts the views in access logs. Reads files of nginx, Apache, Caddy, Traefik, CloudFront and Cloudflare, plain or\ncompressed with gzip or zstd. A log that is imported again, or has grown since, counts every view once.',
  args: [{ name: 'file', about: 'Log files; - is standard input.', many: true }],
  options: {
    format: {
      type: 'string',
      value: 'name',
      about: `${Object.keys(logFormats).join(', ')}. Told by the first lines by default.`,
    },
    map: {
      type: 'string',
      value: 'field=name,…',
      about: `Where JSON lines have what, such as path=request.uri,ip=client. Fields: ${fieldNames.join(', ')}.`,
    },
    host: { type: 'string', value: 'name', about: 'Only requests for this host, where one log has several.' },
    since: { type: 'string', value: 'time', about: 'Only requests from then on, such as 2026-01-31 or with a time.' },
    until: { type: 'string', value: 'time', about: 'Only requests before then.' },
    'trusted-proxy': {
      type: 'string',
      value: 'network',
      about: 'Proxy whose X-Forwarded-For counts, beside private networks.',
      multiple: true,
    },
    'from-start': { type: 'boolean', about: 'Read all, not only what is new since the last import.' },
    final: { type: 'boolean', about: 'Count a last line without an end: nothing more will be written to it.' },
    'dry-run': { type: 'boolean', about: 'Only read and report; needs no server.' },
    ...projectOption,
    ...serverOptions,
  },
  examples: [
    'docent analytics import --project docs /var/log/nginx/access.log',
    'docent analytics import access.log.*.gz',
    'docent analytics import --map path=http.path,ip=client,time=at --dry-run requests.jsonl',
    'zcat old.gz | docent analytics import -',
  ],
  async run(input) {
    const { options, args, output } = input
    const isDryRun = options['dry-run']
    const fields = parseMap(options.map)
    const settings = {
      format: formatOf(options.format),
      fields,
      filter: {
        host: options.host ?? null,
        since: timeOf('since', options.since),
        until: timeOf('until', options.until),
        trustedProxies: [...privateNetworks, ...options['trusted-proxy']],
      },
      fromStart: options['from-start'],
      isFinal: options.final,
    }
    // All of them before any: a typing error in the last name should not be told after an hour.
    const sources = await Promise.all(args.map((path) => sourceOf(path)))
    const target = isDryRun ? null : await targetOf(createClient(input), options.project)
    await using idThread = createLineIdThread()
    const progress = createImportProgress(process.stderr)
    const reports: LogReport[] = []
    for (const source of sources) {
      progress.start(source)
      const startedAt = performance.now()
      try {
        const log = await importLog(source, {
          ...settings,
          target,
          idThread,
          onProgress: ({ lines }) => progress.show(lines),
          onRetry: ({ message }) => {
            progress.clear()
            output.note(`${message} Trying again.`)
          },
        }).finally(progress.clear)
        reports.push(reportOf(log, { isDryRun, seconds: (performance.now() - startedAt) / 1000 }))
      } catch (error) {
        // One that is no log among several keeps none of the others out.
        if (sources.length === 1 || !isNoLog(error)) throw error
        reports.push(reportOfUnread(source.name, error))
      }
    }
    const text = reports.map((report) => renderReport(report, { isDryRun })).join('\n')
    output.result({ dryRun: isDryRun, logs: reports }, text)
    const failed = reports.filter(hasFailed)
    if (failed.length === 0) return 0
    // To standard error, so that cron, which throws the report away, still says so.
    output.note(`Not read, or not to the end: ${failed.map(({ file }) => oneLine(file, 200)).join(', ')}`)
    return 1
  },
})

/** Damaged, or full of lines of which none could be read. */
function hasFailed({ error, lines, skipped }: LogReport): boolean {
  return error !== null || (lines > 0 && (skipped['not understood'] ?? 0) + (skipped['too long'] ?? 0) === lines)
}

function isNoLog(error: unknown): error is DocentError {
  return error instanceof DocentError && ['import.unknown_format', 'import.damaged'].includes(error.code)
}

async function sourceOf(path: string): Promise<LogSource> {
  return path === '-' ? streamSource(process.stdin, 'standard input') : await openLogFile(path)
}

async function targetOf(client: Client, project: string | undefined): Promise<ImportTarget> {
  const address = `/v1/analytics/${encodeURIComponent(await findProjectId(client, project))}/imports`
  return {
    async findPosition(fingerprint) {
      try {
        return await client.call<ImportPosition>('GET', `${address}/${fingerprint}`)
      } catch (error) {
        if (error instanceof DocentError && error.code === 'import.not_found') return null
        throw error
      }
    },
    send: (batch) => client.call<ImportResult>('POST', address, batch),
  }
}

function formatOf(name: string | undefined) {
  if (name === undefined) return null
  if (isFormatName(name)) return logFormats[name]
  throw usage(`--format: expected ${Object.keys(logFormats).join(', ')}, found ${JSON.stringify(name)}.`)
}

function timeOf(option: string, text: string | undefined): number | null {
  if (text === undefined) return null
  const at = parseLogTime(/^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00:00Z` : text)
  if (at !== null) return at
  throw usage(
    `--${option}: expected a date or time such as 2026-01-31 or 2026-01-31T12:00:00Z, found ${JSON.stringify(text)}.`,
  )
}

function parseMap(text: string | undefined): Map<FieldName, string> {
  const fields = new Map<FieldName, string>()
  for (const pair of text?.split(',') ?? []) {
    const [name = '', ...rest] = pair.split('=')
    const place = rest.join('=').trim()
    const field = fieldNames.find((known) => known === name.trim())
    if (field === undefined || place === '') {
      throw usage(`--map: expected field=name with a field of ${fieldNames.join(', ')}, found ${JSON.stringify(pair)}.`)
    }
    fields.set(field, place)
  }
  return fields
}

function usage(message: string): DocentError {
  return new DocentError('invalid', 'cli.usage', `${message}\nSee: docent analytics import --help`)
}
