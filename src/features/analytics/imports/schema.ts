import { z } from 'zod'
import { timeBounds } from '#backends/events/view.ts'
import { ProjectId, plainText } from '#infra/http/schema.ts'
import { idLength, mostRows, mostTextLength, mostTexts } from './batch-limits.ts'

/**
 * A column of whole numbers. Checked by hand: these are a hundred thousand a batch, and zod takes its time over each.
 */
function column({ min, max, most, about }: { min: number; max: number; most: number; about: string }) {
  const isColumn = (value: unknown): value is number[] => {
    if (!Array.isArray(value) || value.length > most) return false
    for (const item of value) if (!Number.isInteger(item) || item < min || item > max) return false
    return true
  }
  return z
    .custom<number[]>(isColumn, `expected at most ${most} whole numbers from ${min} to ${max}`)
    .meta({ type: 'array', items: { type: 'integer', minimum: min, maximum: max }, maxItems: most, description: about })
}

const textIndex = (about: string) =>
  column({
    min: -1,
    max: mostTexts - 1,
    most: mostRows,
    about: `${about} Indexes into \`texts\`; -1: the request had none.`,
  })

const headerIndex = (name: string) =>
  column({
    min: -2,
    max: mostTexts - 1,
    most: mostRows,
    about: `Their \`${name}\` headers. Indexes into \`texts\`; -1: the request had none; -2, or no column: the log does not tell.`,
  }).optional()

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) &&
  value.length <= mostTexts &&
  value.every((text) => typeof text === 'string' && text.length <= mostTextLength && text.isWellFormed())

/** Views as columns, each distinct text and client once. */
export const ImportedViews = z.object({
  texts: z
    .custom<string[]>(isTexts, `expected at most ${mostTexts} texts of at most ${mostTextLength} characters`)
    .meta({
      type: 'array',
      items: { type: 'string', maxLength: mostTextLength },
      maxItems: mostTexts,
      description: 'Every address, user agent, path and referrer of this batch, each once.',
    }),
  clients: z
    .object({
      address: textIndex('Where requests came from.'),
      userAgent: textIndex('Their user agents.'),
      accept: headerIndex('Accept'),
      acceptLanguage: headerIndex('Accept-Language'),
    })
    .meta({ description: 'Columns of equal length, a place for each distinct client.' }),
  views: z
    .object({
      at: column({
        min: timeBounds.from,
        max: timeBounds.to - 1,
        most: mostRows,
        about: 'Milliseconds since 1970.',
      }),
      client: column({ min: 0, max: mostRows - 1, most: mostRows, about: 'Indexes into the columns of `clients`.' }),
      path: textIndex('Paths as they were asked for.'),
      referrer: textIndex('Referrers.'),
      id: z
        .string()
        .regex(/^[0-9a-f]*$/, 'expected hexadecimal digits')
        .max(idLength * mostRows, `expected at most ${idLength * mostRows} hexadecimal digits`)
        .meta({
          description: `${idLength} hexadecimal digits for each view: of views with the same id, one is counted.`,
        }),
    })
    .meta({ description: 'Columns of equal length, a place for each view.' }),
})
export type ImportedViews = z.output<typeof ImportedViews>

const Fingerprint = z
  .string()
  .regex(/^[0-9a-f]{64}$/, 'expected 64 hexadecimal digits')
  .meta({ description: 'What tells this log from others, chosen by the caller, such as a digest of its beginning.' })

const ImportPositionFields = {
  fingerprint: Fingerprint,
  position: z.int().min(0).meta({ description: 'Bytes of the log, uncompressed, that are in.' }),
  lines: z.int().min(0).meta({ description: 'Lines of it that were read.' }),
  checkpoint: z
    .string()
    .regex(/^[0-9a-f]{16}$/, 'expected 16 hexadecimal digits')
    .meta({
      description: 'What the log must show before that position to be the same one, such as a digest of a line.',
    }),
}

export const NewImport = ImportedViews.extend({
  log: z
    .object({
      ...ImportPositionFields,
      name: plainText({ min: 1, max: 200 }).meta({ description: 'For people.', examples: ['access.log'] }),
    })
    .meta({
      description:
        'How far all of the log is in once this batch is. Who sends several batches at once says how far it was before them.',
    }),
})
export type NewImport = z.output<typeof NewImport>

export const ImportResult = z
  .object({
    accepted: z.int().meta({ description: 'Views that are counted, those included that were counted before.' }),
    skipped: z.record(z.string(), z.int()).meta({ description: 'How many were not, by reason.' }),
  })
  .meta({ id: 'ImportResult' })
export type ImportResult = z.output<typeof ImportResult>

export const ImportPosition = z.object(ImportPositionFields).meta({ id: 'ImportPosition' })
export type ImportPosition = z.output<typeof ImportPosition>

export const ProjectParams = z.object({ projectId: ProjectId })
export const ImportParams = ProjectParams.extend({ fingerprint: z.string() })
