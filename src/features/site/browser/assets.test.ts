import { expect, test } from 'vitest'
import { siteAssets } from './assets.ts'

test.each([
  ['css', 'text/css; charset=utf-8', 14_000],
  ['js', 'text/javascript; charset=utf-8', 8_000],
  ['boot', 'text/javascript; charset=utf-8', 500],
] as const)('the %s of all pages is small', async (key, type, mostBytes) => {
  const asset = await siteAssets.get(siteAssets.names[key])
  expect(asset?.type).toBe(type)
  expect(asset!.brotli!.length).toBeLessThan(mostBytes)
})

test('the stylesheet names only files that are there, and nothing of other sites', async () => {
  const css = (await siteAssets.get(siteAssets.names.css))!.bytes.toString()
  const names = [...css.matchAll(/url\(([^)]*)\)/g)].map((match) => match[1]!)
  expect(names.length).toBeGreaterThan(4)
  for (const name of names) {
    const font = await siteAssets.get(name)
    expect(font?.type).toBe('font/woff2')
    expect(font!.bytes.subarray(0, 4).toString()).toBe('wOF2')
  }
  expect(css).not.toMatch(/@import|https?:/)
})

test('what is the same is given again, and what is not there is nothing', async () => {
  const { js } = siteAssets.names
  expect(await siteAssets.get(js)).toBe(await siteAssets.get(js))
  expect(await siteAssets.get('site.000000000000.js')).toBeNull()
  expect(await siteAssets.get('../assets.ts')).toBeNull()
})

test('the script parses after its comments were taken out', async () => {
  const js = (await siteAssets.get(siteAssets.names.js))!.bytes.toString()
  expect(() => new Function(js)).not.toThrow()
  expect(js).not.toMatch(/^\s*\/\//m)
})
