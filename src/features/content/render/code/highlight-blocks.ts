import { createHighlighterCore, type HighlighterCore } from 'shiki/core'
import { createOnigurumaEngine } from 'shiki/engine/oniguruma'
import type { CodeBlock } from '../rendered-page.ts'
import { blockHtml, plainBlock, type Token } from './block-html.ts'
import { grammarOf, loadGrammar } from './languages.ts'
import { readLineMarks } from './line-marks.ts'
import { kindOf, kindsTheme } from './token-kinds.ts'

const longestBlock = 100_000
const longestLine = 2_000
// Blocks that are not coloured by then are shown plain. Time of the processor, since what is shown is kept: a busy machine
// must not make pages plain. Less than whoever asks allows: what was compiled is worth more than a page.
const budgetMs = 2_000
// So often it is looked at whether there is any time left.
const lineBudgetMs = 500

let highlighter: Promise<HighlighterCore> | undefined

/**
 * Loads what every language needs, for whoever will need it soon. The grammars' own engine is used: it reads all of them as
 * they were meant, gives up a search that does not end, and the first block of a language is coloured several times sooner
 * than by translating its grammar to regular expressions of JavaScript.
 */
export function startHighlighter(): Promise<HighlighterCore> {
  highlighter ??= createHighlighterCore({
    themes: [kindsTheme],
    engine: createOnigurumaEngine(import('shiki/wasm')),
  })
  return highlighter
}

/**
 * HTML of each block, in the order given. A grammar may search for longer than any limit that can be set here: runs in a
 * child process that its parent ends then.
 */
export async function highlightBlocks(blocks: readonly CodeBlock[]): Promise<string[]> {
  const deadline = spentMs() + budgetMs
  const highlighted: string[] = []
  for (const block of blocks) highlighted.push(await highlightBlock(block, deadline))
  return highlighted
}

async function highlightBlock(block: CodeBlock, deadline: number): Promise<string> {
  const grammar = grammarOf(block.language)
  if (grammar === null || block.text.length > longestBlock || spentMs() > deadline) return plainBlock(block)
  try {
    const text = readLineMarks(block.text)
    return blockHtml(block, text, tokenize(await loadLanguage(grammar), { lines: text.lines, grammar, deadline }))
  } catch {
    return plainBlock(block)
  }
}

async function loadLanguage(grammar: string): Promise<HighlighterCore> {
  const loaded = await startHighlighter()
  if (!loaded.getLoadedLanguages().includes(grammar)) await loaded.loadLanguage(await loadGrammar(grammar))
  return loaded
}

/** Null: it took too long. */
function tokenize(
  loaded: HighlighterCore,
  { lines, grammar, deadline }: { lines: string[]; grammar: string; deadline: number },
): Token[][] | null {
  const { colorMap } = loaded.setTheme(kindsTheme.name!)
  const language = loaded.getLanguage(grammar)
  type State = Parameters<typeof language.tokenizeLine2>[1]
  let state: State = null
  const tokenized: Token[][] = []
  for (const line of lines) {
    if (line.length > longestLine) {
      tokenized.push([[line, 0]])
      continue
    }
    let result = language.tokenizeLine2(line, state, lineBudgetMs)
    // The first lines of a language pay for compiling its grammar: what that cut short is coloured again.
    while (result.stoppedEarly && spentMs() < deadline) result = language.tokenizeLine2(line, state, lineBudgetMs)
    if (result.stoppedEarly || spentMs() > deadline) return null
    state = result.ruleStack
    tokenized.push(readTokens(line, result.tokens, colorMap))
  }
  return tokenized
}

/** Pairs of where a token starts, and its facts as bits, of which nine are the number of its colour. */
function readTokens(line: string, encoded: Uint32Array, colorMap: string[]): Token[] {
  const tokens: Token[] = []
  for (let at = 0; at < encoded.length; at += 2) {
    const text = line.slice(encoded[at], encoded[at + 2] ?? line.length)
    if (text !== '') tokens.push([text, kindOf(colorMap[(encoded[at + 1]! >>> 15) & 0x1ff])])
  }
  return tokens
}

function spentMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000
}
