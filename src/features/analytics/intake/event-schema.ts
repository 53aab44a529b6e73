import { isIP } from 'node:net'
import { z } from 'zod'
import { categories } from '#backends/events/view.ts'
import { ProjectId } from '#infra/http/schema.ts'

/** What both the description of the API and the check itself (read-events.ts) keep to. */
export const eventLimits = { events: 5000, text: 8192, id: 256, earliest: Date.UTC(2000, 0, 1), aheadMs: 86_400_000 }

const text = (max: number, about: string) => z.string().max(max).nullish().meta({ description: about })
const id = (about: string) => z.string().min(1).max(eventLimits.id).nullish().meta({ description: about })

export const PageEvent = z
  .object({
    timestamp: z.iso
      .datetime({ offset: true })
      .nullish()
      .meta({
        description:
          'When: ISO 8601 with an offset. Not before 2000 and at most a day ahead of the server’s clock. Left out: now.',
        examples: ['2026-11-15T08:30:00Z'],
      }),
    path: z
      .string()
      .min(1)
      .max(eventLimits.text)
      .meta({ description: 'The page as it was asked for: a path or a full URL.', examples: ['/guides/install'] }),
    visitorId: id('Your own id for the visitor, of which nothing can be read back from what is kept.'),
    ip: z
      .string()
      .max(64)
      .refine((address) => isIP(address) !== 0)
      .nullish()
      .meta({ description: 'The visitor’s address, which is never kept.', examples: ['203.0.113.9'] }),
    userAgent: text(eventLimits.text, 'The visitor’s User-Agent header.'),
    referrer: text(eventLimits.text, 'The visitor’s Referer header; only origin and path are kept.'),
    accept: text(
      eventLimits.text,
      'The visitor’s Accept header. Null says that there was none; left out, that you do not know.',
    ),
    category: z
      .enum(categories)
      .nullish()
      .meta({ description: 'Who it is, where you know better than the classifier.' }),
    id: id('Your own id for this view. Of several views with the same one, the first counts.'),
  })
  .refine((event) => event.visitorId != null || event.ip != null, {
    path: ['ip'],
    // Beside other faults too, as the check itself does.
    when: ({ value }) => typeof value === 'object' && value !== null && !Array.isArray(value),
  })
  .meta({
    id: 'PageEvent',
    description: 'One view of a page. It needs a `visitorId` or an `ip`.',
    // Whole, as one made of an example of each field would say who it is in three ways at once.
    examples: [
      {
        id: 'view-1',
        path: '/guides/install',
        ip: '203.0.113.9',
        userAgent: 'claude-code/2.0.1',
        accept: 'text/markdown, text/html, */*',
      },
    ],
  })

export const EventBatch = z.object({ events: z.array(PageEvent).min(1).max(eventLimits.events) })

export const EventsTaken = z.object({
  accepted: z.int().meta({ description: 'How many are views, and now durable.' }),
  skipped: z
    .object({
      notPage: z.int().optional().meta({ description: 'Not the path of a page: an image, a script, a feed.' }),
      prefetch: z.int().optional(),
      noVisitor: z.int().optional(),
    })
    .meta({ description: 'How many are no views, by reason; only reasons that occurred.' }),
})

export const EventParams = z.object({ projectId: ProjectId })
