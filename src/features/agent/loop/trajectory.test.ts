import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Model } from '#backends/models/model.ts'
import { createReplayModel } from '#backends/models/replay-model.ts'
import { createLog } from '#base/log.ts'
import { changesOf } from '#tests/harness/memory-tree.ts'
import { createTestRun, pageCache, testFiles } from '#tests/harness/models/test-run.ts'
import { createLoopAgent } from './run-loop.ts'

// A recorded conversation; its answers were written by hand. Whatever changes what the model is told (the system prompt, a tool's description or
// result, the opening) shows here as a difference, to be looked at before it is recorded anew:
// `DOCENT_RECORD=/tmp/new npm test -- trajectory` writes it with the same answers.
const recordings = join(import.meta.dirname, 'trajectories')
const rerecordInto = process.env.DOCENT_RECORD

const log = createLog({ level: 'silent', format: 'json', destination: { write() {} } })

async function replay(model: Model, record?: string) {
  const now = new Date('2026-01-15T12:00:00Z')
  const run = createTestRun({
    jobId: 'rename',
    prompt: 'Rename Acme to Apex everywhere.',
    files: testFiles,
    budgets: { deadlineMs: now.getTime() + 60_000 },
  })
  const agent = createLoopAgent({ openModel: async () => model, clock: { now: () => now }, log, pageCache, record })
  return { outcome: await agent(run), run }
}

test('a recorded job runs again without a model: the same requests, the same change', async () => {
  const recording = await readFile(join(recordings, 'rename.jsonl'), 'utf8')
  if (rerecordInto !== undefined) await replay(createReplayModel(recording, { anyRequest: true }), rerecordInto)
  const { outcome, run } = await replay(createReplayModel(recording))
  expect(outcome.title).toBe('Rename Acme to Apex')
  const renamed = (path: keyof typeof testFiles) => testFiles[path].replaceAll('Acme', 'Apex')
  expect(changesOf(run.tree)).toEqual({
    'guides/setup.mdx': renamed('guides/setup.mdx'),
    'index.mdx': renamed('index.mdx'),
  })
})

test('what was recorded of a replay is the recording', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'docent-record-'))
  try {
    const recording = await readFile(join(recordings, 'rename.jsonl'), 'utf8')
    await replay(createReplayModel(recording), folder)
    expect(await readFile(join(folder, 'rename.jsonl'), 'utf8')).toBe(recording)
  } finally {
    await rm(folder, { recursive: true })
  }
})
