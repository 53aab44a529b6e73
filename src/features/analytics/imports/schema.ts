import { z } from 'zod'
import { ProjectId, plainText } from '#infra/http/schema.ts'
import { mostRows, mostTextLength, mostTexts } from './batch-limits.ts'

/** A column of whole numbers. What is in it is checked by `readColumns`: a hundred thousand a batch are too many for zod. */
function column({ bits, most, about }: { bits: 32 | 64; most: number; about: string }) {
  const mostCharacters = 4 * Math.ceil((most * bits) / 8 / 3)
  const sign = bits === 32 ? 'signed' : 'unsigned'
  return z
    .string()
    .max(mostCharacters, `expected at most ${most} numbers of ${bits} bits`)
    .meta({
      contentEncoding: 'base64',
      description: `${about} Base64 of ${sign} integers of ${bits} bits, the lowest byte first.`,
    })
}

const textIndex = (about: string) =>
  column({ bits: 32, most: mostRows, about: `${about} Indexes into \`texts\`; -1: the request had none.` })

const headerIndex = (name: string) =>
  column({
    bits: 32,
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
      at: column({ bits: 64, most: mostRows, about: 'Milliseconds since 1970, from 1970-01-02 to 2149-06-06.' }),
      client: column({ bits: 32, most: mostRows, about: 'Indexes into the columns of `clients`.' }),
      path: column({
        bits: 32,
        most: mostRows,
        about: 'Paths as they were asked for. Indexes into `texts`.',
      }),
      referrer: textIndex('Referrers.'),
      id: column({ bits: 64, most: mostRows, about: 'Of views with the same id, one is counted.' }),
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
