const mostCharacters = 500

/** What a stranger wrote, as one line of plain text: nothing that moves a cursor, turns text around, or PostgreSQL refuses. */
export function remoteLine(text: string): string {
  const plain = text
    .toWellFormed()
    .replace(/[\p{C}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim()
  const characters = [...plain]
  return characters.length > mostCharacters ? `${characters.slice(0, mostCharacters).join('')}…` : plain
}
