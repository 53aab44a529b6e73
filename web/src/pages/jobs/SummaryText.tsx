import type { ReactNode } from 'react'

interface Item {
  text: string
  items: Item[]
}
type Block = { kind: 'text' | 'heading' | 'code'; text: string } | { kind: 'list'; items: Item[] }

/**
 * What an agent says it did. Of Markdown, that which summaries use: paragraphs, lists, headings, code and bold. Links
 * and pictures stay as they are written: the words come from a model that has read somebody's pages.
 */
export function SummaryText({ text }: { text: string }) {
  return (
    <div className="flex flex-col gap-2.5 text-sm leading-relaxed break-words">
      {blocksOf(text).map((block, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: blocks of a text have no other name.
        <BlockView key={index} block={block} />
      ))}
    </div>
  )
}

function BlockView({ block }: { block: Block }) {
  if (block.kind === 'list') return <ItemList items={block.items} />
  if (block.kind === 'heading') return <p className="font-semibold">{inline(block.text)}</p>
  if (block.kind === 'code') {
    return (
      <pre className="rounded-lg bg-sunken px-3 py-2 font-mono text-xs break-words whitespace-pre-wrap">
        {block.text}
      </pre>
    )
  }
  return <p>{inline(block.text)}</p>
}

function ItemList({ items }: { items: Item[] }) {
  return (
    <ul className="flex list-disc flex-col gap-1 pl-5 marker:text-muted">
      {items.map((item, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: items of a text have no other name.
        <li key={index}>
          {inline(item.text)}
          {item.items.length > 0 && <ItemList items={item.items} />}
        </li>
      ))}
    </ul>
  )
}

function blocksOf(text: string): Block[] {
  const blocks: Block[] = []
  let paragraph: string[] = []
  const endParagraph = () => {
    if (paragraph.length > 0) blocks.push({ kind: 'text', text: paragraph.join(' ') })
    paragraph = []
  }
  const lines = text.split('\n')
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at]!
    const item = /^(\s*)(?:[-*+]|\d+[.)])\s+(.*)$/.exec(line)
    const heading = /^#{1,6}\s+(.*)$/.exec(line)
    if (line.startsWith('```')) {
      endParagraph()
      const end = lines.findIndex((one, index) => index > at && one.startsWith('```'))
      const last = end < 0 ? lines.length : end
      blocks.push({ kind: 'code', text: lines.slice(at + 1, last).join('\n') })
      at = last
    } else if (item) {
      endParagraph()
      const list = blocks.at(-1)
      const items = list?.kind === 'list' ? list.items : []
      if (list?.kind !== 'list') blocks.push({ kind: 'list', items })
      const parent = item[1]!.length >= 2 ? items.at(-1) : undefined
      ;(parent?.items ?? items).push({ text: item[2]!, items: [] })
    } else if (heading) {
      endParagraph()
      blocks.push({ kind: 'heading', text: heading[1]! })
    } else if (line.trim() === '') endParagraph()
    else paragraph.push(line.trim())
  }
  endParagraph()
  return blocks
}

/** `code` and **bold**. */
function inline(text: string): ReactNode[] {
  return text.split(/(`+[^`]+`+|\*\*[^*]+\*\*)/).map((part, index) => {
    const code = /^`+\s?([^`]+?)\s?`+$/.exec(part)?.[1]
    const bold = /^\*\*([^*]+)\*\*$/.exec(part)?.[1]
    const key = `${index}`
    if (code !== undefined) {
      return (
        <code key={key} className="rounded bg-sunken px-1 py-0.5 font-mono text-[0.8125rem]">
          {code}
        </code>
      )
    }
    return bold === undefined ? part : <strong key={key}>{bold}</strong>
  })
}
