import type { Components } from './anchors.ts'
import type { ComponentNode, PageNode } from './component.ts'
import { textProp } from './components/props.ts'
import { noteName } from './expand/note.ts'
import { isIconAddress } from './icon-html.ts'
import { findIcon } from './icons.ts'
import type { RenderInput, RenderWarning } from './rendered-page.ts'

/** What of a page cannot be shown as its author meant it, each thing once. */
export function findWarnings(
  nodes: readonly PageNode[],
  { components, icons }: { components: Components } & Pick<RenderInput, 'icons'>,
): RenderWarning[] {
  const warnings = new Map<string, RenderWarning>()
  const open: PageNode[] = [...nodes].reverse()
  for (let node = open.pop(); node; node = open.pop()) {
    if (node.type === 'component' && /^[^a-z]/.test(node.name) && node.name !== noteName) {
      for (const message of faultsOf(node, components, icons)) {
        if (!warnings.has(message)) warnings.set(message, { path: node.from, line: node.line, message })
      }
    }
    if ('children' in node)
      for (let at = node.children.length - 1; at >= 0; at--) open.push(node.children[at] as PageNode)
  }
  return [...warnings.values()]
}

function faultsOf(node: ComponentNode, components: Components, icons: RenderInput['icons']): string[] {
  const { name } = node
  if (!Object.hasOwn(components, name)) return [`There is no component <${name}>; what is inside it is shown alone.`]
  const fault = components[name]!.fault?.(node) ?? null
  const icon = textProp(node, 'icon')
  const isMissing = icon !== null && isIconName(icon) && findIcon(icon, iconOptions(node, icons)) === null
  return [
    ...(fault === null ? [] : [fault]),
    ...(isMissing ? [`There is no icon "${icon.slice(0, 60)}"; it is left out.`] : []),
  ]
}

function isIconName(icon: string): boolean {
  return icon.trim() !== '' && !isIconAddress(icon) && !/^\p{Extended_Pictographic}/u.test(icon)
}

function iconOptions(node: ComponentNode, icons: RenderInput['icons']): { library?: string; type?: string } {
  const library = textProp(node, 'library', 'iconLibrary') ?? icons
  const type = textProp(node, 'iconType')
  return { library, ...(type === null ? {} : { type }) }
}
