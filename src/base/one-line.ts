/**
 * What a stranger wrote, as one line of at most `most` characters for our messages, logs and tables: nothing that moves
 * a cursor, turns text around, or that PostgreSQL refuses.
 */
export function oneLine(text: string, most: number): string {
  const plain = text
    .toWellFormed()
    .replace(/[\p{C}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim()
  if (plain.length <= most) return plain
  const characters = [...plain]
  return characters.length <= most ? plain : `${characters.slice(0, most - 1).join('')}…`
}
