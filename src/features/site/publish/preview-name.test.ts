import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createSecretBox } from '#infra/data/secret-box.ts'
import { isBranchName } from '#infra/git/name-rules.ts'
import { branchOfPreview, isSigned, parseSharedName, previewName, signName } from './preview-name.ts'

const secretBox = createSecretBox('a secret for this test, long enough')
const now = new Date('2030-01-01T00:00:00Z')
const expires = now.getTime() / 1000 + 60
const projectId = 'prj_1'

function isGood(text: string, project = projectId, at = now): boolean {
  return isSigned(secretBox, { projectId: project, shared: parseSharedName(text), now: at })
}

const branch = fc
  .array(fc.stringMatching(/^[a-z0-9@_.-]{1,12}$/), { minLength: 1, maxLength: 4 })
  .map((parts) => parts.join('/'))
  .filter(isBranchName)

describe('the name of a preview', () => {
  test('gives its branch back, in one segment of an address', () => {
    fc.assert(
      fc.property(branch, (name) => {
        expect(previewName(name)).not.toContain('/')
        expect(branchOfPreview(previewName(name))).toBe(name)
      }),
    )
  })

  test('with a signature is good for its project until it expires', () => {
    fc.assert(
      fc.property(branch, (name) => {
        const shared = signName(secretBox, { projectId, name: previewName(name), expires })
        expect(parseSharedName(shared).name).toBe(previewName(name))
        expect(isGood(shared)).toBe(true)
        expect(isGood(shared, 'prj_2')).toBe(false)
        expect(isGood(shared, projectId, new Date(expires * 1000 - 1))).toBe(true)
        expect(isGood(shared, projectId, new Date(expires * 1000))).toBe(false)
      }),
    )
  })

  const good = signName(secretBox, { projectId, name: 'main', expires })
  const mac = good.slice(-43)
  test.each([
    ['no signature', 'main'],
    ['half of one', good.slice(0, -1)],
    ['more of one', `${good}A`],
    ['another branch', good.replace('main', 'other')],
    ['a later expiry', good.replace(String(expires), String(expires + 1))],
    ['an expiry with a zero before it', good.replace('@', '@0')],
    ['no expiry', `main@-${mac}`],
    ['the name of another', `main@${expires}-${secretBox.sign(JSON.stringify([projectId, 'main', expires]), 'other')}`],
    [
      'a signature by another secret',
      signName(createSecretBox('another secret, as long as the first'), { projectId, name: 'main', expires }),
    ],
    ['the signed name inside another', `x@${good}`],
    ['nothing but a signature', good.slice(4)],
  ])('with %s is not good', (_, text) => {
    expect(isGood(text)).toBe(false)
  })

  test('whose signature was changed anywhere is not good', () => {
    fc.assert(
      fc.property(fc.nat(42), fc.constantFrom(...'ABCxyz019-_=+/. '), (at, to) => {
        const changed = good.slice(0, -43) + mac.slice(0, at) + to + mac.slice(at + 1)
        expect(isGood(changed)).toBe(changed === good)
      }),
      { numRuns: 500 },
    )
  })
})
