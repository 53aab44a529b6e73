import type { Component } from '../component.ts'
import { accordion, accordionGroup, expandable } from './accordion.ts'
import { badge } from './badge.ts'
import { callout } from './callout.ts'
import { card } from './card.ts'
import { codeBlock, codeGroup, example } from './code-group.ts'
import { colorItem, colorList, colorRow } from './color.ts'
import { column, columns } from './columns.ts'
import { endpoint } from './endpoint.ts'
import { field } from './field.ts'
import { frame } from './frame.ts'
import { heading } from './heading.ts'
import { icon } from './icon.ts'
import { latex } from './latex.ts'
import { mermaid } from './mermaid.ts'
import { panel, visibility } from './passage.ts'
import { prompt } from './prompt.ts'
import { repositoryCard } from './repository-card.ts'
import { step, steps } from './steps.ts'
import { tab, tabs, view } from './tabs.ts'
import { tile } from './tile.ts'
import { tooltip } from './tooltip.ts'
import { tree, treeEntry } from './tree.ts'
import { update } from './update.ts'

/*
 * Markup of components, for whoever styles it (site/browser) or acts on it. Everything reads well without script and
 * without style; nothing carries a style attribute. `?` may be missing; `…` is the author's content.
 *
 * Fences of a page are shown by `showFence(readFence(node), context)` and `fenceMarkdown(readFence(node))` of code/fence.ts.
 * Lists that components beside each other make (cards, fields) are joined by `joinLists` of markdown-nodes.ts. Stylesheets
 * that go with this: `codeStylesheet` (code/code-stylesheet.ts: .t1 …, .line …) and `mathStylesheet` (math-stylesheet.ts).
 *
 * Icons     svg.icon[aria-hidden] (draws in currentColor; wants 1em square)   svg.icon.icon-sized[width][height][color?]
 *           img.icon (a file or address; also .icon-sized)   span.icon-text (an emoji in its place)
 * Colours   [data-color] on callout, card, badge: gray red orange yellow green teal blue purple pink
 *           (badge also: white surface white-destructive surface-destructive). Any other colour became the nearest of these.
 * Themes    .only-light .only-dark: shown in one of them
 *
 * Callouts  div.callout[role=note][data-kind=note|info|tip|warning|check|danger|custom][data-color?]
 *             > svg.icon.callout-icon?  div.callout-body > p.callout-title?  …
 * Cards     div.card[data-kind?=note|info|…][data-color?][data-horizontal?][data-link?]
 *             > img.card-image?  span.card-icon? > .icon
 *               div.card-body > p.card-title? > a.card-link? (stretch its ::after over the card; other links above it) svg.icon.card-arrow?
 *                               div.card-text …   p.card-cta? > a.card-link?
 *           GitHub repositories: div.card.card-repository
 * Columns   div.columns[data-cols=1..4] > div.column? | .card | .tile …     (CardGroup, Columns, Tiles)
 * Tiles     div.tile[data-link?] > div.tile-preview …  p.tile-title? > a.card-link?   p.tile-description?
 * Frame     figure.frame > p.frame-hint?  div.frame-content …  figcaption?
 * Tabs      div.tabs[data-tabs][data-sync?=title][data-default?=index from 0][data-border?]
 *             > div.tab[data-title][id] > p.tab-title > .icon? text   …
 * Code      div.code-block[data-language][data-wrap?][data-expandable?][data-lines?][data-focus?][data-nocopy?]
 *             > div.code-title? > .icon? text   pre[tabindex=0] > code      (one div.code-block without .code-title: no header)
 *           inside code: span.line (.highlighted .focused .added .removed .error .warning?) with span.t1 … ; see code/token-kinds.ts
 *           groups: div.code-group[data-tabs][data-sync=title][data-dropdown?] > div.tab[data-title][id] > p.tab-title  div.code-block
 * Examples  div.example[data-example=request|response] > div.code-group | div.code-block | …
 * Panel     div.panel[data-panel] …                  (content for the side of the page)
 * Accordion details.accordion[id][open?] > summary > span.accordion-icon?  span.accordion-title  span.accordion-description?
 *                                          div.accordion-body …
 *           div.accordion-group > details.accordion
 * Expandable details.expandable[open?] > summary > span.expandable-title   div.expandable-body …
 * Steps     ol.steps > li.step[id?][value?] (number: counter(list-item)) > span.step-icon?  (p|h2|h3|h4).step-title  div.step-body …
 * Fields    div.field[id] > div.field-head > div.field-label*  code.field-name  div.field-type  div.field-place? (query, path…)
 *                             div.field-required?  div.field-deprecated?  div.field-default? > code
 *                           div.field-body …
 * Endpoint  div.endpoint > span.method[data-method=get|post|…]  code.endpoint-path > span.endpoint-server?  text and span.endpoint-parameter
 * Update    section.update[id] > div.update-head > h2.update-label > a   ul.update-tags? > li   p.update-description?
 *                                div.update-body …
 * Badge     span.badge[data-color][data-size=xs|sm|md|lg][data-shape=rounded|pill][data-stroke?][data-disabled?]
 * Tooltip   span.tooltip[tabindex=0][aria-describedby] > …  span.tooltip-content[role=tooltip][id] > strong?  text  a?
 * Tree      ul.tree > li.tree-folder[data-highlight?] > details[open?] > summary > .icon text   ul > li …
 *                     li.tree-file[data-highlight?] > .icon text        (a folder that does not open: li.tree-folder > span.tree-name)
 * View      div.view[data-view][data-title][id] > p.view-title  …        (a page's views exclude each other)
 * Prompt    div.prompt[data-prompt] > div.prompt-head > .icon?  div.prompt-description   details.prompt-text > summary  pre > code (what is copied)
 * Color     div.colors[data-variant=compact|table] > div.color-row? > p.color-row-title  div.color-items?
 *             div.color > svg.color-swatch (.only-light .only-dark)  span.color-name  code.color-value
 * Mermaid   pre.mermaid[data-mermaid][data-placement?][data-actions?=true|false]   (its text is the source)
 * Math      span.math > math      div.math[data-display] > math[display=block]     code.math-error (what could not be read)
 */
export const components: Record<string, Component> = {
  Accordion: accordion,
  AccordionGroup: accordionGroup,
  Badge: badge,
  Banner: callout('info'),
  Callout: callout('custom'),
  Card: card,
  CardGroup: columns,
  Check: callout('check'),
  CodeBlock: codeBlock,
  CodeGroup: codeGroup,
  Color: colorList,
  'Color.Item': colorItem,
  'Color.Row': colorRow,
  Column: column,
  Columns: columns,
  Danger: callout('danger'),
  Endpoint: endpoint,
  Expandable: expandable,
  FileTree: tree,
  Frame: frame,
  'GitHub.Repo': repositoryCard,
  Heading: heading,
  Icon: icon,
  Info: callout('info'),
  Latex: latex,
  Mermaid: mermaid,
  Note: callout('note'),
  Panel: panel,
  Param: field('param'),
  ParamField: field('param'),
  Prompt: prompt,
  RequestExample: example('request'),
  ResponseExample: example('response'),
  ResponseField: field('response'),
  Step: step,
  Steps: steps,
  Tab: tab,
  TabItem: tab,
  Tabs: tabs,
  Tile: tile,
  Tiles: columns,
  Tip: callout('tip'),
  Tooltip: tooltip,
  Tree: tree,
  'Tree.File': treeEntry,
  'Tree.Folder': treeEntry,
  Update: update,
  View: view,
  Visibility: visibility,
  Warning: callout('warning'),
}
