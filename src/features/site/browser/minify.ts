/** A script without its comments, which stand on lines of their own, and without indentation. */
export function withoutComments(source: string): string {
  return source.replace(/^[ \t]*(?:\/\/.*)?(?:\n|$)|^[ \t]+/gm, '')
}

/** A stylesheet without comments and needless space. Ours have neither comment signs nor runs of spaces in strings. */
export function withoutSpace(source: string): string {
  return source
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/\s+/g, ' ')
    .replace(/ ?([{};,>]) ?/g, '$1')
    .replace(/: /g, ':')
    .replaceAll(';}', '}')
}
