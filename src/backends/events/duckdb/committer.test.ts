import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { newView, verdictOf } from '../event-fixture.contract.ts'
import type { View } from '../view.ts'
import { columnsOf } from '../view-columns.ts'
import { type Committer, createCommitter } from './committer.ts'
import { type Connection, type DuckdbFile, openDuckdbFile } from './connection.ts'

let folder: string
let duckdb: DuckdbFile
let reader: Connection
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'docent-committer-'))
  duckdb = await openDuckdbFile({ file: join(folder, 'analytics.duckdb'), memoryMb: 128 })
  reader = await duckdb.connect()
})
afterEach(async () => {
  duckdb.close()
  await rm(folder, { recursive: true })
})

const idle = { onCommit: () => {}, giveWay: async () => {} }
const count = async (what: string) => Number((await reader.query(`select ${what} as found from tail`))[0]!.found)

describe('a disk that refuses', () => {
  let isRefusing = false
  let committer: Committer
  beforeEach(async () => {
    isRefusing = false
    const connection = await duckdb.connect()
    const transaction: Connection['transaction'] = (work) =>
      connection.transaction(async () => {
        const result = await work()
        if (isRefusing) throw new Error('IO Error: no space left')
        return result
      })
    committer = await createCommitter({ ...connection, transaction }, idle)
  })

  test('refuses all who wait with 503, and writes nothing of them when it takes views again', async () => {
    await committer.append(columnsOf([newView({ projectId: 'prj_old' })]))
    isRefusing = true
    const refused = ['prj_1', 'prj_2', 'prj_3'].map((projectId) =>
      committer.append(columnsOf([newView({ projectId })])),
    )
    for (const { status, reason } of (await Promise.allSettled(refused)) as PromiseRejectedResult[]) {
      expect([status, reason.kind]).toEqual(['rejected', 'unavailable'])
    }
    // Reading its numbers anew fails too.
    await expect(committer.append(columnsOf([newView({})]))).rejects.toMatchObject({ kind: 'unavailable' })
    expect([committer.tailRows(), committer.projectNumber('prj_1')]).toEqual([1, undefined])
    isRefusing = false
    await committer.append(columnsOf([newView({ projectId: 'prj_new' })]))
    expect([committer.projectNumber('prj_old'), committer.projectNumber('prj_new')]).toEqual([1, 2])
    expect([await count('count(*)'), committer.tailRows()]).toEqual([2, 2])
    await committer.close()
  })

  test('lets it be closed, with nothing more written', async () => {
    isRefusing = true
    await expect(committer.append(columnsOf([newView({})]))).rejects.toMatchObject({ kind: 'unavailable' })
    await committer.close()
    expect(await count('count(*)')).toBe(0)
  })
})

test('names that clients made up fill no table: past a thousand of one reason they count without theirs', async () => {
  const committer = await createCommitter(await duckdb.connect(), idle)
  const views = Array.from({ length: 1_100 }, (_, number): View => {
    return newView({ verdict: { ...verdictOf('bot', `bot ${number}`), reason: 'calls itself a bot' } })
  })
  await committer.append(columnsOf(views))
  const named = newView({ verdict: { ...verdictOf('training', 'GPTBot'), reason: 'user agent list: GPTBot' } })
  await committer.append(columnsOf([named]))
  expect(await count('count(*)')).toBe(1_101)
  const [kinds] = await reader.query('select count(*) as kinds, count(client) as named from kinds')
  expect(kinds).toEqual({ kinds: 1_002n, named: 1_001n })
  await committer.close()
})

test('a new version of the lists makes no new kinds', async () => {
  const committer = await createCommitter(await duckdb.connect(), idle)
  for (const listVersion of ['1', '2', '3', '1']) {
    await committer.append(columnsOf([newView({ verdict: { ...verdictOf('human'), listVersion } })]))
  }
  expect([await count('count(distinct kind)'), await count('count(distinct list)')]).toEqual([1, 3])
  await committer.close()
})

test('a commit gives way first, and takes along who comes meanwhile', async () => {
  let goOn = () => {}
  const giveWay = () => new Promise<void>((resolve) => (goOn = resolve))
  let commits = 0
  const committer = await createCommitter(await duckdb.connect(), { onCommit: () => commits++, giveWay })
  const first = committer.append(columnsOf([newView({})]))
  await setTimeout(50)
  const second = committer.append(columnsOf([newView({})]))
  expect([await count('count(*)'), commits]).toEqual([0, 0])
  goOn()
  await Promise.all([first, second])
  expect([await count('count(*)'), commits]).toEqual([2, 1])
  await committer.close()
})

test('between two commits others have their turn: what comes meanwhile waits for it', async () => {
  const committer = await createCommitter(await duckdb.connect(), idle)
  await committer.append(columnsOf([newView({})]))
  const { promise: over, resolve: end } = Promise.withResolvers<void>()
  const held = committer.between(() => over)
  const second = committer.append(columnsOf([newView({})]))
  await setTimeout(50)
  expect(await count('count(*)')).toBe(1)
  end()
  await Promise.all([held, second])
  expect(await count('count(*)')).toBe(2)
  // One that fails lets go too.
  await expect(committer.between(() => Promise.reject(new Error('no')))).rejects.toThrow('no')
  await committer.append(columnsOf([newView({})]))
  expect(await count('count(*)')).toBe(3)
  await committer.close()
})

test('work between commits is never beside one', async () => {
  const committer = await createCommitter(await duckdb.connect(), idle)
  for (let round = 0; round < 20; round++) {
    const appended = committer.append(columnsOf([newView({})]))
    await setTimeout(round % 4)
    await committer.between(async () => {
      const before = await count('count(*)')
      await setTimeout(3)
      expect(await count('count(*)')).toBe(before)
    })
    await appended
  }
  await committer.close()
})
