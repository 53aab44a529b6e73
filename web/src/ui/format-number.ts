const numbers = new Intl.NumberFormat('en')

/** `1,234`. */
export function formatNumber(value: number): string {
  return numbers.format(value)
}
