import { parentPort } from 'node:worker_threads'
import { createHighlighterCore } from 'shiki/core'
import { createJavaScriptRegexEngine } from 'shiki/engine/javascript'
import type { HighlightAnswer, HighlightRequest, LineTokens } from './highlight.ts'
import { tokenTheme } from './token-theme.ts'

/**
 * Runs in a thread of its own: what it reads is hostile, and a grammar's regular expressions can be made to search for a
 * very long time. Whoever asked ends the thread then.
 */
const highlighter = createHighlighterCore({
  themes: [tokenTheme],
  langs: [
    // The components of MDX are in its words.
    import('shiki/langs/tsx.mjs'),
    import('shiki/langs/mdx.mjs'),
    import('shiki/langs/markdown.mjs'),
    import('shiki/langs/json.mjs'),
    import('shiki/langs/yaml.mjs'),
  ],
  engine: createJavaScriptRegexEngine({ forgiving: true }),
})

parentPort!.on('message', async ({ id, language, text }: HighlightRequest) => {
  const { codeToTokensBase } = await highlighter
  const lines = codeToTokensBase(text, { lang: language, theme: tokenTheme.name!, tokenizeMaxLineLength: 2_000 })
  const answer: HighlightAnswer = {
    id,
    lines: lines.map(
      (tokens): LineTokens =>
        tokens.map(({ content, color = '' }) => [content.length, Number.parseInt(color.slice(1), 16) || 0]),
    ),
  }
  parentPort!.postMessage(answer)
})
