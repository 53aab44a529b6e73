import { createContext, Script } from 'node:vm'
import { DocentError, messageOf } from '#base/errors.ts'

/**
 * A pattern such as `(a+)+$` can take years on one line, and nothing stops a regular expression from inside. The engine
 * is told to stop from outside after this long, for one file and for all of a search.
 */
const mostFileMs = 250
const mostSearchMs = 5000

/** Finds which of some lines match, as indices. Throws `invalid` on a pattern that cannot be used. */
export function createLineFinder(wanted: {
  text: string
  isRegex: boolean
  caseSensitive: boolean
}): (lines: string[]) => number[] {
  if (!wanted.isRegex) {
    const { caseSensitive } = wanted
    const needle = caseSensitive ? wanted.text : wanted.text.toLowerCase()
    return (lines) =>
      lines.flatMap((line, index) => ((caseSensitive ? line : line.toLowerCase()).includes(needle) ? [index] : []))
  }

  const pattern = parsePattern(wanted.text, wanted.caseSensitive)
  // Not for safety of the code, which is ours, but because a script's run can be given a time limit.
  const sandbox = createContext({ pattern, lines: [] as string[] })
  const script = new Script('lines.flatMap((line, index) => pattern.test(line) ? [index] : [])')
  let spentMs = 0
  return (lines) => {
    if (spentMs > mostSearchMs) throw tooSlow()
    const startMs = performance.now()
    sandbox.lines = lines
    try {
      return [...(script.runInContext(sandbox, { timeout: mostFileMs }) as number[])]
    } catch (thrown) {
      const isSlow = (thrown as { code?: unknown }).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'
      throw isSlow ? tooSlow() : thrown
    } finally {
      spentMs += performance.now() - startMs
    }
  }
}

function parsePattern(text: string, caseSensitive: boolean): RegExp {
  try {
    return new RegExp(text, caseSensitive ? '' : 'i')
  } catch (thrown) {
    const message = `That is no regular expression: ${messageOf(thrown)}. Leave out regex to search for the text itself.`
    throw new DocentError('invalid', 'search.bad_pattern', message)
  }
}

function tooSlow(): DocentError {
  const message = 'The pattern takes too long. Avoid repetitions inside repetitions, or search for a plain text.'
  return new DocentError('invalid', 'search.too_slow', message)
}
