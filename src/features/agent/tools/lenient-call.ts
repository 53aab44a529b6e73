import { parseLoose } from './loose-json.ts'
import type { AgentTool } from './tool.ts'

/**
 * Names that models give to tools and fields which they learnt elsewhere. What is unmistakable is understood; telling a
 * model its mistake costs a step, and the small ones make it again. Compared without case, `_` and `-`.
 */
const toolNames: Record<string, string> = {
  list: 'ls tree glob listdir listdirectory listfolder getfiles',
  search: 'grep find ripgrep rg searchtext searchcode searchdocs searchcontent findtext',
  read: 'cat view open get show',
  edit: 'strreplace strreplaceeditor searchreplace replaceinfile applyedit modify update patch',
  write: 'create new save add overwrite',
  replace: 'replaceall findandreplace replacetext replaceeverywhere',
  move: 'rename mv renamepage movepage',
  delete: 'remove rm unlink deletepage',
  revert: 'undo restore reset',
  navigation: 'nav editnavigation updatenavigation changenavigation',
  fix_links: 'fixbrokenlinks mendlinks repairlinks',
  check: 'validate lint verify checkdocs checklinks test',
  finish: 'done complete submit end finishtask taskcomplete attemptcompletion finalanswer createpullrequest',
}

const path = 'path file filepath filename page pagepath name target'
const place = 'within folder path file dir directory in scope filepath'
const before = 'oldtext old oldstring oldstr search find original oldcontent text from'
const after = 'newtext new newstring newstr replace replacement replacewith with updated newcontent to'

const fieldNames: Record<string, Record<string, string>> = {
  list: { folder: place, pattern: 'filter glob query' },
  search: {
    text: 'query pattern q search term keyword keywords string',
    folder: place,
    regex: 'isregex useregex regexp',
    caseSensitive: 'matchcase',
  },
  read: {
    path,
    from: 'start startline linestart offset fromline begin',
    to: 'end endline lineend toline',
  },
  edit: { path, oldText: before, newText: after, replaceAll: 'all global everywhere' },
  write: { path, content: 'contents text body filetext data newcontent' },
  replace: { text: before, replacement: after, within: place, except: 'exclude excluding ignore skip' },
  move: { from: 'source src old oldpath path frompath', to: 'destination dest target new newpath topath' },
  delete: { path },
  revert: { path },
  navigation: { action: 'operation type', page: path, name: 'newname title' },
  fix_links: { within: place },
  check: { all: 'older everything' },
  finish: { title: 'name subject prtitle heading', summary: 'description body message text content' },
}

/** The tool that a name means, or null. */
export function toolNamed(tools: ReadonlyMap<string, AgentTool>, written: string): AgentTool | null {
  const exact = tools.get(written)
  if (exact) return exact
  // Some put the list’s name before it: functions.read.
  const plain = folded(written.split(/[.:/]/).at(-1)!)
  const short = plain.replace(/(?:files?|tool)$/, '')
  for (const tool of tools.values()) {
    const known = [folded(tool.name), ...(toolNames[tool.name] ?? '').split(' ')]
    if (known.includes(plain) || known.includes(short)) return tool
  }
  return null
}

/** The input with the tool's own names and types, as far as it is clear which are meant. */
export function lenientInput(tool: string, schema: Record<string, unknown>, written: object): Record<string, unknown> {
  const properties = (schema.properties ?? {}) as Record<string, { type?: string; enum?: string[] }>
  const input: Record<string, unknown> = {}
  const others: [string, unknown][] = []
  for (const [name, value] of Object.entries(written)) {
    // Many models say null where they mean to leave a field out.
    if (value === null) continue
    if (Object.hasOwn(properties, name)) input[name] = value
    else others.push([name, value])
  }
  for (const [name, value] of others) {
    const meant = Object.keys(properties).find((own) => {
      const names = [folded(own), ...(fieldNames[tool]?.[own] ?? '').split(' ')]
      return !Object.hasOwn(input, own) && names.includes(folded(name))
    })
    input[meant ?? name] = value
  }
  for (const [name, { type, enum: choices }] of Object.entries(properties)) {
    if (Object.hasOwn(input, name)) input[name] = lenientValue(input[name], type, choices)
  }
  return input
}

function lenientValue(value: unknown, type: string | undefined, choices: string[] | undefined): unknown {
  if (choices && typeof value === 'string') {
    const [exact, begun] = [folded(value), (one: string) => folded(one).startsWith(folded(value))]
    return choices.find((one) => folded(one) === exact) ?? (exact === '' ? value : (choices.find(begun) ?? value))
  }
  if (type === 'boolean' && typeof value === 'string' && /^(true|false)$/i.test(value)) return /true/i.test(value)
  if (type === 'string' && typeof value === 'number') return String(value)
  if (type === 'array' && typeof value === 'string') {
    const list = value.trimStart().startsWith('[') ? parseLoose(value) : null
    return Array.isArray(list) ? list : [value]
  }
  return value
}

function folded(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '')
}
