/** The project's model is this one unless another was chosen. */
export const builtinEditor = 'builtin/editor'

/** What the built-in editor understands, each with an example; several may stand in one prompt. */
export const editorForms: readonly { does: string; form: string; example: string }[] = [
  {
    does: 'Rename a page, with its links and its place in the navigation',
    form: 'rename page A to B',
    example: 'rename page quickstart to start',
  },
  {
    does: 'Replace a text everywhere, or in one page or folder',
    form: 'replace "A" with "B" [in PATH]',
    example: 'replace "colour" with "color"',
  },
  { does: 'Mend links that lead nowhere', form: 'fix broken links [in PATH]', example: 'fix broken links' },
  {
    does: 'Add a page',
    form: 'add page PATH titled "T" [with "text"]',
    example: 'add page guides/deploy titled "Deploy" with "How to deploy."',
  },
  {
    does: 'Set a field of a page’s frontmatter',
    form: 'set KEY to "V" in PATH',
    example: 'set title to "Welcome" in index',
  },
]

/** What the built-in editor says of a prompt it does not understand, without the list of those that it does. */
export function withoutForms(message: string): string {
  return message.split(' It understands `', 1)[0]!
}
