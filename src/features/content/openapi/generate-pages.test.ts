import { expect, test } from 'vitest'
import { generatePages } from './generate-pages.ts'
import type { OperationOutline } from './spec-outline.ts'

const operation = (given: Partial<OperationOutline>): OperationOutline => ({
  method: 'GET',
  path: '/users',
  title: 'List users',
  tag: 'Users',
  operationId: null,
  isDeprecated: false,
  isHidden: false,
  href: null,
  ...given,
})
const routesOf = (operations: Partial<OperationOutline>[], directory = 'api-reference') =>
  generatePages({ title: null, operations: operations.map(operation) }, { directory }).map(({ route }) => route)

test.each<[Partial<OperationOutline>, string]>([
  [{}, '/api-reference/users/list-users'],
  [{ tag: null }, '/api-reference/list-users'],
  [{ tag: 'User management', title: 'Get a user (v2).' }, '/api-reference/user-management/get-a-user-v2'],
  [{ tag: 'core.v1.Service' }, '/api-reference/corev1service/list-users'],
  [{ title: 'GET /users/{id}/keys' }, '/api-reference/users/get-users-keys'],
  [{ title: 'Größe ändern' }, '/api-reference/users/größe-ändern'],
  [{ title: '???', method: 'POST', path: '/a/b' }, '/api-reference/users/post-a-b'],
  [{ title: '???', path: '?' }, '/api-reference/users/get'],
  [{ href: '/guides/users?x#y' }, '/guides/users'],
  [{ href: '/../..//a' }, '/a'],
  [{ href: '/' }, '/api-reference/users/list-users'],
])('%j is at %s', (given, route) => {
  expect(routesOf([given])).toEqual([route])
})

test('of several with one address, the later ones get a number, and hidden ones have no page', () => {
  expect(routesOf([{}, {}, { isHidden: true }, {}], '/api/')).toEqual([
    '/api/users/list-users',
    '/api/users/list-users-1',
    '/api/users/list-users-2',
  ])
})

test('thousands of one name are no work', () => {
  const started = performance.now()
  expect(new Set(routesOf(Array.from({ length: 20_000 }, () => ({})))).size).toBe(20_000)
  expect(performance.now() - started).toBeLessThan(2_000)
})
