import type { PageNode } from '../render/component.ts'
import type { DescribeParts } from './describe-contents.ts'
import { code, codeList, component, paragraph, words } from './page-nodes.ts'
import type { Server } from './read-servers.ts'

/** Where there is a choice: several servers, or one with parts that differ. */
export function describeServers({ markdown }: DescribeParts, servers: Server[]): PageNode[] {
  if (servers.length < 2 && !servers.some(({ variables }) => variables.length > 0)) return []
  const children = servers.flatMap((server): PageNode[] => [
    paragraph(code(server.url), ...(server.description === null ? [] : [words(` ${oneLine(server.description)}`)])),
    ...server.variables.map(({ name, value, options, description }) =>
      component('ParamField', { name, type: 'string', default: value }, [
        ...(description === null ? [] : markdown.field(description)),
        ...(options.length === 0 ? [] : [paragraph(words('Available options: '), ...codeList(options))]),
      ]),
    ),
  ])
  return [component('Expandable', { title: servers.length > 1 ? 'servers' : 'server' }, children)]
}

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').slice(0, 300)
