import fc, { type Arbitrary } from 'fast-check'

const piece = fc.constantFrom(
  'a',
  'docs',
  '.',
  '..',
  '/',
  '//',
  '\\',
  ' ',
  '.git',
  'GIT',
  'git~1',
  '~',
  '1',
  '.gitmodules',
  ':',
  '\u200c',
  '\ufeff',
  'é',
  '\t',
  '%2e',
  '\0',
)

/** Paths that lead out of a folder, into git's own, or nowhere, and some that are fine. */
export const anyPath: Arbitrary<string> = fc.oneof(
  fc.array(piece, { maxLength: 7 }).map((pieces) => pieces.join('')),
  fc.string({ unit: 'binary', maxLength: 20 }),
)
