import { readdirSync, readFileSync } from 'node:fs'

/** Ids of the processes that have this text in their command line or environment, as Linux tells them. */
export function processesWith(text: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => ['cmdline', 'environ'].some((file) => textOf(`/proc/${pid}/${file}`).includes(text)))
    .map(Number)
}

/** Without the NULs that stand between words. What ended meanwhile says nothing. */
function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8').replaceAll('\0', ' ')
  } catch {
    return ''
  }
}
