import { gunzipSync, gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { loadBrowserScript } from './browser-script.ts'

test('the script is under 1,000 bytes compressed', () => {
  const { plain, gzipped } = loadBrowserScript()
  expect(gzipSync(plain).length).toBeLessThan(1000)
  expect(gzipped.length).toBeLessThan(1000)
  expect(gunzipSync(gzipped)).toEqual(plain)
})

test('the script is served without comments, and still is one', () => {
  const script = loadBrowserScript().plain.toString()
  expect(script).not.toMatch(/^\s*\/\//m)
  expect(script).toContain('sendBeacon')
  expect(() => new Function(script)).not.toThrow()
})

test('the script keeps nothing in the browser', () => {
  expect(loadBrowserScript().plain.toString()).not.toMatch(/cookie|localStorage|sessionStorage|indexedDB|caches/)
})
