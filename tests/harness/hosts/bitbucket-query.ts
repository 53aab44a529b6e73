/** Whether an object is one that a query in Bitbucket's language asks for. Throws on what is no such query. */
export type Query = (object: unknown) => boolean

/** Enough of https://developer.atlassian.com/cloud/bitbucket/rest/intro/#filtering: `=`, strings, AND, OR, brackets. */
export function parseQuery(text: string): Query {
  const tokens = [...text.matchAll(/\s*("(?:[^"\\]|\\.)*"|[\w.]+|[=()]|\S)/g)].map((match) => match[1]!)
  let at = 0
  const isNext = (word: string) => tokens[at]?.toUpperCase() === word
  function expect(word: string): void {
    if (tokens[at++] !== word) throw new Error(`Invalid query: expected ${word}`)
  }

  function any(): Query {
    const parts = [all()]
    while (isNext('OR')) {
      at++
      parts.push(all())
    }
    return (object) => parts.some((part) => part(object))
  }
  function all(): Query {
    const parts = [one()]
    while (isNext('AND')) {
      at++
      parts.push(one())
    }
    return (object) => parts.every((part) => part(object))
  }
  function one(): Query {
    if (isNext('(')) {
      at++
      const inner = any()
      expect(')')
      return inner
    }
    const field = tokens[at++] ?? ''
    if (!/^[a-z][\w.]*$/.test(field)) throw new Error(`Invalid query: ${field} is no field`)
    expect('=')
    const wanted = literal(tokens[at++] ?? '')
    return (object) => field.split('.').reduce<unknown>((value, key) => (value as never)?.[key], object) === wanted
  }

  const query = any()
  if (at < tokens.length) throw new Error(`Invalid query: ${tokens[at]} is too much`)
  return query
}

function literal(token: string): unknown {
  if (token.startsWith('"')) return token.slice(1, -1).replace(/\\(.)/g, '$1')
  if (token === 'true' || token === 'false') return token === 'true'
  throw new Error(`Invalid query: ${token} is no value`)
}
