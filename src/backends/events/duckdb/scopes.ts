import type { AiScope } from '../event-store.ts'
import type { Measure } from './cells.ts'

/** The columns of `cells` and the test of a class, by what counts as AI. */
export interface Scope {
  ai: Measure
  total: Measure
  aiViews: string
  isAi: string
  isCounted: string
}

export const scopes: Record<AiScope, Scope> = {
  all: { ai: 'ai', total: 'total', aiViews: 'ai_views', isAi: 'class >= 2', isCounted: 'class > 0' },
  direct: {
    ai: 'direct',
    total: 'total_direct',
    aiViews: 'direct_views',
    isAi: 'class = 2',
    isCounted: 'class between 1 and 2',
  },
}
