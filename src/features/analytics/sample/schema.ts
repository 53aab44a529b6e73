import { z } from 'zod'
import { ProjectId } from '#infra/http/schema.ts'

export const SampleParams = z.object({ projectId: ProjectId })

export const SampleAdded = z.object({
  views: z.int().meta({ description: 'Made-up views of the last 30 days, those included that were there before.' }),
  visitors: z.int().meta({ description: 'By how many made-up visitors, those included that count nowhere.' }),
})
export type SampleAdded = z.output<typeof SampleAdded>

export const SampleRemoved = z.object({ views: z.int().meta({ description: 'How many views were deleted.' }) })
export type SampleRemoved = z.output<typeof SampleRemoved>
