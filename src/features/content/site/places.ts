import type {
  NavigationDivision,
  NavigationGroup,
  NavigationItem,
  NavigationLevel,
  NavigationPlace,
  NavigationTree,
} from './navigation-tree.ts'

/** The pages of a navigation in the order in which they are read, each with its first place. */
export function listPlaces(tree: NavigationTree): Map<string, NavigationPlace> {
  const places = new Map<string, NavigationPlace>()

  function add(route: string, place: NavigationPlace): void {
    if (!places.has(route)) places.set(route, place)
  }
  function walkItems(items: NavigationItem[], place: NavigationPlace): void {
    for (const item of items) {
      if (item.kind === 'page') add(item.route, place)
      else if (item.kind === 'group') walkGroup(item, place)
    }
  }
  function walkGroup(group: NavigationGroup, { divisions, groups, isHidden }: NavigationPlace): void {
    const place = { divisions, groups: [...groups, group], isHidden: isHidden || group.isHidden, boost: group.boost }
    if (group.root !== null) add(group.root, place)
    walkItems(group.items, place)
  }
  function walkDivision(division: NavigationDivision, { divisions, groups, isHidden, boost }: NavigationPlace): void {
    const place = { divisions: [...divisions, division], groups, isHidden: isHidden || division.isHidden, boost }
    walkLevel(division.level, place)
  }
  function walkLevel(level: NavigationLevel, place: NavigationPlace): void {
    for (const division of byDefault(level.divisions)) walkDivision(division, place)
    walkItems(level.items, place)
  }

  const top: NavigationPlace = { divisions: [], groups: [], isHidden: false, boost: 1 }
  walkLevel(tree.root, top)
  for (const division of byDefault(tree.global)) walkDivision(division, top)
  return places
}

/** A page that all versions have is first of all the default one's. */
function byDefault(divisions: NavigationDivision[]): NavigationDivision[] {
  return [...divisions.filter(({ isDefault }) => isDefault), ...divisions.filter(({ isDefault }) => !isDefault)]
}
