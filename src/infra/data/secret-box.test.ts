import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { DocentError } from '#base/errors.ts'
import { createSecretBox, ensureSecretFile } from './secret-box.ts'

const box = createSecretBox('the secret of this test, long enough')
const anyText = fc.oneof(fc.string(), fc.string({ unit: 'binary', maxLength: 200 }))

function refusal(open: () => unknown): DocentError {
  try {
    open()
  } catch (error) {
    expect(error).toBeInstanceOf(DocentError)
    return error as DocentError
  }
  throw new Error('It opened.')
}

describe('a signature', () => {
  test('holds for its text and its context, in any process with the same secret', () => {
    const other = createSecretBox('the secret of this test, long enough')
    fc.assert(
      fc.property(anyText, anyText, (text, context) => {
        const signature = box.sign(text, context)
        expect(signature).toMatch(/^[\w-]{43}$/)
        expect(other.verify(text, context, signature)).toBe(true)
      }),
    )
  })

  test('holds for nothing else', () => {
    fc.assert(
      fc.property(anyText, anyText, anyText, anyText, (text, context, otherText, otherContext) => {
        // A lone surrogate is no text; encoding it gives the replacement character.
        const asBytes = (...texts: string[]) => JSON.stringify(texts.map((one) => one.toWellFormed()))
        const isSame = asBytes(text, context) === asBytes(otherText, otherContext)
        expect(box.verify(otherText, otherContext, box.sign(text, context))).toBe(isSame)
      }),
    )
    expect(box.verify('b', 'a', box.sign('ab', ''))).toBe(false)
    expect(
      box.verify('text', 'place', createSecretBox('another secret of the same length!').sign('text', 'place')),
    ).toBe(false)
  })

  test('is refused in any other spelling, and whatever else is given for one', () => {
    const good = box.sign('text', 'place')
    for (const bad of ['', good.slice(0, -1), `${good}=`, `${good}A`, ` ${good}`, `${good.slice(0, 42)}\n`]) {
      expect(box.verify('text', 'place', bad)).toBe(false)
    }
    fc.assert(fc.property(anyText, (bad) => box.verify('text', 'place', bad) === (bad === good)))
  })
})

describe('a sealed text', () => {
  test('opens again, whatever it is and wherever it stands', () => {
    fc.assert(
      fc.property(anyText, anyText, (text, context) => {
        // A lone surrogate is no text; encoding it gives the replacement character, sealed or not.
        expect(box.open(box.seal(text, context), context)).toBe(text.toWellFormed())
      }),
    )
  })

  test('opens in another process with the same secret', () => {
    const other = createSecretBox('the secret of this test, long enough')
    expect(other.open(box.seal('token', 'place'), 'place')).toBe('token')
    expect(other.fingerprint).toBe(box.fingerprint)
  })

  test('is another one each time, and does not show what it holds', () => {
    const sealed = Array.from({ length: 100 }, () => box.seal('ghp_a-token-of-some-length', 'place'))
    expect(new Set(sealed).size).toBe(100)
    for (const one of sealed) expect(Buffer.from(one.slice(3), 'base64url').toString('latin1')).not.toContain('ghp_')
  })

  test('fits a URL, a column and a header', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(box.seal(text, 'place')).toMatch(/^v1\.[\w-]+$/)
      }),
    )
  })

  test('does not open when any byte of it was changed', () => {
    const change = fc.record({
      text: fc.string({ maxLength: 40 }),
      at: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
      to: fc.constantFrom(...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_+/=. \n'),
    })
    fc.assert(
      fc.property(change, ({ text, at, to }) => {
        const sealed = box.seal(text, 'place')
        const index = Math.floor(at * sealed.length)
        fc.pre(sealed[index] !== to)
        const changed = sealed.slice(0, index) + to + sealed.slice(index + 1)
        expect(refusal(() => box.open(changed, 'place'))).toMatchObject({ kind: 'internal', code: 'secret.unreadable' })
      }),
      { numRuns: 2000 },
    )
  })

  test('does not open when something was cut off or put in', () => {
    fc.assert(
      fc.property(
        fc.string({ maxLength: 40 }),
        fc.nat({ max: 100 }),
        fc.string({ maxLength: 3 }),
        (text, at, inserted) => {
          const sealed = box.seal(text, 'place')
          const index = at % sealed.length
          expect(refusal(() => box.open(sealed.slice(0, index), 'place')).code).toBe('secret.unreadable')
          fc.pre(inserted !== '')
          const grown = sealed.slice(0, index) + inserted + sealed.slice(index)
          expect(refusal(() => box.open(grown, 'place')).code).toBe('secret.unreadable')
        },
      ),
    )
  })

  test('does not open in another place', () => {
    fc.assert(
      fc.property(anyText, anyText, (here, there) => {
        fc.pre(here.toWellFormed() !== there.toWellFormed())
        expect(refusal(() => box.open(box.seal('token', here), there)).code).toBe('secret.unreadable')
      }),
    )
  })

  test('does not open with another secret', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (one, other) => {
        fc.pre(one.toWellFormed() !== other.toWellFormed())
        const [mine, theirs] = [createSecretBox(one), createSecretBox(other)]
        expect(refusal(() => theirs.open(mine.seal('token', 'place'), 'place')).code).toBe('secret.unreadable')
        expect(theirs.fingerprint).not.toBe(mine.fingerprint)
      }),
      { numRuns: 50 },
    )
  })

  test.each(['', 'v1.', 'v1.AAAA', 'v2.', 'token', 'v1.!!!!'])('%j is none', (text) => {
    expect(refusal(() => box.open(text, 'place')).code).toBe('secret.unreadable')
  })

  test('that does not open is told with its place and what may have happened, and nothing of the content', () => {
    const sealed = box.seal('the token', 'projects.token prj_1')
    const error = refusal(() => createSecretBox('another').open(sealed, 'projects.token prj_1'))
    expect(error.message).toBe(
      "A stored secret (projects.token prj_1) does not open with this server's secret. Was DOCENT_SECRET or secret.key changed?",
    )
  })
})

test('the fingerprint tells nothing about the secret', () => {
  expect(box.fingerprint).toMatch(/^[0-9a-f]{32}$/)
})

describe('the secret of a data folder', () => {
  let folder: string
  let path: string
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'docent-secret-'))
  })
  beforeEach(() => {
    rmSync(folder, { recursive: true, force: true })
    mkdirSync(folder)
    path = join(folder, 'secret.key')
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  test('is made once, for this user alone, and leaves no other file', () => {
    const secret = ensureSecretFile(path)
    expect(Buffer.from(secret, 'base64url')).toHaveLength(32)
    expect(statSync(path).mode & 0o777).toBe(0o600)
    expect(readdirSync(folder)).toEqual(['secret.key'])
    const before = readFileSync(path)
    expect(ensureSecretFile(path)).toBe(secret)
    expect(readFileSync(path)).toEqual(before)
  })

  test('is another one in every folder', () => {
    const first = ensureSecretFile(path)
    expect(ensureSecretFile(join(folder, 'other.key'))).not.toBe(first)
  })

  test('is made anew when making it was interrupted before', () => {
    writeFileSync(`${path}.new`, 'half a sec')
    expect(ensureSecretFile(path)).not.toContain('half')
    expect(readdirSync(folder)).toEqual(['secret.key'])
  })

  test('may end with a line break or not', () => {
    const secret = 'written by hand, of thirty-two characters'
    writeFileSync(path, secret)
    expect(ensureSecretFile(path)).toBe(secret)
    writeFileSync(path, `${secret}\r\n`)
    expect(ensureSecretFile(path)).toBe(secret)
  })

  test.each(['', '\n', 'short', 'x'.repeat(31)])(
    'is refused when the file was cut to %j, and not replaced',
    (content) => {
      writeFileSync(path, content)
      const error = refusal(() => ensureSecretFile(path))
      expect(error).toMatchObject({ kind: 'unavailable', code: 'secret.unreadable' })
      expect(error.message).toContain(`expected at least 32 characters, found ${content.trim().length}`)
      expect(readFileSync(path, 'utf8')).toBe(content)
    },
  )

  test('is not replaced when it cannot be read', () => {
    mkdirSync(path)
    const error = refusal(() => ensureSecretFile(path))
    expect(error).toMatchObject({ kind: 'unavailable', code: 'secret.unreadable' })
    expect(error.message).toContain(path)
  })
})
