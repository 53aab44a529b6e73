import { execFileSync } from 'node:child_process'
import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { phpText, pythonValue, shellText } from './code-literals.ts'
import type { SampleRequest } from './sample-request.ts'
import { requestLanguages } from './write-request.ts'

const request: SampleRequest = {
  method: 'POST',
  url: "https://api.example.com/o'neil",
  headers: [['X-Key', '$(id) `id` #{id} "']],
  body: { kind: 'json', value: { text: "it's\n", list: [true, null, 1.5], empty: {} } },
}

test.each<[string[], string[]]>([
  [[], ['cURL', 'Python', 'JavaScript']],
  [
    ['go', 'GO', 'cobol', 'bash'],
    ['Go', 'cURL'],
  ],
  [['cobol'], ['cURL', 'Python', 'JavaScript']],
  [['constructor', 'ruby'], ['Ruby']],
])('of %j, there are examples in %j', (asked, titles) => {
  expect(requestLanguages(asked).map(({ title }) => title)).toEqual(titles)
})

test.each(
  requestLanguages(['curl', 'python', 'javascript', 'go', 'php', 'java', 'ruby']).map(
    (one) => [one.title, one.write] as const,
  ),
)('a request in %s stays as it is', (_, write) => {
  expect(write(request)).toMatchSnapshot()
})

test('what a shell reads is what was written, whatever it holds', () => {
  const arbitrary = fc.array(fc.string({ unit: 'grapheme-ascii', maxLength: 20 }), { minLength: 1, maxLength: 20 })
  fc.assert(
    fc.property(arbitrary, (texts) => {
      const script = `printf '%s\\n' ${texts.map(shellText).join(' ')}`
      expect(execFileSync('/bin/sh', ['-c', script], { encoding: 'utf8' })).toBe(
        texts.map((text) => `${text}\n`).join(''),
      )
    }),
    { numRuns: 20, examples: [[["'", "''", '$(id)', '`id`', '\\', '-e']]] },
  )
})

test('what JavaScript reads is what was written, whatever it holds', async () => {
  const [javascript] = requestLanguages(['javascript'])
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'binary' }), fc.json(), async (text, json) => {
      const body = { kind: 'json', value: JSON.parse(json) } as const
      const code = javascript!.write({ method: 'POST', url: text, headers: [['a', text]], body })
      const sent: unknown[] = []
      const fetch = async (url: string, options: object) => {
        sent.push({ url, ...options })
        return { text: async () => '' }
      }
      const sandbox = { fetch, JSON, console: { log: () => {} } }
      await runInNewContext(`(async () => {${code}\n})()`, sandbox)
      expect(sent).toMatchObject([{ url: text, headers: { a: text } }])
      expect(JSON.parse((sent[0] as { body: string }).body)).toEqual(JSON.parse(JSON.stringify(body.value)))
    }),
    { numRuns: 50 },
  )
})

test('text ends where it was meant to end in the other languages', () => {
  expect(phpText("\\' . evil() . '")).toBe("'\\\\\\' . evil() . \\''")
  expect(pythonValue({ 'a"': [null, true, '\n'], b: {}, c: [] })).toBe(
    '{\n    "a\\"": [\n        None,\n        True,\n        "\\n"\n    ],\n    "b": {},\n    "c": []\n}',
  )
})
