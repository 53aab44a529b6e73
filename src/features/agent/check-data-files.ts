import { type ParseError, parse, printParseErrorCode } from 'jsonc-parser'
import { parseDocument } from 'yaml'
import type { Problem } from '#features/content/service.ts'
import type { WorkingTree } from './agent-run.ts'

/** Above this a file is made by a program, and no agent writes in it by hand. */
const mostBytes = 2_000_000

/** Specifications and other data that parsed before the change and do not now. */
export async function brokenDataFiles(tree: WorkingTree): Promise<Problem[]> {
  const problems: Problem[] = []
  for (const { path, content } of tree.changes()) {
    if (content === null || content.length > mostBytes || !/\.(?:json|ya?ml)$/i.test(path)) continue
    const fault = faultOf(path, content)
    if (fault === null) continue
    const before = await tree.base.read(path)
    if (before !== null && faultOf(path, before) !== null) continue
    const message = `The file does not parse: ${fault.text}.`
    const place = content.toString('utf8').slice(0, fault.at).split('\n')
    const [line, column] = [place.length, place.at(-1)!.length + 1]
    problems.push({
      rule: 'config',
      path,
      line,
      column,
      message,
      hint: 'Look at what you changed in it.',
      key: `config ${path} does not parse`,
    })
  }
  return problems
}

function faultOf(path: string, content: Buffer): { text: string; at: number } | null {
  const text = content.toString('utf8')
  if (/\.json$/i.test(path)) {
    const errors: ParseError[] = []
    try {
      parse(text, errors, { allowTrailingComma: true })
    } catch {
      return { text: 'it is nested too deeply', at: 0 }
    }
    const [error] = errors
    return error ? { text: printParseErrorCode(error.error), at: error.offset } : null
  }
  const [error] = parseDocument(text, { prettyErrors: false, logLevel: 'silent' }).errors
  return error ? { text: error.message, at: error.pos[0] } : null
}
