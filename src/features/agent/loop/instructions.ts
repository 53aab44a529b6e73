import { readFileSync } from 'node:fs'

/** The system prompt, which stands in a file of its own. */
export const instructions = readFileSync(new URL('../prompts/system.md', import.meta.url), 'utf8').trim()
