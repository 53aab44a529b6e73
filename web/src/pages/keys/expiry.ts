export const expiryOptions = [
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In a year' },
  { value: 'date', label: 'On a date' },
  { value: 'never', label: 'Never' },
] as const

/** What the API is told: a moment, or null for never. A date counts to its end, by the reader's clock. */
export function expiryOf(choice: string, date: string, now: number): string | null {
  if (choice === 'never') return null
  if (choice === 'date') return new Date(`${date}T23:59:59`).toISOString()
  return new Date(now + Number(choice) * 86_400_000).toISOString()
}

/** Today, as a date field writes it. */
export function today(now: Date): string {
  const two = (number: number) => String(number).padStart(2, '0')
  return `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`
}
