import { type LogFormat, presentOrNull } from '../log-entry.ts'
import { parseLogTime } from '../log-time.ts'

// The order since 2014, for files whose head was cut off; newer fields come after these.
const usualFields =
  'date time x-edge-location sc-bytes c-ip cs-method cs(Host) cs-uri-stem sc-status cs(Referer) cs(User-Agent) cs-uri-query'

/** CloudFront's standard logs: `#Fields:` names the columns, tabs separate them, texts are percent-encoded. */
export const cloudfront: LogFormat = {
  name: 'cloudfront',
  about: 'CloudFront standard logs',
  open() {
    let columns = columnsOf(usualFields)
    let last = { text: '', at: null as number | null }
    return (line) => {
      if (line.startsWith('#')) {
        if (line.startsWith('#Fields:')) columns = columnsOf(line.slice('#Fields:'.length).trim())
        return 'comment'
      }
      const cells = line.split('\t')
      const cell = (name: string) => presentOrNull(cells[columns.get(name) ?? -1] ?? '-')
      const [target, method] = [cell('cs-uri-stem'), cell('cs-method')]
      const status = Number(cell('sc-status'))
      const text = `${cell('date')} ${cell('time')}`
      if (text !== last.text) last = { text, at: parseLogTime(text) }
      if (last.at === null || target === null || method === null || !Number.isInteger(status)) return null
      return {
        at: last.at,
        method,
        target,
        // 000: the client went away before it was answered.
        status,
        address: cell('c-ip'),
        userAgent: decoded(cell('cs(User-Agent)')),
        referrer: decoded(cell('cs(Referer)')),
        host: cell('x-host-header') ?? cell('cs(Host)'),
        ...(columns.has('x-forwarded-for') ? { forwardedFor: decoded(cell('x-forwarded-for')) } : {}),
        ...(columns.has('sc-content-type') ? { contentType: decoded(cell('sc-content-type')) } : {}),
      }
    }
  },
}

function columnsOf(fields: string): Map<string, number> {
  return new Map(fields.split(/\s+/).map((name, index) => [name, index]))
}

/** CloudFront encodes some texts twice: a space is `%2520` there. */
function decoded(text: string | null): string | null {
  if (text === null || !text.includes('%')) return text
  const once = percentDecoded(text)
  return /%[0-9A-Fa-f]{2}/.test(once) ? percentDecoded(once) : once
}

function percentDecoded(text: string): string {
  return text.replace(/(?:%[0-9A-Fa-f]{2})+/g, (run) => Buffer.from(run.replaceAll('%', ''), 'hex').toString('utf8'))
}
