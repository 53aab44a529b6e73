/** Whether a path of the docs folder is left out. */
export type IgnoreRules = (path: string) => boolean

interface Rule {
  segments: string[]
  isNegated: boolean
  onlyFolders: boolean
}

/** Rules in the words of .gitignore, as .mintignore has them. */
export function parseIgnoreRules(text: string): IgnoreRules {
  const rules = text.split('\n').flatMap((line) => parseRule(line))
  if (rules.length === 0) return () => false
  const folders = new Map<string, boolean>()

  function isIgnored(segments: string[], isFolder: boolean): boolean {
    let ignored = false
    for (const rule of rules) {
      if (rule.onlyFolders && !isFolder) continue
      if (matchesPath(rule.segments, segments)) ignored = !rule.isNegated
    }
    return ignored
  }

  return (path) => {
    const segments = path.split('/')
    // What lies in a folder that is left out cannot be taken back in.
    for (let length = 1; length < segments.length; length++) {
      const folder = segments.slice(0, length)
      const name = folder.join('/')
      let known = folders.get(name)
      if (known === undefined) {
        known = isIgnored(folder, true)
        folders.set(name, known)
      }
      if (known) return true
    }
    return isIgnored(segments, false)
  }
}

function parseRule(line: string): Rule[] {
  let pattern = line.replace(/\r$/, '').replace(/(?<!\\)\s+$/, '')
  if (pattern === '' || pattern.startsWith('#')) return []
  const isNegated = pattern.startsWith('!')
  if (isNegated || pattern.startsWith('\\#') || pattern.startsWith('\\!')) pattern = pattern.slice(1)
  const onlyFolders = pattern.endsWith('/')
  pattern = pattern.replace(/\/+$/, '')
  if (pattern === '') return []
  const isAnchored = pattern.includes('/')
  const segments = pattern.replace(/^\//, '').split('/')
  return [{ segments: isAnchored ? segments : ['**', ...segments], isNegated, onlyFolders }]
}

function matchesPath(pattern: string[], path: string[]): boolean {
  // Row by row instead of by trying: a pattern of many stars costs no more than their number.
  let reached = new Set([0])
  for (const [at, segment] of pattern.entries()) {
    const next = new Set<number>()
    for (const from of reached) {
      if (segment === '**') {
        // At the end it means everything inside, so at least one more.
        const least = at === pattern.length - 1 ? from + 1 : from
        for (let to = least; to <= path.length; to++) next.add(to)
      } else if (from < path.length && matchesGlob(segment, path[from]!)) next.add(from + 1)
    }
    if (next.size === 0) return false
    reached = next
  }
  return reached.has(path.length)
}

/** `*` and `?` inside one name, in time that grows with its length only. */
function matchesGlob(glob: string, name: string): boolean {
  let at = 0
  let inGlob = 0
  let star = -1
  let resume = 0
  while (at < name.length) {
    const wanted = glob[inGlob]
    if (wanted === '*') {
      star = inGlob++
      resume = at
    } else if (wanted === '?' || wanted === name[at]) {
      inGlob++
      at++
    } else if (star !== -1) {
      inGlob = star + 1
      at = ++resume
    } else return false
  }
  while (glob[inGlob] === '*') inGlob++
  return inGlob === glob.length
}
