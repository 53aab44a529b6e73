import { DocentError } from '#base/errors.ts'

/** One line of a tree. The name is kept byte for byte, as a latin1 string: a repository may have names in any encoding. */
export interface TreeItem {
  mode: string
  name: string
  id: string
}

export const folderMode = '40000'

export function parseTree(content: Buffer): TreeItem[] {
  const items: TreeItem[] = []
  for (let at = 0; at < content.length; ) {
    const space = content.indexOf(32, at)
    const end = content.indexOf(0, space)
    if (space < at || end < space || end + 21 > content.length) {
      throw new DocentError('invalid', 'git.bad_tree', 'A folder of the repository is damaged: git cannot list it.')
    }
    items.push({
      // Some old programs wrote 040000, which git warns of; what we write has none.
      mode: content.toString('latin1', at, space).replace(/^0+/, ''),
      name: content.toString('latin1', space + 1, end),
      id: content.toString('hex', end + 1, end + 21),
    })
    at = end + 21
  }
  return items
}

export function formatTree(items: Iterable<TreeItem>): Buffer {
  const sorted = [...items].sort((a, b) => (sortKey(a) < sortKey(b) ? -1 : 1))
  return Buffer.concat(
    sorted.flatMap(({ mode, name, id }) => [Buffer.from(`${mode} ${name}\0`, 'latin1'), Buffer.from(id, 'hex')]),
  )
}

/** git sorts a folder as if its name ended in a slash. */
function sortKey({ mode, name }: TreeItem): string {
  return mode === folderMode ? `${name}/` : name
}
