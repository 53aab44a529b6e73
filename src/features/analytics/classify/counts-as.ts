import type { AiScope } from '#backends/events/event-store.ts'
import { aiCategories, type Category, directAiCategories } from '#backends/events/view.ts'

/** What a category is counted as by a project's setting; null: nowhere. */
export function countsAs(category: Category, scope: AiScope): 'human' | 'ai' | null {
  if (category === 'human') return 'human'
  const counted: readonly Category[] = scope === 'direct' ? directAiCategories : aiCategories
  return counted.includes(category) ? 'ai' : null
}
