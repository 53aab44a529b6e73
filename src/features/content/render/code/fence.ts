import type { ElementContent } from 'hast'
import type { Code } from 'mdast'
import type { HtmlContext } from '../component.ts'
import { element, present } from '../components/element.ts'
import { type FenceMeta, parseFenceMeta } from './fence-meta.ts'

/** A block of code and what its author said of it, whether written as a fence or as a component. */
export interface Fence extends FenceMeta {
  /** Empty: none was said. */
  language: string
  text: string
}

export function readFence({ lang, meta, value }: Pick<Code, 'lang' | 'meta' | 'value'>): Fence {
  const language = (lang ?? '').slice(0, 60)
  // A block without a language may say this in its place.
  if (language === 'nocopy') return { ...parseFenceMeta(`${language} ${meta ?? ''}`), language: '', text: value }
  return { ...parseFenceMeta(meta), language, text: value }
}

export const isMermaid = (fence: Fence) => fence.language.toLowerCase() === 'mermaid'

/** Code of a page, diagrams included. `hasTitle: false`: what stands around it shows the title. */
export function showFence(fence: Fence, context: HtmlContext, { hasTitle = true } = {}): ElementContent[] {
  if (isMermaid(fence)) return [diagram(fence)]
  const icon = fence.icon === null || !hasTitle ? null : context.icon(fence.icon)
  const title = hasTitle ? fence.title : null
  return [
    element(
      'div',
      {
        className: ['code-block'],
        dataLanguage: fence.language || 'text',
        dataWrap: present(fence.wraps),
        dataExpandable: present(fence.isExpandable),
        dataLines: present(fence.hasLineNumbers),
        dataFocus: present(fence.focused.length > 0),
        dataNocopy: present(fence.hidesCopy),
      },
      title === null && icon === null ? null : element('div', { className: ['code-title'] }, icon, title),
      // Long lines are scrolled to by keyboard too.
      element('pre', { tabIndex: 0 }, element('code', {}, context.code(blockOf(fence)))),
    ),
  ]
}

function blockOf({ language, text, highlighted, focused, hasLineNumbers }: Fence) {
  return { language, text, highlighted, focused, hasLineNumbers }
}

/** Drawn in the reader's page; until then, and without script, its source. */
export function diagram({ text, options }: Pick<Fence, 'text' | 'options'>): ElementContent {
  const { placement = null, actions = null } = options
  return element(
    'pre',
    {
      className: ['mermaid'],
      dataMermaid: '',
      dataPlacement: placement && /^(top|bottom)-(left|right)$/.test(placement) ? placement : null,
      dataActions: actions === 'true' || actions === 'false' ? actions : null,
    },
    text,
  )
}

/** A fence with its language and title, and without what is only about its looks. */
export function fenceMarkdown({ language, title, text }: Pick<Fence, 'language' | 'title' | 'text'>): Code {
  // The first word is the language, so a title needs one before it.
  return { type: 'code', lang: language || (title === null ? null : 'text'), meta: title, value: text }
}
