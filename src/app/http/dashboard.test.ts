import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestApp, type TestApp } from '#tests/harness/test-app.ts'

// Runs on PGlite alone: what is served are files, whatever the database.

let it: TestApp
beforeAll(async () => {
  it = await createTestApp()
})
afterAll(() => it.close())

const get = (url: string, headers: Record<string, string> = {}) => it.call('GET', url, { key: null, headers })
const scriptOf = (page: string) => /src="(\/app\/assets\/[^"]+\.js)"/.exec(page)![1]!

test('the root and every address of the dashboard lead to its page, which is asked for anew each time', async () => {
  for (const url of ['/', '/app']) expect(await get(url)).toMatchObject({ status: 302, headers: { location: '/app/' } })
  for (const url of ['/app/', '/app/keys', '/app/p/prj_1/jobs?status=active', '/app/index.html']) {
    const { status, headers, text } = await get(url)
    expect(status).toBe(200)
    expect(headers['content-type']).toBe('text/html; charset=utf-8')
    expect(headers['cache-control']).toBe('no-cache')
    expect(text).toContain('<div id="root">')
  }
})

test('nothing inline may run on it, and nobody may frame it', async () => {
  const { headers, text } = await get('/app/')
  const policy = String(headers['content-security-policy'])
  expect(policy).toContain("default-src 'none'")
  expect(policy).toContain("script-src 'self'")
  expect(policy).toContain("frame-ancestors 'none'")
  expect(policy).not.toMatch(/unsafe|\*|https?:/)
  expect(text).not.toMatch(/<script(?![^>]*\bsrc=)|<style|\bon\w+=/)
})

test('its parts are kept for ever, and come compressed to those who take that', async () => {
  const script = scriptOf((await get('/app/')).text)
  const plain = await it.app.inject({ url: script })
  expect(plain.headers['cache-control']).toBe('public, max-age=31536000, immutable')
  expect(plain.headers['content-type']).toBe('text/javascript; charset=utf-8')
  for (const [accepted, encoding] of [
    ['gzip, deflate, br', 'br'],
    ['gzip', 'gzip'],
  ]) {
    const { headers, rawPayload } = await it.app.inject({ url: script, headers: { 'accept-encoding': accepted! } })
    expect(headers['content-encoding']).toBe(encoding)
    expect(headers.vary).toBe('accept-encoding')
    expect(rawPayload.length).toBeLessThan(plain.rawPayload.length / 2)
  }
})

test('a part of another version is not found, and no file beside it can be reached', async () => {
  expect((await get('/app/assets/gone-12345678.js')).status).toBe(404)
  for (const url of [
    '/app/sources.txt',
    '/app/../package.json',
    '/app/..%2fpackage.json',
    '/app/%2e%2e/build.ts',
    '/app/constructor',
  ]) {
    const { text, status } = await get(url)
    expect(status === 404 || text.includes('<div id="root">')).toBe(true)
  }
})
