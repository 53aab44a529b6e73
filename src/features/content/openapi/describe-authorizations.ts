import type { PageNode } from '../render/component.ts'
import type { DescribeParts } from './describe-contents.ts'
import { code, component, heading, paragraph, words } from './page-nodes.ts'
import type { Authorization } from './read-security.ts'

export function describeAuthorizations(parts: DescribeParts, ways: Authorization[][]): PageNode[] {
  const needed = ways.filter((way) => way.length > 0)
  if (needed.length === 0) return []
  const isOptional = needed.length < ways.length
  const describeWay = (way: Authorization[]) => way.map((one) => describeOne(parts, one, !isOptional))
  const [only] = needed
  const fields =
    needed.length === 1
      ? describeWay(only!)
      : [paragraph(words('One of these is enough:')), ...needed.flatMap(describeWay)]
  const optional = isOptional ? [paragraph(words('It can also be called without authorization.'))] : []
  return [heading('Authorization'), ...optional, ...fields]
}

function describeOne({ markdown }: DescribeParts, one: Authorization, isRequired: boolean): PageNode {
  const { name, place, description, flows, scopes } = one
  const children: PageNode[] = description === null ? [usualWords(one)] : markdown.field(description)
  if (scopes.length > 0) {
    const needs = scopes.flatMap((scope, at) => [
      ...(at === 0 ? [] : [words(', ')]),
      code(scope.name),
      ...(scope.description === null ? [] : [words(` (${scope.description})`)]),
    ])
    children.push(paragraph(words('Scopes: '), ...needs))
  }
  for (const { name: flow, authorizationUrl, tokenUrl } of flows) {
    children.push(
      paragraph(
        words(`${flowNames[flow] ?? flow}.`),
        ...(authorizationUrl === null
          ? []
          : [words(' Authorization at '), code(authorizationUrl.slice(0, 300)), words('.')]),
        ...(tokenUrl === null ? [] : [words(' Token from '), code(tokenUrl.slice(0, 300)), words('.')]),
      ),
    )
  }
  return component('ParamField', { [place]: name, type: 'string', required: isRequired || undefined }, children)
}

const flowNames: Record<string, string> = Object.assign(Object.create(null), {
  authorizationCode: 'OAuth 2.0, authorization code',
  clientCredentials: 'OAuth 2.0, client credentials',
  implicit: 'OAuth 2.0, implicit',
  password: 'OAuth 2.0, password',
  deviceAuthorization: 'OAuth 2.0, device authorization',
})

function usualWords({ kind }: Authorization): PageNode {
  switch (kind) {
    case 'bearer':
    case 'oauth':
      return paragraph(words('A header of the form '), code('Bearer <token>'), words(', with your token.'))
    case 'basic':
      return paragraph(
        words('A header of the form '),
        code('Basic <credentials>'),
        words(', with '),
        code('username:password'),
        words(' in Base64.'),
      )
    case 'key':
      return paragraph(words('Your API key.'))
    case 'other':
      return paragraph(words('Your credentials.'))
  }
}
