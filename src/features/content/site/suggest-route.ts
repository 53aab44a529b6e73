import { closest } from '#base/closest.ts'
import { folderOf } from './docs-config.ts'
import { pageExtension } from './page-extension.ts'

export interface KnownFiles {
  /** Pages by route without its leading slash. */
  byRoute: ReadonlyMap<string, string>
  all: ReadonlySet<string>
}

/** What a person may have meant: a page of the same name elsewhere, else one of a similar name in the same folder. */
export function createSuggester({ byRoute, all }: KnownFiles): (route: string) => string | null {
  let byName: Map<string, string[]> | null = null
  let byFolder: Map<string, string[]> | null = null
  const answers = new Map<string, string | null>()
  return (route) => {
    let answer = answers.get(route)
    if (answer === undefined) {
      answer = find(route)
      answers.set(route, answer)
    }
    return answer
  }

  function find(route: string): string | null {
    if (byName === null || byFolder === null) {
      byName = new Map()
      byFolder = new Map()
      for (const known of [...byRoute.keys(), ...[...all].filter((path) => !pageExtension.test(path))]) {
        push(byName, nameOf(known).toLowerCase(), known)
        push(byFolder, folderOf(known).toLowerCase(), known)
      }
    }
    const bare = route.replace(pageExtension, '')
    const namesakes = byName.get(nameOf(bare).toLowerCase()) ?? []
    const sameButCase = namesakes.find((known) => known.toLowerCase() === bare.toLowerCase())
    if (sameButCase !== undefined) return `/${sameButCase}`
    if (namesakes.length === 1) return `/${namesakes[0]}`
    const neighbours = (byFolder.get(folderOf(bare).toLowerCase()) ?? []).slice(0, mostCompared)
    // Names alone: beside a long folder, any two of them look alike.
    const near = closest(nameOf(bare), neighbours.map(nameOf))
    if (near !== null) return `/${neighbours.find((known) => nameOf(known) === near)}`
    const folder = closest(folderOf(bare), namesakes.slice(0, mostCompared).map(folderOf))
    return folder === null ? null : `/${namesakes.find((known) => folderOf(known) === folder)}`
  }
}

const mostCompared = 300

function push(map: Map<string, string[]>, key: string, value: string): void {
  const list = map.get(key)
  if (list) list.push(value)
  else map.set(key, [value])
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}
