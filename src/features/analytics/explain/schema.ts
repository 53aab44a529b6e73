import { isIP } from 'node:net'
import { z } from 'zod'
import { categories, verifications } from '#backends/events/view.ts'
import { ProjectId } from '#infra/http/schema.ts'
import { eventLimits } from '../intake/event-schema.ts'

const header = (about: string) =>
  z
    .string()
    .max(eventLimits.text, `expected at most ${eventLimits.text} characters`)
    .nullish()
    .meta({
      description: `${about} Left out: not known. Null or empty: it was not sent.`,
    })

export const ExplainParams = z.object({ projectId: ProjectId })

/** A request to be classed. */
export const ExplainedRequest = z
  .object({
    userAgent: header('The User-Agent header.'),
    accept: header('The Accept header.'),
    acceptLanguage: header('The Accept-Language header.'),
    ip: z
      .string()
      .max(64)
      .refine((address) => isIP(address) !== 0, 'expected an IPv4 or IPv6 address')
      .nullish()
      .meta({ description: 'The client’s address, which is looked at and not kept.', examples: ['203.0.113.9'] }),
    path: z
      .string()
      .max(eventLimits.text, `expected at most ${eventLimits.text} characters`)
      .regex(/^\//, 'expected a path that starts with /')
      .nullish()
      .meta({ description: 'Path of the page, for rules of the project. Default `/`.', examples: ['/guides/install'] }),
  })
  .meta({ examples: [{ userAgent: 'axios/1.8.4', accept: 'text/markdown, text/html, */*' }] })
export type ExplainedRequest = z.output<typeof ExplainedRequest>

export const Explanation = z
  .object({
    category: z.enum(categories),
    client: z.string().nullable().meta({ description: 'Name of the client; null where there is none to tell.' }),
    reason: z.string().meta({ description: 'The rule that decided, in words.' }),
    verification: z.enum(verifications).meta({
      description:
        '`verified` by a signature or a published address, `claimed` by the user agent alone, `spoofed` when its address is not one that the named operator publishes.',
    }),
    listVersion: z.string().meta({ description: 'Of the lists that decided.' }),
    countsAs: z.enum(['human', 'ai']).nullable().meta({ description: 'What it counts as in reports; null: nowhere.' }),
    rules: z
      .array(
        z.object({
          rule: z.string().meta({ description: 'Name of the rule.' }),
          category: z.enum(categories).nullable().meta({ description: 'Its verdict; null where it has none.' }),
          says: z.string().meta({ description: 'Why it says so, or why it has nothing to say.' }),
          decides: z.boolean().meta({ description: 'Whether it is the first with a verdict.' }),
        }),
      )
      .meta({ description: 'Every rule in its order.' }),
  })
  .meta({ id: 'Explanation' })
export type Explanation = z.output<typeof Explanation>
