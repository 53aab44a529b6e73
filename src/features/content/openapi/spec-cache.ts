import { readSpecDocument, type SpecDocument } from './spec-document.ts'

// Pages are asked for in any order, but mostly of one site: each of its pages is about one of few specifications.
const mostKept = 4
const kept = new Map<string, SpecDocument | null>()

/** A specification that is read once for many pages. Two with the same id have the same text. */
export function openSpec({ id, text }: { id: string; text: string }): SpecDocument | null {
  const key = `${id} ${text.length}`
  const document = kept.has(key) ? kept.get(key)! : readSpecDocument(text)
  // The one used last goes last.
  kept.delete(key)
  kept.set(key, document)
  if (kept.size > mostKept) for (const oldest of [...kept.keys()].slice(0, -mostKept)) kept.delete(oldest)
  return document
}
