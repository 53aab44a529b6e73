import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { createSiteWriter } from './site-writer.ts'

const folder = mkdtempSync(join(tmpdir(), 'docent-writer-'))
const writer = createSiteWriter()
afterAll(async () => {
  await writer.close()
  rmSync(folder, { recursive: true })
})

test('what the disk refuses is worth another try, and is done when it no longer refuses', async () => {
  const sites = join(folder, 'sites')
  const path = join(sites, 'prj_1.v1.sqlite')
  writeFileSync(sites, 'no folder')
  await expect(writer.prepare(path)).rejects.toMatchObject({ kind: 'unavailable', code: 'site.file_unusable' })
  rmSync(sites)
  await expect(writer.prepare(path)).resolves.toBeUndefined()
})

test('what is wrong with a request is not', async () => {
  const path = join(folder, 'prj_2.v1.sqlite')
  const wrong = writer.write(path, 'addPages', null as never)
  await expect(wrong).rejects.not.toHaveProperty('kind')
})
