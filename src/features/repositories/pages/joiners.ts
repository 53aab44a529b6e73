/**
 * The text without word joiners. They stand in what an agent wrote so that no host takes its words for a mention or a
 * reference; this one takes them for nothing, and would show each as `[U+2060]`. Not for what would be merged.
 */
export function withoutJoiners(text: string): string {
  return text.replaceAll('\u2060', '')
}
