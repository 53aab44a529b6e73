import { expect, test } from 'vitest'
import { DocentError, messageOf, toDocentError } from './errors.ts'

test('an error carries what callers decide by, and its cause', () => {
  const cause = new Error('socket hang up')
  const details = [{ path: 'limit', message: 'expected a number' }]
  const error = new DocentError('unavailable', 'host.down', 'The host is down.', {
    cause,
    details,
    retryAfterSeconds: 5,
  })
  expect(error).toMatchObject({
    name: 'DocentError',
    kind: 'unavailable',
    code: 'host.down',
    details,
    retryAfterSeconds: 5,
  })
  expect(error.cause).toBe(cause)
  expect(error.stack).toContain('errors.test.ts')
})

test('an error without a cause has none, not one that is undefined', () => {
  expect('cause' in new DocentError('internal', 'a.b', 'text')).toBe(false)
})

test('our own error stays as it is', () => {
  const error = new DocentError('conflict', 'job.archived', 'It is archived.')
  expect(toDocentError(error)).toBe(error)
})

test.each([[new TypeError('x is not a function')], ['a text'], [undefined], [null], [{ kind: 'invalid' }]])(
  'anything else that is thrown becomes internal, and its words do not reach the caller: %s',
  (thrown) => {
    const error = toDocentError(thrown)
    expect(error).toMatchObject({
      kind: 'internal',
      code: 'server.internal',
      message: 'Something went wrong on our side.',
    })
    expect(error.cause).toBe(thrown)
  },
)

test.each([
  [Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:5432'), { code: 'ECONNREFUSED' })],
  [Object.assign(new Error('terminating connection due to administrator command'), { code: '57P01' })],
  [Object.assign(new Error('deadlock detected'), { code: '40P01' })],
  [new Error('Connection terminated unexpectedly')],
  [new Error('Client has encountered a connection error and is not queryable')],
  [new Error('timeout exceeded when trying to connect')],
])('what passes by itself becomes unavailable, and its words do not reach the caller: %s', (thrown) => {
  const error = toDocentError(thrown)
  expect(error).toMatchObject({ kind: 'unavailable', code: 'dependency.unreachable', retryAfterSeconds: 5 })
  expect(error.message).not.toContain(thrown.message)
  expect(error.cause).toBe(thrown)
})

test.each([
  [new Error('broken'), 'broken'],
  ['broken', 'broken'],
  [undefined, 'undefined'],
  [null, 'null'],
  [42, '42'],
])('of whatever is thrown there is a message: %s', (thrown, message) => {
  expect(messageOf(thrown)).toBe(message)
})
