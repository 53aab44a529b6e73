// Apart from the log: a command hides secrets too, and need not load what writes logs.

/** Fields whose values are secret wherever they stand: `authorization`, `x-api-key`, `sealedToken`; not `tokens`, a count. */
const secretField =
  /(authorization|cookie|passw(or)?d|passphrase|token|secret|(api|access|private|admin)[-_]?key|credentials?)$|^key$/i

/** Secrets that tell themselves apart in any text: error messages quote what they were given. */
const secretTexts: [RegExp, string][] = [
  [/docent_[0-9A-Za-z]{8,}/g, 'docent_[hidden]'],
  // User name and password of a URL; a user name alone may be a token.
  [/(?<=:\/\/)[^\s/?#]+(?=@)/g, '[hidden]'],
  // There people forget to escape the password, and `/` would seem to end it.
  [/(?<=\bpostgres(?:ql)?:\/\/)\S+(?=@)/g, '[hidden]'],
  [/(?<=[?&][\w.-]*(?:passw(?:or)?d|token|secret|key)=)[^&#\s]+/gi, '[hidden]'],
  [/(?<=authorization["']?\s*[:=]\s*["']?(?:[a-z]+\s+)?)[\w.~+/=:-]{8,}/gi, '[hidden]'],
  [/(?<=\b(?:bearer|basic)\s+)[\w.~+/=-]{8,}/gi, '[hidden]'],
  // Tokens of code hosts and model providers, by the prefixes these give them.
  [/\b(?:gh[opsru]_|github_pat_|glpat-|sk-|whsec_)[\w-]{16,}/g, '[hidden]'],
]

/** Whether a text can hold a secret at all; most do not, and are spared the search. Covers all of the above. */
const suspicious =
  /docent_|:\/\/|authorization|bearer|basic|cookie|pass|token|secret|key|credential|gh[opsru]_|github_pat_|glpat-|sk-|whsec_/i

export function hideSecrets(text: string): string {
  if (!suspicious.test(text)) return text
  return secretTexts.reduce((safe, [secret, shown]) => safe.replace(secret, shown), text)
}

/** A log line without its secrets. By way of the values, as a replacement in the JSON itself could break its syntax. */
export function hideInLine(line: string): string {
  return suspicious.test(line) ? `${JSON.stringify(hideInValue(JSON.parse(line)))}\n` : line
}

function hideInValue(value: unknown): unknown {
  if (typeof value === 'string') return hideSecrets(value)
  if (Array.isArray(value)) return value.map(hideInValue)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([name, inner]) => {
    const isSecret = secretField.test(name) && inner !== null && typeof inner !== 'boolean'
    return [hideSecrets(name), isSecret ? '[hidden]' : hideInValue(inner)]
  })
  return Object.fromEntries(entries)
}
