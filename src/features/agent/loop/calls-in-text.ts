import { parseLoose, parseLooseObject } from '../tools/loose-json.ts'

export interface WrittenCall {
  name: string
  input: Record<string, unknown>
}

// How models write calls whose server does not know their way of writing them: Hermes and Qwen, Llama, Mistral.
const marked =
  /<tool_call>([\s\S]*?)(?:<\/tool_call>|$)|(<function=[\s\S]*?<\/function>)|\[TOOL_CALLS\]\s*(\[[\s\S]*\])/g
// What a model shows a person, in place of a call, at the end of what it says.
const shown = /```(?:json|tool_call|tool_code|tool)?[ \t]*\n((?:(?!```)[\s\S])*)```\s*$/g

/**
 * Calls that a model wrote into its text, and the words around them. None when any of it is no call of a known tool. A
 * model that calls as it should may show some JSON without meaning it: for such a one, `isMarked` takes only what
 * models write for calls and nothing else.
 */
export function callsInText(
  text: string,
  { isTool, isMarked }: { isTool: (name: string) => boolean; isMarked: boolean },
): { calls: WrittenCall[]; words: string } {
  const calls: WrittenCall[] = []
  const blocks = isMarked || text.search(marked) !== -1 ? marked : shown
  const words = text.replace(blocks, (...pieces) => {
    const written = pieces.slice(1).find((piece): piece is string => typeof piece === 'string') ?? ''
    const found = readCalls(written)
    calls.push(...found)
    return found.length > 0 ? '' : (pieces[0] as string)
  })
  if (calls.length === 0 && !isMarked && /^\s*[[{]/.test(text)) calls.push(...readCalls(text))
  if (calls.length === 0 || !calls.every(({ name }) => isTool(name))) return { calls: [], words: text }
  return { calls, words: words === text ? '' : words.trim() }
}

/** What a model thought aloud is for nobody else. */
export function withoutThoughts(text: string): string {
  return text
    .replace(/<think(?:ing)?>[\s\S]*?<\/think(?:ing)?>/gi, '')
    .replace(/^[\s\S]*?<\/think(?:ing)?>/i, '')
    .trim()
}

function readCalls(written: string): WrittenCall[] {
  const tagged = readTagged(written)
  if (tagged !== null) return [tagged]
  const value = parseLoose(written)
  const list = Array.isArray(value) ? value : [value]
  const calls = list.map(readCall)
  return calls.every((call) => call !== null) ? calls : []
}

function readCall(value: unknown): WrittenCall | null {
  if (typeof value !== 'object' || value === null) return null
  const fields = value as Record<string, unknown>
  if (typeof fields.function === 'object') return readCall(fields.function)
  const name = fields.name ?? fields.tool ?? fields.tool_name ?? fields.function
  const input = parseLooseObject(fields.arguments ?? fields.parameters ?? fields.args ?? fields.input ?? fields.params)
  return typeof name === 'string' && input !== null ? { name, input } : null
}

/** `<function=read>` with JSON in it, or with one `<parameter=path>` for each field. */
function readTagged(written: string): WrittenCall | null {
  const [, name, inner] = /^\s*<function=([\w.-]+)>([\s\S]*?)(?:<\/function>\s*)?$/.exec(written) ?? []
  if (name === undefined || inner === undefined) return null
  const whole = parseLooseObject(inner)
  if (whole !== null) return { name, input: whole }
  const fields = [...inner.matchAll(/<parameter=([\w.-]+)>\n?([\s\S]*?)\n?<\/parameter>/g)]
  return { name, input: Object.fromEntries(fields.map(([, field, value]) => [field!, value!])) }
}
