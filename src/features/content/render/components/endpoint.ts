import type { ElementContent } from 'hast'
import type { Component } from '../component.ts'
import { element } from './element.ts'
import { code, paragraph, strong, text } from './markdown-nodes.ts'
import { textProp } from './props.ts'

/** `<Endpoint method="GET" path="/pets/{id}" server="https://api.example.com" />`: what a page about an operation starts with. */
export const endpoint: Component = {
  html(node) {
    const method = (textProp(node, 'method') ?? 'get').slice(0, 20)
    const server = textProp(node, 'server', 'baseUrl')
    return [
      element(
        'div',
        { className: ['endpoint'] },
        element('span', { className: ['method'], dataMethod: method.toLowerCase() }, method.toUpperCase()),
        // Seen by nobody, but the two must not run together where it is read as text.
        ' ',
        element(
          'code',
          { className: ['endpoint-path'] },
          server && element('span', { className: ['endpoint-server'] }, server.replace(/\/$/, '')),
          markParameters(textProp(node, 'path') ?? '/'),
        ),
      ),
    ]
  },
  markdown(node) {
    const method = (textProp(node, 'method') ?? 'get').toUpperCase()
    const server = (textProp(node, 'server', 'baseUrl') ?? '').replace(/\/$/, '')
    return [paragraph(strong(method), text(' '), code(`${server}${textProp(node, 'path') ?? '/'}`))]
  },
}

/** The path with its parameters apart, and places to break a long one at. */
function markParameters(path: string): ElementContent[] {
  return path.split(/(\{[^{}]*\}|\/)/).flatMap((part): ElementContent[] => {
    if (part === '') return []
    if (part.startsWith('{')) return [element('span', { className: ['endpoint-parameter'] }, part)]
    return part === '/' ? [element('wbr', {}), { type: 'text', value: part }] : [{ type: 'text', value: part }]
  })
}
