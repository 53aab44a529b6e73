import type { LanguageRegistration } from 'shiki/core'
import { bundledLanguages } from 'shiki/langs'
import { regoGrammar } from './rego-grammar.ts'

/** Names that authors use for languages which the grammars have under another one. */
const otherNames: Record<string, string> = {
  curl: 'bash',
  terminal: 'bash',
  env: 'dotenv',
  node: 'javascript',
  nodejs: 'javascript',
  golang: 'go',
  net: 'csharp',
  dotnet: 'csharp',
  '.net': 'csharp',
  conf: 'ini',
  cfg: 'ini',
  sol: 'solidity',
  gradle: 'groovy',
  svg: 'xml',
  plist: 'xml',
  ndjson: 'jsonl',
  python3: 'python',
  react: 'jsx',
  next: 'jsx',
  'react native': 'tsx',
  gql: 'graphql',
  mdc: 'markdown',
}

type Grammar = { default: LanguageRegistration[] }
const grammars: Record<string, () => Promise<Grammar>> = {
  ...(bundledLanguages as unknown as Record<string, () => Promise<Grammar>>),
  rego: async () => ({ default: [regoGrammar] }),
}

/** The grammar's name, or null: text, and what nobody wrote one for. */
export function grammarOf(language: string): string | null {
  const name = language.trim().toLowerCase()
  const known = Object.hasOwn(otherNames, name) ? otherNames[name]! : name
  return Object.hasOwn(grammars, known) ? known : null
}

// Components in MDX are coloured by another grammar, which it does not load itself.
const companions: Record<string, string> = { mdx: 'tsx' }

export async function loadGrammar(name: string): Promise<LanguageRegistration[]> {
  const before = Object.hasOwn(companions, name) ? await loadGrammar(companions[name]!) : []
  return [...before, ...(await grammars[name]!()).default]
}
