import { closest } from '#base/closest.ts'
import { DocentError } from '#base/errors.ts'
import type { Navigation, NavigationGroup } from './editable-navigation.ts'

/** By its own name, or with those around it; in any case when nothing else fits. */
export function getGroup(navigation: Navigation, given: string): NavigationGroup {
  const wanted = given.split(/\s*[/>›→]\s*/).map((name) => name.trim())
  const fits = ({ names }: NavigationGroup, fold: (name: string) => string) =>
    [[given.trim()], wanted].some((path) =>
      path.every((name, at) => fold(names.at(at - path.length) ?? '') === fold(name)),
    )
  let found = navigation.groups.filter((group) => fits(group, (name) => name))
  if (found.length === 0) found = navigation.groups.filter((group) => fits(group, (name) => name.toLowerCase()))
  const shortest = Math.min(...found.map(({ names }) => names.length))
  if (found.length > 1 && wanted.length > 1) found = found.filter(({ names }) => names.length === shortest)
  // A tab and the group in it often share a name; pages go into the group.
  if (found.length > 1 && found.some(({ isGroup }) => isGroup)) found = found.filter(({ isGroup }) => isGroup)
  if (found.length === 1) return found[0]!
  if (found.length > 1) {
    const several = found.map(({ names }) => `“${names.join(' / ')}”`).join(', ')
    const message = `Several groups are called “${given}”: ${several}. Write the one you mean with what is around it.`
    throw new DocentError('conflict', 'navigation.several_groups', message)
  }
  const likely = closest(
    given,
    navigation.groups.map(({ names }) => names.at(-1)!),
  )
  const hint = likely ? ` Did you mean “${likely}”?` : ''
  const message = `The navigation has no group “${given}”.${hint} ${groupList(navigation)}`
  throw new DocentError('not_found', 'navigation.no_such_group', message)
}

export function groupList(navigation: Navigation): string {
  const names = [...new Set(navigation.groups.map((group) => group.names.join(' / ')))]
  if (names.length === 0) return 'It has no groups.'
  const shown = names.slice(0, 40).map((name) => `“${name}”`)
  const rest = names.length > shown.length ? ` and ${names.length - shown.length} more` : ''
  return `There are: ${shown.join(', ')}${rest}.`
}

export function placeOf(names: readonly string[]): string {
  return names.length === 0 ? 'the top of the navigation' : `“${names.join(' / ')}”`
}
