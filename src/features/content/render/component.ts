import type { ElementContent, Element as HastElement } from 'hast'
import type { RootContent } from 'mdast'
import type { CodeBlock } from './rendered-page.ts'

/**
 * A page after its expressions were worked out and its snippets put in: Markdown as the parser gives it, with `component`
 * nodes in the place of JSX. HTML and Markdown are both made from this one tree.
 */
export type PageNode = RootContent | ComponentNode

/** An element or component: `<Card title="…">`, `<img …>`. */
export interface ComponentNode {
  type: 'component'
  name: string
  props: Record<string, PropValue>
  children: PageNode[]
  /** Stands in a line of text. */
  isInline: boolean
  /** The file it is written in, and the line there. */
  from: string
  line: number | null
}

export type PropValue = string | number | boolean | null | PropValue[] | { [name: string]: PropValue } | PropNodes

/** Elements as a value: `icon={<svg … />}`. */
export interface PropNodes {
  type: 'nodes'
  children: PageNode[]
}

/** How one component is shown, in both forms. Neither may throw for any props or children. */
export interface Component {
  html(node: ComponentNode, context: HtmlContext): ElementContent[]
  markdown(node: ComponentNode, context: MarkdownContext): PageNode[]
  /** What it lacks to be shown, in words for its author; null: nothing. */
  fault?(node: ComponentNode): string | null
  /** The title that it stands under in the page's contents, if it has one; `context.idOf(node)` is its anchor then. */
  title?(node: ComponentNode): string | null
  /** Further titles that links may know it by. */
  otherTitles?(node: ComponentNode): string[]
  /** Depth in the table of contents; without it (or null) the title is an anchor only. */
  depth?(node: ComponentNode): number | null
}

export interface HtmlContext {
  children(nodes: PageNode[]): ElementContent[]
  /** The anchor of a component with a title, unique on the page. */
  idOf(node: ComponentNode): string | null
  /** A number of the page's own, for ids that nobody links to (labels of tabs). */
  nextId(): number
  /** What to write as the value of an attribute that holds an address. */
  link(url: string): string
  /** What to write as the text inside `<code>`. */
  code(block: CodeBlock): string
  /**
   * An icon of the site's library, or of the one that is named (`type` is a style of Font Awesome: `regular`, `brands`);
   * of an address, an image. Null for an unknown one.
   */
  icon(name: string, options?: { library?: string; type?: string; className?: string }): HastElement | null
  /** Names of the components around it, nearest first. */
  parents: readonly string[]
}

export interface MarkdownContext {
  /** Nodes with the components in them shown as Markdown. */
  children(nodes: PageNode[]): PageNode[]
  parents: readonly string[]
}
