import { createPrivateKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type AgentKey, parseKeyDirectory, thumbprint } from './key-directory.ts'
import { type SignedRequest, serializeComponents, signatureBase } from './signature-base.ts'
import { parseDictionary, serializeParameters } from './structured-field.ts'
import { verifySignature } from './verify-signature.ts'

const now = Date.UTC(2026, 10, 15, 12)
const seconds = now / 1000

function createAgent(host: string, validity: { nbf?: number; exp?: number } = {}) {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const { keys } = parseKeyDirectory(
    JSON.stringify({ keys: [{ ...publicKey.export({ format: 'jwk' }), ...validity }] }),
  )
  return { key: { ...keys[0]!, host }, privateKey }
}

const chatgpt = createAgent('chatgpt.com')
const google = createAgent('agent.bot.goog')
const keysOf = (...keys: (AgentKey & { host: string })[]) => new Map(keys.map((key) => [key.id, key]))
const keys = keysOf(chatgpt.key, google.key)

interface Signing {
  components?: string
  parameters?: string
  agent?: string | null
  url?: string
  by?: { key: AgentKey & { host: string }; privateKey: KeyObject }
}

/** A request, signed as RFC 9421 says. */
function signed({
  components,
  parameters,
  agent = '"https://chatgpt.com"',
  url = '/guide?x=1',
  by = chatgpt,
}: Signing = {}) {
  const covered = components ?? `("@authority" "@method" "@path"${agent === null ? '' : ' "signature-agent"'})`
  const rest =
    parameters ??
    `;created=${seconds};expires=${seconds + 3600};keyid="${by.key.id}";nonce="n";tag="web-bot-auth";alg="ed25519"`
  const request: SignedRequest = { method: 'GET', url, headers: { host: 'docs.example.com' } }
  if (agent !== null) request.headers['signature-agent'] = agent
  const input = parseDictionary(`sig1=${covered}${rest}`).get('sig1')!
  if (!Array.isArray(input.value)) throw new Error('expected a list')
  const base = signatureBase(
    request,
    input.value,
    serializeComponents(input.value) + serializeParameters(input.parameters),
  )
  request.headers['signature-input'] = `sig1=${covered}${rest}`
  request.headers.signature = `sig1=:${sign(null, Buffer.from(base), by.privateKey).toString('base64')}:`
  return request
}

const check = (request: SignedRequest, at = now) => verifySignature(request, { keys, at })

test('the base and the signature are those of the example B.2.6 of RFC 9421', () => {
  const x = 'JrQLj5P_89iXES9-vFgrIy29clF9CC_oPPsw3c5D0bs'
  const d = 'n4Ni-HpISpVObnQMW0wOhCKROaIKqKtW_2ZYb2p9KcU'
  const request: SignedRequest = {
    method: 'POST',
    url: '/foo?param=Value&Pet=dog',
    headers: {
      host: 'example.com',
      date: 'Tue, 20 Apr 2021 02:07:55 GMT',
      'content-type': 'application/json',
      'content-length': '18',
    },
  }
  const text =
    'sig-b26=("date" "@method" "@path" "@authority" "content-type" "content-length");created=1618884473;keyid="test-key-ed25519"'
  const { value, parameters } = parseDictionary(text).get('sig-b26')!
  if (!Array.isArray(value)) throw new Error('expected a list')
  const base = signatureBase(request, value, serializeComponents(value) + serializeParameters(parameters))
  expect(base.split('\n')).toEqual([
    '"date": Tue, 20 Apr 2021 02:07:55 GMT',
    '"@method": POST',
    '"@path": /foo',
    '"@authority": example.com',
    '"content-type": application/json',
    '"content-length": 18',
    `"@signature-params": ${text.slice('sig-b26='.length)}`,
  ])
  const privateKey = createPrivateKey({ key: { kty: 'OKP', crv: 'Ed25519', x, d }, format: 'jwk' })
  expect(sign(null, Buffer.from(base), privateKey).toString('base64')).toBe(
    'wqcAqbmYJ2ji2glfAMaRy4gruYYnx2nEFN2HN6jrnDnQCK1u02Gb04v9EDgwUPiu4A0w6vuQv5lIp5WPpBKRCw==',
  )
  // The same example is not of an agent: it lacks the tag, and says nothing about when it ends.
  request.headers['signature-input'] = text
  expect(verifySignature(request, { keys, at: 1618884473000 })).toEqual({ fault: 'none with the tag web-bot-auth' })
})

test('the key of ChatGPT’s directory has the id that its requests name', () => {
  const directory = {
    keys: [
      {
        kid: 'otMqcjr17mGyruktGvJU8oojQTSMHlVm7uO-lrcqbdg',
        crv: 'Ed25519',
        kty: 'OKP',
        x: '7F_3jDlxaquwh291MiACkcS3Opq88NksyHiakzS-Y1g',
        use: 'sig',
        nbf: 1735689600,
        exp: 1754656053,
      },
    ],
    signature_agent: 'https://chatgpt.com',
    purpose: 'ai',
  }
  expect(thumbprint(directory.keys[0]!.x)).toBe(directory.keys[0]!.kid)
  expect(parseKeyDirectory(JSON.stringify(directory)).keys).toMatchObject([
    { id: directory.keys[0]!.kid, expires: 1754656053 },
  ])
  expect(parseKeyDirectory(JSON.stringify(directory.keys[0])).keys).toMatchObject([{ id: directory.keys[0]!.kid }])
})

test.each([
  '{}',
  '[]',
  'x',
  '{"keys":[]}',
  '{"keys":[{"kty":"RSA","n":"x","e":"AQAB"}]}',
  '{"keys":[{"kty":"OKP","crv":"Ed25519","x":"short"}]}',
])('a directory without a key of Ed25519 is none: %s', (text) => {
  expect(() => parseKeyDirectory(text)).toThrow()
})

test.each<[string, Signing]>([
  ['Signature-Agent as a bare string', {}],
  [
    'Signature-Agent as a dictionary by the label of the signature',
    { agent: 'sig1="https://chatgpt.com"', components: '("@authority" "signature-agent";key="sig1")' },
  ],
  ['a whole dictionary under the signature', { agent: 'sig1="https://chatgpt.com"' }],
  [
    'a dictionary with another label, as Google sends it',
    { agent: 'g="https://agent.bot.goog"', by: google, components: '("@authority" "signature-agent";key="g")' },
  ],
  ['no Signature-Agent at all', { agent: null }],
  ['the address of the page instead of the host', { components: '("@target-uri" "signature-agent")' }],
  ['an absolute URL', { url: 'https://Docs.Example.com:443/guide' }],
  ['a path that a parser would tidy up', { url: '/a/../b%2e/%7Euser//?q=ä' }],
])('a request is verified with %s', (_, signing) => {
  expect(check(signed(signing))).toEqual({ host: (signing.by ?? chatgpt).key.host })
})

test.each<[string, () => SignedRequest, string]>([
  [
    'another host',
    () => ({ ...signed(), headers: { ...signed().headers, host: 'evil.example.com' } }),
    'it is not valid',
  ],
  ['another path', () => ({ ...signed(), url: '/other' }), 'it is not valid'],
  ['another method', () => ({ ...signed(), method: 'POST' }), 'it is not valid'],
  [
    'somebody else’s key under this id',
    () => signed({ by: { key: chatgpt.key, privateKey: google.privateKey } }),
    'it is not valid',
  ],
  [
    'another agent’s name',
    () => signed({ agent: '"https://chatgpt.com"', by: google }),
    'Signature-Agent names somebody else',
  ],
  [
    'an agent that is no https URL',
    () => signed({ agent: '"http://chatgpt.com"' }),
    'Signature-Agent names somebody else',
  ],
  [
    'an agent’s name with another one in it',
    () => signed({ agent: '"https://chatgpt.com@evil.example"' }),
    'Signature-Agent names somebody else',
  ],
  [
    'Signature-Agent left out of it',
    () => signed({ components: '("@authority")' }),
    'it does not cover Signature-Agent',
  ],
  [
    'the host left out of it',
    () => signed({ components: '("@method" "signature-agent")' }),
    'it does not cover the host',
  ],
  ['nothing in it', () => signed({ components: '()' }), 'it does not cover the host'],
  [
    'a component twice',
    () => ({
      ...signed(),
      headers: {
        ...signed().headers,
        'signature-input': signed().headers['signature-input']!.toString().replace('"@method"', '"@path"'),
      },
    }),
    'a component is there twice',
  ],
  [
    'a component that we do not know',
    () => ({
      ...signed(),
      headers: {
        ...signed().headers,
        'signature-input': signed().headers['signature-input']!.toString().replace('"@method"', '"@status"'),
      },
    }),
    '@status is not known',
  ],
  [
    'no signature',
    () => ({ ...signed(), headers: { ...signed().headers, signature: undefined } }),
    'there is no header signature',
  ],
  [
    'a signature of another label',
    () => ({ ...signed(), headers: { ...signed().headers, signature: 'sig2=:AA==:' } }),
    'it has no signature of 64 bytes',
  ],
])('a request with %s is not', (_, make, fault) => {
  expect(check(make())).toEqual({ fault })
})

const parameters = (given: string) => `${given};keyid="${chatgpt.key.id}";tag="web-bot-auth"`

test.each<[string, string, string | null]>([
  ['is over', parameters(`;created=${seconds - 600};expires=${seconds - 61}`), 'it has expired'],
  ['is just over, by a clock that is slow', parameters(`;created=${seconds - 600};expires=${seconds - 59}`), null],
  ['has not begun', parameters(`;created=${seconds + 61};expires=${seconds + 600}`), 'it was made in the future'],
  [
    'lasts more than a day',
    parameters(`;created=${seconds};expires=${seconds + 86_401}`),
    'it is valid for more than a day',
  ],
  ['has no end', parameters(`;created=${seconds}`), 'it lacks created or expires'],
  ['has no beginning', parameters(`;expires=${seconds + 60}`), 'it lacks created or expires'],
  ['has a text as its end', parameters(`;created=${seconds};expires="never"`), 'it lacks created or expires'],
  [
    'is of another algorithm',
    `${parameters(`;created=${seconds};expires=${seconds + 60}`)};alg="hmac-sha256"`,
    'its algorithm is not ed25519',
  ],
  [
    'has another tag',
    `;created=${seconds};expires=${seconds + 60};keyid="${chatgpt.key.id}";tag="other"`,
    'none with the tag web-bot-auth',
  ],
  [
    'has a key that is not known',
    `;created=${seconds};expires=${seconds + 60};keyid="other";tag="web-bot-auth"`,
    'its key is not known: docent analytics ranges update',
  ],
])('of a signature that %s', (_, given, fault) => {
  expect(check(signed({ parameters: given }))).toEqual(fault === null ? { host: 'chatgpt.com' } : { fault })
})

test('a key counts for a month after the end that the last directory gave it, and not before its beginning', () => {
  const day = 86_400
  const verdictOf = (validity: { nbf?: number; exp?: number }) => {
    const agent = createAgent('chatgpt.com', validity)
    return verifySignature(signed({ by: agent }), { keys: keysOf(agent.key), at: now })
  }
  expect(verdictOf({ exp: seconds - 29 * day })).toEqual({ host: 'chatgpt.com' })
  expect(verdictOf({ exp: seconds - 31 * day })).toEqual({ fault: 'its key is no longer valid' })
  expect(verdictOf({ nbf: seconds + 3600 })).toEqual({ fault: 'its key is not yet valid' })
})

test('of several signatures the one with the tag counts', () => {
  const request = signed()
  request.headers['signature-input'] = `proxy=("@method");created=1;keyid="p", ${request.headers['signature-input']}`
  request.headers.signature = `proxy=:AAAA:, ${request.headers.signature}`
  expect(check(request)).toEqual({ host: 'chatgpt.com' })
})

test('whatever headers say, there is an answer and no error, and nothing forged is verified', () => {
  const part = fc.oneof(
    fc.constantFrom(
      'sig1=',
      '("@authority")',
      ';created=',
      ';tag="web-bot-auth"',
      `;keyid="${chatgpt.key.id}"`,
      ',',
      ';',
      '"',
      '\\',
      ':AA==:',
      '(',
      ')',
      ' ',
      '"https://chatgpt.com"',
      String(seconds),
    ),
    fc.string({ maxLength: 10 }),
  )
  const header = fc.array(part, { maxLength: 12 }).map((parts) => parts.join(''))
  fc.assert(
    fc.property(header, header, header, fc.webPath(), (input, signature, agent, url) => {
      const request = {
        method: 'GET',
        url,
        headers: { host: 'h', 'signature-input': input, signature, 'signature-agent': agent },
      }
      expect(check(request)).toHaveProperty('fault')
    }),
    { numRuns: 500 },
  )
})

test('long headers are refused before they are read', () => {
  const request = signed()
  request.headers['signature-input'] = `sig1=(${'"@authority" '.repeat(100_000)})`
  expect(check(request)).toEqual({ fault: 'the header is too long' })
})

test('one changed byte of the signature is enough', () => {
  const request = signed()
  const bytes = Buffer.from(String(request.headers.signature).slice(6, -1), 'base64')
  fc.assert(
    fc.property(fc.nat(63), fc.integer({ min: 1, max: 255 }), (place, change) => {
      const changed = Buffer.from(bytes)
      changed[place]! ^= change
      expect(
        check({ ...request, headers: { ...request.headers, signature: `sig1=:${changed.toString('base64')}:` } }),
      ).toEqual({ fault: 'it is not valid' })
    }),
    { numRuns: 50 },
  )
})
