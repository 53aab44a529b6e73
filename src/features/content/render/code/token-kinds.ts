import type { ThemeRegistrationRaw } from 'shiki/core'

export interface TokenKind {
  name: string
  scopes: string[]
  light: string
  dark: string
  face?: 'bold' | 'italic' | 'underline'
}

/**
 * What is told apart in code. The place in this list is the number in the class (`t3`); the colours stand in
 * `codeStylesheet`, since a page's policy allows none in the markup. All can be read on the backgrounds of both themes
 * (token-kinds.test.ts).
 */
export const tokenKinds: TokenKind[] = [
  { name: 'plain', scopes: [], light: '#24292f', dark: '#e4e7ec' },
  {
    name: 'comment',
    scopes: ['comment', 'punctuation.definition.comment', 'markup.quote'],
    light: '#5b6472',
    dark: '#9aa4b2',
    face: 'italic',
  },
  {
    name: 'keyword',
    scopes: ['keyword', 'storage', 'keyword.operator.new', 'keyword.operator.expression', 'meta.at-rule keyword'],
    light: '#b01352',
    dark: '#ff8fb1',
  },
  {
    name: 'string',
    scopes: [
      'string',
      'punctuation.definition.string',
      'markup.inline.raw',
      'markup.fenced_code',
      'markup.raw',
      'support.constant.property-value',
    ],
    light: '#0b6838',
    dark: '#8fd7a6',
  },
  {
    name: 'constant',
    scopes: [
      'constant',
      'variable.language',
      'support.constant',
      'variable.other.constant',
      'keyword.other.unit',
      'variable.other.normal.shell',
      'variable.other.enummember',
      'punctuation.definition.variable.shell',
    ],
    light: '#8a4600',
    dark: '#f2b56f',
  },
  {
    name: 'function',
    scopes: ['entity.name.function', 'support.function', 'variable.function', 'meta.function-call entity.name'],
    light: '#6639ba',
    dark: '#cdb2ff',
  },
  {
    name: 'type',
    scopes: [
      'entity.name.type',
      'entity.name.class',
      'entity.other.inherited-class',
      'support.type',
      'support.class',
      'entity.name.namespace',
    ],
    light: '#0a58a6',
    dark: '#86c1ff',
  },
  {
    name: 'property',
    scopes: [
      'support.type.property-name',
      'punctuation.support.type.property-name',
      'meta.object-literal.key',
      'entity.other.attribute-name',
      'variable.other.property',
      'variable.other.object.property',
      'entity.name.tag.yaml',
      'support.variable.property',
    ],
    light: '#0b6270',
    dark: '#7fd6e0',
  },
  {
    name: 'tag',
    scopes: ['entity.name.tag', 'support.class.component', 'entity.name.selector'],
    light: '#0a58a6',
    dark: '#86c1ff',
  },
  {
    name: 'punctuation',
    scopes: ['punctuation', 'meta.separator', 'keyword.operator', 'meta.brace'],
    light: '#4b5360',
    dark: '#b3bcc8',
  },
  {
    name: 'pattern',
    scopes: ['string.regexp', 'constant.character.escape', 'constant.other.placeholder'],
    light: '#94330c',
    dark: '#ffb189',
  },
  {
    name: 'link',
    scopes: ['markup.underline.link', 'string.other.link', 'constant.other.reference.link'],
    light: '#0a58a6',
    dark: '#86c1ff',
    face: 'underline',
  },
  { name: 'inserted', scopes: ['markup.inserted', 'meta.diff.header.to-file'], light: '#0b6838', dark: '#8fd7a6' },
  { name: 'deleted', scopes: ['markup.deleted', 'meta.diff.header.from-file'], light: '#a40e26', dark: '#ffa3ab' },
  {
    name: 'heading',
    scopes: ['markup.heading', 'entity.name.section', 'meta.diff.range'],
    light: '#0a58a6',
    dark: '#86c1ff',
    face: 'bold',
  },
  { name: 'strong', scopes: ['markup.bold'], light: '#24292f', dark: '#e4e7ec', face: 'bold' },
  { name: 'emphasis', scopes: ['markup.italic'], light: '#24292f', dark: '#e4e7ec', face: 'italic' },
]

/** Each kind as a colour of its own, from which the kind is read again. */
const colorOf = (kind: number) => `#${kind.toString(16).padStart(6, '0')}`

export const kindOf = (color: string | undefined) => Number.parseInt(color?.slice(1) ?? '0', 16) || 0

export const kindsTheme: ThemeRegistrationRaw = {
  name: 'docent-token-kinds',
  type: 'light',
  settings: [
    { settings: { foreground: colorOf(0), background: '#ffffff' } },
    ...tokenKinds.flatMap(({ scopes }, kind) =>
      scopes.length === 0 ? [] : [{ scope: scopes, settings: { foreground: colorOf(kind) } }],
    ),
    // What stands inside strings and templates is code again.
    { scope: ['meta.embedded', 'meta.template.expression', 'source.embedded'], settings: { foreground: colorOf(0) } },
  ],
}
