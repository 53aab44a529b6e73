import { DocentError } from '#base/errors.ts'
import { type DocsTree, findPage, folderOf, isPage, requireOpen, tidyPath, withoutExtension } from './docs-tree.ts'
import { editNavigation } from './edit-navigation.ts'
import { withFrontmatter } from './set-frontmatter.ts'

export interface AddedPage {
  path: string
  /** What was done about the navigation, in one sentence; null when the site has none to edit. */
  navigation: string | null
}

/** Makes a page and lists it beside its nearest relatives. The extension is the one that the site uses. */
export async function addPage(
  tree: DocsTree,
  { path: given, title, text }: { path: string; title: string; text?: string | null },
): Promise<AddedPage> {
  const path = newPagePath(tree, given)
  requireOpen(tree, path)
  const body = text?.trim() ? `${text.trim()}\n` : ''
  const page = withFrontmatter(body, { path, key: 'title', value: title })
  tree.write(path, Buffer.from(page))
  try {
    const { done } = await editNavigation(tree, { action: 'add_page', page: path })
    return { path, navigation: done }
  } catch (error) {
    const code = error instanceof DocentError ? error.code : ''
    if (code === 'navigation.follows_folders') return { path, navigation: null }
    if (code === 'navigation.no_groups') return { path, navigation: (error as DocentError).message }
    tree.delete(path)
    throw error
  }
}

/** A path for a page that is not there yet; throws when it is, or when no page can be there. */
export function newPagePath(tree: DocsTree, given: string, extension: string = extensionFor(tree, given)): string {
  const wanted = given.trim().endsWith('/') ? `${given}index` : given
  const tidied = tidyPath(wanted)
  if (tidied === '' || tidied.startsWith('..') || /[\p{C}\\?#:*"<>|]/u.test(tidied)) {
    const message = `${JSON.stringify(given)} cannot be the path of a page: write one such as guides/setup, inside the docs.`
    throw new DocentError('invalid', 'edit.bad_path', message)
  }
  const path = isPage(tidied) ? tidied : tidied + extension
  const there = findPage(tree, withoutExtension(tidied)) ?? findInAnyCase(tree, path)
  if (there !== null) {
    throw new DocentError('conflict', 'edit.page_exists', `There is a page ${there} already; choose another path.`)
  }
  return path
}

/** Two files whose names differ in case only cannot both be checked out on many machines. */
function findInAnyCase(tree: DocsTree, path: string): string | null {
  const lower = path.toLowerCase()
  for (const one of tree.entries.keys()) if (one.toLowerCase() === lower) return one
  return null
}

/** That of the pages in the same folder, else of the whole site; `.mdx` when they are of both kinds or there are none. */
function extensionFor(tree: DocsTree, given: string): string {
  const pages = [...tree.entries.keys()].filter(isPage)
  const folder = folderOf(tidyPath(given))
  const siblings = pages.filter((path) => folderOf(path) === folder)
  const among = siblings.length > 0 ? siblings : pages
  return among.length > 0 && among.every((path) => /\.md$/i.test(path)) ? '.md' : '.mdx'
}
