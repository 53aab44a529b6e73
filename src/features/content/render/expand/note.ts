import type { ComponentNode } from '../component.ts'

/** The name of the component that stands where something could not be shown. No author can write it. */
export const noteName = ' note'

export interface NoteInput {
  message: string
  /** What is written there, to be shown instead. */
  code?: string
  isInline: boolean
  from: string
  line: number | null
}

export function createNote({ message, code, isInline, from, line }: NoteInput): ComponentNode {
  const props: ComponentNode['props'] = code === undefined ? { message } : { message, code }
  return { type: 'component', name: noteName, props, children: [], isInline, from, line }
}
