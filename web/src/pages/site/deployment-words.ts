import type { Deployment } from '../../api/client.ts'
import type { Tone } from '../../ui/Card.tsx'

export function stateWords({ state, isLive }: Deployment): { word: string; tone: Tone; about: string } {
  if (isLive) return { word: 'Live', tone: 'good', about: 'Readers get this one.' }
  const words = {
    waiting: { word: 'Waiting', tone: 'neutral', about: 'It waits for its turn to be built.' },
    building: { word: 'Building', tone: 'accent', about: 'Its pages are being made. Readers keep what they had.' },
    ready: { word: 'Earlier', tone: 'neutral', about: 'It was live before, and can be restored.' },
    failed: { word: 'Failed', tone: 'danger', about: 'It could not be published. Readers keep what they had.' },
  } as const
  return words[state]
}

/** Why it was made and, where a person asked for it, who that was. */
export function reasonWords({ reason, by }: Deployment): string {
  const whom = by === null ? '' : `, by ${by}`
  return {
    first: 'The first one',
    push: 'After a push',
    poll: 'The branch had moved',
    manual: `By hand${whom}`,
    return: `Return to an earlier one${whom}`,
    settings: 'The project’s source changed',
  }[reason]
}

/** `2 added, 1 changed`: pages that differ from what was live before. */
export function changeWords({ added, changed, removed }: Deployment['changes']): string {
  const parts = Object.entries({ added, changed, removed }).filter(([, count]) => count > 0)
  return parts.length === 0 ? 'No page changed' : parts.map(([what, count]) => `${count} ${what}`).join(', ')
}

export function countWords(count: number, thing: string): string {
  return `${count} ${count === 1 ? thing : `${thing}s`}`
}

export function shortCommit(commit: string | null): string {
  return commit === null ? 'no commit' : commit.slice(0, 10)
}
