const words: [RegExp, (...found: string[]) => string][] = [
  [
    /^user agent list: (.+), from an address of (.+)$/,
    (name, operator) => `Its user agent names ${name}, and it came from an address that ${operator} publishes.`,
  ],
  [/^user agent list: (.+)$/, (name) => `Its user agent names ${name}, which is on the list of known clients.`],
  [/^Accept header as (.+) sends it$/, (name) => `Its Accept header is the one that ${name} sends.`],
  [/^asks for Markdown before HTML$/, () => 'It asked for Markdown before HTML, as agents do and browsers do not.'],
  [
    /^address of (.+), published by (.+)$/,
    (name, operator) => `It came from an address that ${operator} publishes for ${name}.`,
  ],
  [/^signed by (.+)$/, (host) => `Its requests carry a signature of ${host} that holds.`],
  [/^project rule (\d+)$/, (place) => `Rule ${place} of this project’s analytics settings says so.`],
  [/^stated by the caller$/, () => 'Whoever sent the view by the events API said so.'],
  [
    /^calls itself (.+), but not from an address of (.+)$/,
    (name, operator) => `It calls itself ${name}, but did not come from an address of ${operator}.`,
  ],
]

/** Why a client was classed so, as a sentence; what the server says in other words stands as it is. */
export function reasonInWords(reason: string): string {
  for (const [pattern, say] of words) {
    const found = pattern.exec(reason)
    if (found) return say(...found.slice(1))
  }
  return `${reason.charAt(0).toUpperCase()}${reason.slice(1)}.`
}
