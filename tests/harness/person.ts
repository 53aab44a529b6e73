// Before any server runs: on a busy machine loading it holds the process up for so long that the server sheds load.
import 'better-auth/minimal'
import 'better-auth/db/adapter'
import { addMember } from '#features/accounts/members/members.ts'
import { createSetupLink } from '#features/accounts/members/setup.ts'
import { findFirstOrganization } from '#features/accounts/members/store.ts'
import type { Role } from '#features/accounts/service.ts'
import type { Answer, CallOptions, TestApp } from './test-app.ts'

export interface Person {
  id: string
  email: string
  password: string
  /** `docent_session=…`, as a browser sends it. */
  cookie: string
  /** Calls as a page of the dashboard does: with the cookie, from an own origin. */
  call(method: Parameters<TestApp['call']>[0], url: string, options?: Omit<CallOptions, 'key'>): Promise<Answer>
}

export const tokenIn = (url: string) => url.split('#token=')[1]!

/** The session's cookie that an answer sets, as a browser sends it; empty when it sets none or takes it away. */
export function cookieIn({ headers }: Answer): string {
  const set = [headers['set-cookie'] ?? []].flat().map((cookie) => String(cookie).split(';')[0]!)
  return set.find((cookie) => /^docent_session=./.test(cookie)) ?? ''
}

// An address each: they are not to use up each other's attempts.
let people = 0
const nextAddress = () => `203.0.${Math.floor(++people / 250)}.${(people % 250) + 1}`

/** The first owner, made through the setup link. */
export async function createOwner(it: TestApp, name = 'Ana'): Promise<Person> {
  const link = await createSetupLink(it.services)
  return await join(it, { path: '/v1/setup', token: tokenIn(link!.url), name })
}

/** A member, made through an invitation by the operator's key; an owner's by an owner. */
export async function createMember(it: TestApp, role: Role, by?: Person): Promise<Person> {
  const call = by ? by.call : it.call
  const { body } = await call('POST', '/v1/invitations', { body: { role } })
  return await join(it, { path: '/v1/invitations/accept', token: tokenIn(body.url), name: `A ${role}` })
}

/** A member who never signs in: without a password, which takes its time to hash. */
export async function insertMember({ services: { db } }: TestApp, role: Role): Promise<{ id: string }> {
  return await db.transaction().execute(async (tx) => {
    const { id: organizationId } = (await findFirstOrganization(tx))!
    const name = `Silent ${++people}`
    const email = `silent-${people}@example.com`
    return await addMember(tx, {
      organizationId,
      role,
      name,
      email,
      emailVerified: false,
      passwordHash: null,
      at: new Date(),
    })
  })
}

async function join(
  it: TestApp,
  { path, token, name }: { path: string; token: string; name: string },
): Promise<Person> {
  const remoteAddress = nextAddress()
  const email = `person-${people}@example.com`
  const password = `password of ${email}`
  const answer = await it.call('POST', path, { key: null, remoteAddress, body: { token, name, email, password } })
  if (answer.status !== 201) throw new Error(`Expected 201, found ${answer.status} ${answer.text}`)
  return personOf(it, { id: answer.body.user.id, email, password, cookie: cookieIn(answer), remoteAddress })
}

/** Signs somebody in once more, as on a second device. */
export async function signInAgain(it: TestApp, { id, email, password }: Person): Promise<Person> {
  const remoteAddress = nextAddress()
  const answer = await it.call('POST', '/v1/session', { key: null, remoteAddress, body: { email, password } })
  return personOf(it, { id, email, password, cookie: cookieIn(answer), remoteAddress })
}

function personOf(it: TestApp, person: Omit<Person, 'call'> & { remoteAddress: string }): Person {
  const { remoteAddress, ...known } = person
  return {
    ...known,
    call: (method, url, { headers = {}, ...options } = {}) =>
      it.call(method, url, {
        key: null,
        remoteAddress,
        headers: { cookie: known.cookie, 'sec-fetch-site': 'same-origin', ...headers },
        ...options,
      }),
  }
}
