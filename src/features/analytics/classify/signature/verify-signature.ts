import { verify } from 'node:crypto'
import { messageOf } from '#base/errors.ts'
import type { AgentKey } from './key-directory.ts'
import { type SignedRequest, serializeComponents, signatureBase } from './signature-base.ts'
import { type Member, parseDictionary, parseString, serializeParameters } from './structured-field.ts'

export type SignatureResult = { host: string } | { fault: string }

// Clocks differ.
const skewSeconds = 60
// The draft recommends no more. It bounds how long a copied request can be sent again.
const longestSeconds = 24 * 60 * 60
// Directories move the end of a key on from day to day. One that was not got again for a while must not turn its agent
// into a person.
const graceSeconds = 30 * 24 * 60 * 60

/**
 * Whether one of the known agents has signed this request as Web Bot Auth asks for (RFC 9421 with Ed25519; drafts
 * webbotauth-httpsig-protocol and -directory). Nothing is fetched: a key that is not among `keys` is not known.
 */
export function verifySignature(
  request: SignedRequest,
  { keys, at }: { keys: ReadonlyMap<string, AgentKey & { host: string }>; at: number },
): SignatureResult {
  try {
    const inputs = parseDictionary(headerOf(request, 'signature-input'))
    const input = [...inputs].find(([, { parameters }]) => parameters.get('tag') === 'web-bot-auth')
    if (!input) return { fault: 'none with the tag web-bot-auth' }
    return { host: checkOne(request, { label: input[0], input: input[1], keys, now: at / 1000 }) }
  } catch (error) {
    return { fault: messageOf(error) }
  }
}

interface Check {
  label: string
  input: Member
  keys: ReadonlyMap<string, AgentKey & { host: string }>
  /** Seconds since 1970. */
  now: number
}

/** The host whose key it was signed with. Throws a plain error that says why not. */
function checkOne(request: SignedRequest, { label, input, keys, now }: Check): string {
  const { value: components, parameters } = input
  if (!Array.isArray(components)) throw new Error('it covers nothing')
  const covers = (name: string) => components.some(({ value }) => value === name)
  if (!covers('@authority') && !covers('@target-uri')) throw new Error('it does not cover the host')
  checkTimes(parameters.get('created'), parameters.get('expires'), now)
  const algorithm = parameters.get('alg')
  if (algorithm !== undefined && algorithm !== 'ed25519') throw new Error('its algorithm is not ed25519')
  const id = parameters.get('keyid')
  const key = typeof id === 'string' ? keys.get(id) : undefined
  if (!key) throw new Error('its key is not known: docent analytics ranges update')
  if (now < (key.notBefore ?? 0) - skewSeconds) throw new Error('its key is not yet valid')
  if (now > (key.expires ?? Number.POSITIVE_INFINITY) + graceSeconds) throw new Error('its key is no longer valid')
  if (request.headers['signature-agent'] !== undefined) {
    if (!covers('signature-agent')) throw new Error('it does not cover Signature-Agent')
    if (agentOf(request, label) !== key.host) throw new Error('Signature-Agent names somebody else')
  }
  const signature = parseDictionary(headerOf(request, 'signature')).get(label)?.value
  if (!(signature instanceof Uint8Array) || signature.length !== 64) throw new Error('it has no signature of 64 bytes')
  const base = signatureBase(request, components, serializeComponents(components) + serializeParameters(parameters))
  if (!verify(null, Buffer.from(base), key.key, signature)) throw new Error('it is not valid')
  return key.host
}

function checkTimes(created: unknown, expires: unknown, now: number): void {
  if (typeof created !== 'number' || typeof expires !== 'number') throw new Error('it lacks created or expires')
  if (created > now + skewSeconds) throw new Error('it was made in the future')
  if (expires < now - skewSeconds) throw new Error('it has expired')
  if (expires - created > longestSeconds) throw new Error('it is valid for more than a day')
}

/** Both forms occur: `"https://chatgpt.com"`, and by label, `sig1="https://chatgpt.com"`. Null for no https URL. */
function agentOf(request: SignedRequest, label: string): string | null {
  const header = headerOf(request, 'signature-agent')
  const bare = parseString(header)
  const named = bare ?? agentInDictionary(header, label)
  if (named === null || !URL.canParse(named)) return null
  const url = new URL(named)
  return url.protocol === 'https:' && url.username === '' && url.password === '' ? url.host : null
}

function agentInDictionary(header: string, label: string): string | null {
  const members = parseDictionary(header)
  const [only] = members.values()
  // Google labels it differently from its signature; with a single one there is nothing to confuse.
  const member = members.get(label) ?? (members.size === 1 ? only : undefined)
  return typeof member?.value === 'string' ? member.value : null
}

function headerOf({ headers }: SignedRequest, name: string): string {
  const value = headers[name]
  if (value === undefined) throw new Error(`there is no header ${name}`)
  return Array.isArray(value) ? value.join(', ') : value
}
