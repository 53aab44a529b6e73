import { spawn } from 'node:child_process'
import { cp, mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest'
import type { Database } from './database.ts'
import { findFact } from './facts.ts'
import { openPglite } from './pglite.ts'

const segmentMb = 16

// A database of its own kind: there is nothing of it to see on a server.
describe.runIf(inject('engine') === 'pglite')('the embedded database', () => {
  let folder: string
  let pg: string
  const opened: Database[] = []
  const progress: string[] = []
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'docent-pglite-'))
    pg = join(folder, 'pg')
    progress.length = 0
  })
  afterEach(async () => {
    for (const database of opened.splice(0)) await database.close()
    await rm(folder, { recursive: true, force: true })
  })

  async function open(): Promise<Database> {
    const database = await openPglite({ folder: pg, onProgress: (message) => progress.push(message) })
    opened.push(database)
    return database
  }
  const copyTemplate = () => cp(join(inject('template'), 'pg'), pg, { recursive: true })

  test('starts cleanly where an earlier initialisation was interrupted', async () => {
    for (const half of ['pg.new-a1B2c3', 'pg.new-old']) {
      await mkdir(join(folder, half, 'base'), { recursive: true })
      await writeFile(join(folder, half, 'PG_VERSION'), '1')
    }
    await mkdir(join(folder, 'pg.backup'))
    const database = await open()
    expect(progress).toEqual(['Preparing the database (first start only)'])
    await sql`create table works (id int primary key)`.execute(database.db)
    // Only what is its own is cleared away.
    expect((await readdir(folder)).sort()).toEqual(['pg', 'pg.backup'])
    expect((await stat(pg)).mode & 0o077).toBe(0)
  })

  test('says what takes long at the first start only', async () => {
    await copyTemplate()
    const database = await open()
    expect(progress).toEqual([])
    expect(database.description).toBe(`PGlite in ${pg}`)
  })

  test('that does not open is told with its folder and what to do', async () => {
    await copyTemplate()
    await rm(join(pg, 'global'), { recursive: true })
    await expect(open()).rejects.toMatchObject({
      kind: 'unavailable',
      code: 'database.unreadable',
      message: expect.stringContaining(`The embedded database in ${pg} does not open`),
    })
  })

  test('that cannot be made is told with its folder', async () => {
    pg = join(folder, 'missing', 'pg')
    await expect(open()).rejects.toMatchObject({
      kind: 'unavailable',
      code: 'database.not_made',
      message: expect.stringContaining(`The embedded database in ${pg} cannot be made: ENOENT`),
    })
  })

  test('closes also when nobody has asked it anything', async () => {
    await copyTemplate()
    const database = await open()
    await database.close()
    await expect(database.ping()).rejects.toMatchObject({ code: 'database.unreachable' })
  })

  test('keeps what was committed when its process is killed', async () => {
    await copyTemplate()
    const script = `
      import { openPglite } from ${JSON.stringify(join(import.meta.dirname, 'pglite.ts'))}
      import { setFact } from ${JSON.stringify(join(import.meta.dirname, 'facts.ts'))}
      const { db } = await openPglite({ folder: ${JSON.stringify(pg)}, onProgress() {} })
      for (let number = 1; ; number++) {
        await db.transaction().execute(async (tx) => {
          await setFact(tx, 'left.' + number, 'yes')
          await setFact(tx, 'right.' + number, 'yes')
        })
        process.stdout.write(number + ' ')
      }`
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let said = ''
    const ended = new Promise((resolve) => child.once('close', resolve))
    child.stdout.on('data', (chunk) => {
      said += chunk
      if (said.split(' ').length > 50) child.kill('SIGKILL')
    })
    await ended
    const acknowledged = said.split(' ').filter((word) => word !== '').length
    expect(acknowledged).toBeGreaterThanOrEqual(50)
    const { db } = await open()
    for (let number = 1; number <= acknowledged; number++) expect(await findFact(db, `left.${number}`)).toBe('yes')
    // What was under way when it died is there as a whole or not at all.
    const { rows } = await sql<{ left: number; right: number }>`
      select count(*) filter (where name like 'left.%') as left, count(*) filter (where name like 'right.%') as right
      from instance`.execute(db)
    expect(rows[0]!.left).toBe(rows[0]!.right)
  })

  test('does not let its write-ahead log grow, when it is maintained', async () => {
    await copyTemplate()
    const database = await open()
    // As large as told, not compressed to nothing.
    await sql`create table filler (content text)`.execute(database.db)
    await sql`alter table filler alter column content set storage external`.execute(database.db)
    const writeMb = async (mb: number) => {
      await sql`insert into filler select repeat('x', 1000000) from generate_series(1, ${mb}::int)`.execute(database.db)
      await sql`truncate filler`.execute(database.db)
    }
    const walMb = async () => {
      const names = await readdir(join(pg, 'pg_wal'))
      return names.filter((name) => /^[0-9A-F]{24}$/.test(name)).length * segmentMb
    }
    // Nobody else does it: this is what the test would see for ever without maintenance.
    await writeMb(100)
    expect(await walMb()).toBeGreaterThan(96)

    await database.maintain()
    expect(await walMb()).toBeLessThanOrEqual(64)
    for (let round = 0; round < 5; round++) {
      await writeMb(20)
      await database.maintain()
      expect(await walMb()).toBeLessThanOrEqual(64)
    }
  })
})
