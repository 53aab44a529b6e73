import type { FileTree } from '#infra/files/file-tree.ts'
import { type ConfigScalar, type ConfigValue, joinPath } from '../site/docs-config.ts'
import { createSpecFinder, parseOperation } from '../site/operation-pages.ts'
import type { SiteModel } from '../site/site-model.ts'
import { splitUrl } from '../site/split-url.ts'
import { type Problem, type ProblemRule, problemKey } from './problem.ts'

/** What docs.json names and what is not there. */
export function checkConfig(tree: FileTree, model: SiteModel): Problem[] {
  const { map: site } = model
  const { config, navigation } = site
  if (config === null) return []
  const problems = [...model.problems]

  function report(
    rule: ProblemRule,
    input: { file: string; line: number; column: number; message: string; subject: string; hint?: string | null },
  ): void {
    const { file: path, line, column, message, subject, hint = null } = input
    problems.push({ rule, path, line, column, message, hint, key: problemKey(rule, path, subject) })
  }

  for (const entry of navigation.entries) {
    // Addresses without a slash in front are other sites', written without their scheme.
    if (entry.kind === 'href' && !entry.target.startsWith('/')) continue
    const target = site.resolveEntry(entry.target)
    if (target.kind !== 'missing') continue
    const { file, line, column } = entry
    const what = entry.kind === 'href' ? `The link ${entry.target}` : `The page ${entry.target}`
    const hint = target.suggestion === null ? null : `Did you mean ${entryFor(target.suggestion, entry.target)}?`
    const message = `${what} in the navigation does not exist.`
    report('navigation', { file, line, column, message, subject: entry.target, hint })
  }
  const reportSpec = (source: string, place: { file: string; start: number }) => {
    const message = `The specification ${source} does not exist.`
    report('navigation', { file: place.file, ...config.placeOf(place), message, subject: source })
  }
  for (const { source, place } of navigation.generated) {
    const path = joinPath('', source)
    if (splitUrl(source).isExternal || source === '' || place === null || tree.entries.has(path ?? '')) continue
    reportSpec(source, place)
  }
  const findSpec = createSpecFinder(navigation.operations.length === 0 ? [] : tree.entries.keys())
  for (const entry of navigation.operations) {
    const source = parseOperation(entry.target)?.source ?? null
    if (source === null || splitUrl(source).isExternal) continue
    if (findSpec(source) === null) reportSpec(source, entry)
  }
  for (const image of images(config.root?.fields)) {
    const { isExternal, path } = splitUrl(image.value)
    if (isExternal || path === '' || tree.entries.has(joinPath('', path) ?? '')) continue
    const message = `The image ${image.value} does not exist.`
    report('config', { file: image.file, ...config.placeOf(image), message, subject: image.value })
  }
  return problems
}

/** Written as the entry was: most leave the leading slash out. */
function entryFor(suggestion: string, written: string): string {
  return written.startsWith('/') ? suggestion : suggestion.slice(1)
}

function* images(root: ReadonlyMap<string, ConfigValue> | undefined): Generator<ConfigScalar & { value: string }> {
  const logo = root?.get('logo')
  const favicon = root?.get('favicon')
  for (const value of [logo, favicon]) {
    const choices = value?.kind === 'object' ? [value.fields.get('light'), value.fields.get('dark')] : [value]
    for (const choice of choices) {
      if (choice?.kind === 'scalar' && typeof choice.value === 'string') yield { ...choice, value: choice.value }
    }
  }
}
