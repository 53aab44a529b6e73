import { z } from 'zod'
import { closest } from '#base/closest.ts'
import { DocentError } from '#base/errors.ts'
import type { FileChange } from '#infra/files/editable-tree.ts'
import type { WorkingTree } from '../agent-run.ts'
import { measureChanges } from '../change-size.ts'
import { lenientInput, toolNamed } from './lenient-call.ts'
import { parseLooseObject } from './loose-json.ts'
import type { AgentTool, ToolContext, ToolResult } from './tool.ts'

export interface ToolCall {
  name: string
  input: unknown
  /** What was wrong with how the model wrote it, when nothing could be made of it. */
  fault: string | null
}

export interface ToolAnswer extends ToolResult {
  ok: boolean
  /** Whether files differ from before the call. */
  changed: boolean
}

export interface ToolRunner {
  /** Never throws but for what ends the whole run: an abort, or a fault of ours. */
  call(call: ToolCall, context: ToolContext): Promise<ToolAnswer>
}

export function createToolRunner(tools: AgentTool[]): ToolRunner {
  const byName = new Map(tools.map((tool) => [tool.name, tool]))
  const sizes = new Map<string, number>()

  async function runTool(call: ToolCall, context: ToolContext): Promise<ToolResult> {
    const tool = toolNamed(byName, call.name)
    if (!tool) throw unknownTool(call.name, byName.keys())
    if (call.fault !== null) throw badInput(tool, call.fault)
    const written = parseLooseObject(call.input)
    const input = tool.input.safeParse(
      written === null ? call.input : lenientInput(tool.name, inputSchema(tool), written),
    )
    if (!input.success)
      throw badInput(tool, z.prettifyError(input.error).replaceAll('✖ ', '').replaceAll('\n  → at', ' at'))
    if (!tool.writes) return await tool.run(input.data as never, context)
    const { tree } = context.run
    const before = tree.changes()
    try {
      const result = await tool.run(input.data as never, context)
      demandOpen(tree, before)
      await demandWithinBudgets(context, sizes)
      return result
    } catch (thrown) {
      await restore(tree, before)
      throw thrown
    }
  }

  return {
    async call(call, context) {
      const { tree, signal } = context.run
      signal.throwIfAborted()
      const before = tree.changes()
      try {
        const result = await runTool(call, context)
        return { ...result, ok: result.refused !== true, changed: differs(before, tree.changes()) }
      } catch (thrown) {
        signal.throwIfAborted()
        // What we foresaw teaches the model; what we did not is ours to mend, and its text may say too much.
        if (!(thrown instanceof DocentError) || thrown.kind === 'internal' || thrown.kind === 'unavailable')
          throw thrown
        return {
          text: `Error: ${thrown.message}`,
          progress: `${call.name.slice(0, 40)} did not work (${thrown.code})`,
          ok: false,
          changed: false,
        }
      }
    },
  }
}

function unknownTool(name: string, known: Iterable<string>): DocentError {
  const names = [...known]
  const meant = closest(name, names)
  const help = meant === null ? '' : ` Did you mean ${meant}?`
  const message = `There is no tool ${JSON.stringify(name.slice(0, 60))}.${help} The tools are ${names.join(', ')}.`
  return new DocentError('not_found', 'tool.unknown', message)
}

function badInput(tool: AgentTool, fault: string): DocentError {
  const schema = JSON.stringify(inputSchema(tool))
  return new DocentError('invalid', 'tool.bad_input', `${tool.name} was not run: ${fault}\nIt takes: ${schema}`)
}

export function inputSchema(tool: AgentTool): Record<string, unknown> {
  const { $schema: _dialect, ...schema } = z.toJSONSchema(tool.input)
  return schema
}

/** Operations over many files are not asked path by path: what they did to closed ones is seen here. */
function demandOpen(tree: WorkingTree, before: FileChange[]): void {
  const earlier = new Map(before.map(({ path, content }) => [path, content]))
  for (const { path, content } of tree.changes()) {
    if (earlier.has(path) && earlier.get(path) === content) continue
    const why = tree.refusal(path)
    if (why !== null) throw new DocentError('forbidden', 'path.closed', `${path} cannot be changed: ${why}`)
  }
}

async function demandWithinBudgets({ run: { tree, budgets } }: ToolContext, sizes: Map<string, number>): Promise<void> {
  const { files, bytes } = await measureChanges(tree, sizes)
  if (files > budgets.files) {
    const message = `This was undone: it would make ${files} changed files, and at most ${budgets.files} may change. Do the most important part and finish.`
    throw new DocentError('too_large', 'agent.too_many_files', message)
  }
  if (bytes > budgets.patchBytes) {
    const message = `This was undone: the change would be ${bytes} bytes, and at most ${budgets.patchBytes} may differ. Make smaller edits, or finish with what is done.`
    throw new DocentError('too_large', 'agent.patch_too_large', message)
  }
}

async function restore(tree: WorkingTree, before: FileChange[]): Promise<void> {
  const earlier = new Map(before.map(({ path, content }) => [path, content]))
  for (const { path } of tree.changes()) {
    const content = earlier.has(path) ? earlier.get(path)! : await tree.base.read(path)
    if (content === null) tree.delete(path)
    else tree.write(path, content)
  }
  for (const [path, content] of earlier) {
    if (content === null) tree.delete(path)
    else tree.write(path, content)
  }
}

function differs(before: FileChange[], after: FileChange[]): boolean {
  if (before.length !== after.length) return true
  return after.some(({ path, content }, index) => before[index]!.path !== path || before[index]!.content !== content)
}
