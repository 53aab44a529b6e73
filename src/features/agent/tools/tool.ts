import type { z } from 'zod'
import type { PageCache } from '#features/content/service.ts'
import type { AgentRun } from '../agent-run.ts'
import type { FileMemory } from './file-memory.ts'

/** Something that a model can call. It reaches the tree of its run and nothing else: no network, no shell, no disk. */
export interface AgentTool<Input = never> {
  name: string
  /** For the model: when to use it and what it gives back. Short, as every request carries it. */
  description: string
  input: z.ZodType<Input>
  /** Whether it can change files: then what it did is measured against the budgets, and undone when it is too much. */
  writes: boolean
  /** Throws `DocentError`: the message is what the model reads, so it says what to do instead. */
  run(input: Input, context: ToolContext): Promise<ToolResult>
}

export interface ToolContext {
  run: Pick<AgentRun, 'tree' | 'check' | 'report' | 'signal' | 'budgets'>
  memory: FileMemory
  /** What is known of pages that were parsed before. */
  pageCache: PageCache
  /** How often `finish` was refused so far. */
  refusals: number
}

export interface ToolResult {
  /** What the model reads. */
  text: string
  /** What a person who watches reads: one line, with paths and numbers but nothing that files say. Null: nothing. */
  progress: string | null
  /** Set by `finish` alone. */
  outcome?: { title: string; summary: string }
  refused?: true
}

/** Keeps the input's type known inside of a tool, and lets the list hold tools of all inputs. */
export function defineTool<Input>(tool: AgentTool<Input>): AgentTool {
  return tool as unknown as AgentTool
}
