import { isObject, type SpecObject, type SpecValue } from './parse-spec.ts'
import type { Body, Content } from './read-operation.ts'
import { fieldOf, listOf, objectOf, type SpecDocument, textOf } from './spec-document.ts'

// What version 2.0 says in another way than 3.0 and later do.

/** A parameter is its own schema there. */
export function swaggerSchema(parameter: SpecObject): SpecObject {
  const { name: _, in: __, required: ___, description: ____, ...schema } = parameter
  return schema
}

/** Of parameters in the body, or in a form. */
export function swaggerBody(document: SpecDocument, operation: SpecObject, parameters: SpecObject[]): Body | null {
  const types = mediaTypes(document, operation, 'consumes')
  const body = parameters.find((parameter) => fieldOf(parameter, 'in') === 'body')
  if (body) {
    return {
      description: textOf(body, 'description'),
      isRequired: fieldOf(body, 'required') === true,
      content: (types.length > 0 ? types : ['application/json']).map((type) => ({
        type,
        schema: fieldOf(body, 'schema'),
        examples: [],
      })),
    }
  }
  const fields = parameters.filter((parameter) => fieldOf(parameter, 'in') === 'formData')
  if (fields.length === 0) return null
  const hasFile = fields.some((field) => fieldOf(field, 'type') === 'file')
  const usual = hasFile ? 'multipart/form-data' : 'application/x-www-form-urlencoded'
  const properties = fields.map((field) => {
    const description = textOf(field, 'description')
    return [textOf(field, 'name') ?? '', { ...swaggerSchema(field), ...(description ? { description } : {}) }]
  })
  const required = fields
    .filter((field) => fieldOf(field, 'required') === true)
    .map((field) => textOf(field, 'name') ?? '')
  const schema: SpecObject = { type: 'object', properties: Object.fromEntries(properties), required }
  const type = types.find((one) => /form/i.test(one)) ?? usual
  return { description: null, isRequired: required.length > 0, content: [{ type, schema, examples: [] }] }
}

export function swaggerContent(document: SpecDocument, operation: SpecObject, response: SpecObject): Content[] {
  const schema = fieldOf(response, 'schema')
  const examples = objectOf(response, 'examples')
  const given = document.entries(examples).slice(0, 20)
  if (schema === undefined && given.length === 0) return []
  const types = given.length > 0 ? given.map(([type]) => type) : mediaTypes(document, operation, 'produces').slice(0, 1)
  return (types.length > 0 ? types : ['application/json']).map((type) => ({
    type: type.slice(0, 120),
    schema,
    examples: given.filter(([one]) => one === type).map(([, value]) => ({ name: null, value })),
  }))
}

function mediaTypes(document: SpecDocument, operation: SpecObject, name: 'consumes' | 'produces'): string[] {
  const own = listOf(operation, name)
  const types: SpecValue[] = own.length > 0 ? own : listOf(document.root, name)
  return types.filter((type): type is string => typeof type === 'string').slice(0, 6)
}

/** `https://host/base`; null when it names no host. */
export function swaggerServer(root: SpecObject): string | null {
  const host = textOf(root, 'host')
  const base = textOf(root, 'basePath') ?? ''
  if (host === null) return base === '' || base === '/' ? null : base
  const schemes = listOf(root, 'schemes')
  const scheme = schemes.includes('https') || typeof schemes[0] !== 'string' ? 'https' : schemes[0]
  return `${scheme}://${host}${base === '/' ? '' : base}`
}

/** `securityDefinitions`, in the words of later versions. */
export function swaggerScheme(scheme: SpecObject): SpecObject {
  const type = fieldOf(scheme, 'type')
  if (type === 'basic') return { ...scheme, type: 'http', scheme: 'basic' }
  if (type !== 'oauth2') return scheme
  const name =
    { accessCode: 'authorizationCode', application: 'clientCredentials' }[textOf(scheme, 'flow') ?? ''] ??
    textOf(scheme, 'flow') ??
    'implicit'
  const scopes = fieldOf(scheme, 'scopes')
  return { ...scheme, flows: { [name]: { ...scheme, scopes: isObject(scopes) ? scopes : {} } } }
}
