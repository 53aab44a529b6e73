import { builtinEditor } from './editor-forms.ts'
import type { JobEvent } from './job-events.ts'

export type StepLook = 'doing' | 'good' | 'bad' | 'warn' | 'asked'

export interface StepWords {
  look: StepLook
  words: string
}

/** What an event means, for somebody who does not know how Docent works inside. */
export function stepWords(event: JobEvent): StepWords {
  const words = wordsOf[event.type]
  return words ? words(event) : { look: 'doing', words: event.text }
}

const wordsOf: Record<string, (event: JobEvent) => StepWords> = {
  queued: ({ text }) => ({ look: 'asked', words: text }),
  preparing: () => ({ look: 'doing', words: 'Getting the newest version of the docs' }),
  working: ({ model, text }) => {
    const who = model === builtinEditor ? 'The built-in editor' : (model ?? 'The agent')
    return { look: 'doing', words: text === 'Going on' ? `${who} goes on where it was` : `${who} starts working` }
  },
  tool: ({ ok, text, tool }) =>
    ok === false
      ? { look: 'warn', words: / did not work \(.+\)$/.test(text) ? `Tried to ${tool}, which did not work` : text }
      : { look: 'doing', words: text },
  check: ({ introduced = 0, text }) =>
    introduced === 0
      ? { look: 'good', words: 'Checked the pages: this change breaks nothing' }
      : { look: 'warn', words: text },
  publishing: ({ step, text }) => ({ look: 'doing', words: publishingWords[step ?? ''] ?? text }),
  retrying: ({ text }) => ({ look: 'warn', words: text }),
  completed: ({ text }) => ({
    look: 'good',
    words: text.startsWith('Pull request ') ? 'Done: the pull request is open' : 'Done: there was nothing to change',
  }),
  failed: () => ({ look: 'bad', words: 'Failed' }),
  archived: () => ({ look: 'bad', words: 'Archived: no more work on this job' }),
}

const publishingWords: Record<string, string> = {
  push: 'Pushing the change to a branch of its own',
  'pull-request': 'Opening the pull request',
  'read-back': 'Making sure that the pull request is there',
}

/** `4.2 s`, `3 min 20 s`, `2 h 5 min`. */
export function durationWords(milliseconds: number): string {
  const seconds = Math.max(0, milliseconds) / 1000
  return seconds < 10 ? `${seconds.toFixed(1)} s` : wholeSeconds(milliseconds)
}

/** The same for what ticks: `4 s`. */
export function wholeSeconds(milliseconds: number): string {
  const seconds = Math.max(0, milliseconds) / 1000
  if (seconds < 60) return `${Math.floor(seconds)} s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return `${minutes} min ${Math.floor(seconds % 60)} s`
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}
