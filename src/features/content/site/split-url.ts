/** Parts of an address. What holds a variable is known only when the page is shown, and counts as external. */
export function splitUrl(url: string): { path: string; fragment: string | null; isExternal: boolean } {
  const text = url.trim()
  if (/^(?:[a-z][a-z\d+.-]*:|\/\/)/i.test(text) || text.includes('{') || text.includes('${')) {
    return { path: '', fragment: null, isExternal: true }
  }
  const hash = text.indexOf('#')
  const fragment = hash === -1 ? null : decode(text.slice(hash + 1))
  const beforeHash = hash === -1 ? text : text.slice(0, hash)
  const query = beforeHash.indexOf('?')
  return { path: decode(query === -1 ? beforeHash : beforeHash.slice(0, query)), fragment, isExternal: false }
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
