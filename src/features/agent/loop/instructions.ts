import { readFileSync } from 'node:fs'

let text: string | undefined

/** The system prompt, which stands in a file of its own. */
export function instructions(): string {
  text ??= readFileSync(new URL('../prompts/system.md', import.meta.url), 'utf8').trim()
  return text
}
