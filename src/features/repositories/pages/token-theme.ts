import type { ThemeRegistrationRaw } from 'shiki/core'

/**
 * What is told apart in a highlighted line. The place in this list is the number in the class (`t3`), whose colours for
 * light and dark stand in the stylesheet: a page's policy allows no colours in the markup.
 */
export const tokenKinds: { name: string; scopes: string[] }[] = [
  { name: 'plain', scopes: [] },
  { name: 'heading', scopes: ['markup.heading', 'entity.name.section', 'heading.1.markdown'] },
  {
    name: 'keyword',
    scopes: [
      'keyword',
      'storage',
      'support.type.property-name',
      'entity.name.tag',
      'support.class.component',
      'meta.tag entity.name',
    ],
  },
  { name: 'string', scopes: ['string', 'markup.inline.raw', 'markup.fenced_code', 'markup.raw'] },
  { name: 'comment', scopes: ['comment', 'punctuation.definition.comment', 'markup.quote'] },
  { name: 'constant', scopes: ['constant', 'variable.language', 'entity.other.attribute-name'] },
  { name: 'link', scopes: ['markup.underline.link', 'string.other.link', 'constant.other.reference.link'] },
  { name: 'strong', scopes: ['markup.bold', 'markup.italic'] },
  { name: 'punctuation', scopes: ['punctuation', 'meta.separator', 'keyword.operator'] },
]

/** Each kind as a colour of its own, from which the kind is read again. */
const colourOf = (kind: number) => `#${kind.toString(16).padStart(6, '0')}`

export const tokenTheme: ThemeRegistrationRaw = {
  name: 'docent-kinds',
  type: 'light',
  settings: [
    { settings: { foreground: colourOf(0), background: '#ffffff' } },
    ...tokenKinds.flatMap(({ scopes }, kind) =>
      scopes.length === 0 ? [] : [{ scope: scopes, settings: { foreground: colourOf(kind) } }],
    ),
  ],
}
