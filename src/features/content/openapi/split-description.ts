const longestLead = 400

/** The first paragraph, if it is words alone, and what follows it. */
export function splitDescription(description: string | null): { lead: string | null; rest: string | null } {
  if (description === null) return { lead: null, rest: null }
  const [first = '', ...others] = description.trim().split(/\r?\n[ \t]*\r?\n/, 200)
  const lead = first.replace(/\s+/g, ' ').trim()
  const isBlock = /^(?:[#>|<~`]|[-*+] |\d+[.)] |!\[)|\n[ \t]*(?:[-*+] |\d+[.)] |[=-]{2,}|```|\|)/.test(first.trim())
  if (lead === '' || lead.length > longestLead || isBlock) return { lead: null, rest: description }
  const rest = others.length === 0 ? null : description.trim().slice(first.length).trim()
  return { lead, rest: rest === '' ? null : rest }
}
