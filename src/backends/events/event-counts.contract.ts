import fc from 'fast-check'
import { afterEach, describe, expect, test } from 'vitest'
import { anyCommands, type Command, type Question } from './event-commands.contract.ts'
import { allTime, type EventStoreOptions, type OpenStore } from './event-fixture.contract.ts'
import type { EventStore } from './event-store.ts'

/** Lists of commands that are tried. */
const runs = 40

/** Whatever is done to a store, in whatever order, its counts are those of brute force. */
export function describeEventCounts({ open, openOracle }: EventStoreOptions): void {
  describe('counts', () => {
    // Opening takes longer than counting: one store serves many runs, each with projects of its own, until one fails.
    let opened: OpenStore | null = null
    async function discard() {
      const over = opened
      opened = null
      await over?.[Symbol.asyncDispose]()
    }
    afterEach(discard)

    test('equal brute force after any commands, at any range', { timeout: 120_000 }, async () => {
      let run = 0
      const property = fc.asyncProperty(anyCommands, async (commands) => {
        run += 1
        opened ??= await open()
        try {
          await carryOut(commands, { opened, oracle: openOracle(), prefix: `run_${run}_` })
        } catch (error) {
          await discard()
          throw error
        }
      })
      // Time for what comes first: all runs, or a short form of what failed. A busy machine makes do with fewer.
      await fc.assert(property, { numRuns: runs, interruptAfterTimeLimit: 60_000 })
    })
  })
}

interface Stage {
  opened: OpenStore
  oracle: EventStore
  /** Before the names of projects. */
  prefix: string
}

async function carryOut(commands: Command[], stage: Stage): Promise<void> {
  const compactions: Promise<void>[] = []
  try {
    for (const [index, command] of commands.entries()) {
      await carryOutOne(inProject(command, stage.prefix), stage, compactions).catch((error) => {
        throw new Error(`Command ${index + 1}, ${command.do}: ${error.message}`, { cause: error })
      })
    }
    const projects = ['0', '1'].map((name) => stage.prefix + name)
    for (const [index, projectId] of projects.entries()) await ask({ ...lastQuestions[index]!, projectId }, stage)
    for (const projectId of projects) await stage.opened.store.deleteProject(projectId)
  } finally {
    await Promise.all(compactions)
  }
}

async function carryOutOne(command: Command, stage: Stage, compactions: Promise<void>[]): Promise<void> {
  const { opened, oracle } = stage
  const { store } = opened
  switch (command.do) {
    case 'append':
      await store.append(command.views)
      return await oracle.append(command.views)
    case 'compact':
      return await store.compact()
    case 'compact meanwhile':
      compactions.push(store.compact())
      return
    case 'reopen':
      await Promise.all(compactions.splice(0))
      return await opened.reopen()
    case 'forget':
      expect(await store.forgetVisitors(command)).toBe(await oracle.forgetVisitors(command))
      return
    case 'prune':
      expect(await store.prune(command)).toBe(await oracle.prune(command))
      return
    case 'delete':
      await store.deleteProject(command.projectId)
      return await oracle.deleteProject(command.projectId)
    case 'ask':
      return await ask(command.query, stage)
  }
}

/** Asks both for every report, and for what is kept. */
async function ask(question: Question, { opened, oracle, prefix }: Stage): Promise<void> {
  const reports = async (store: EventStore) => {
    const [visitors, views, agents, referrers, timeseries, projects] = await Promise.all([
      store.visitors(question),
      store.views(question),
      store.agents(question),
      store.referrers(question),
      store.timeseries(question),
      store.listProjects(),
    ])
    const ownProjects = projects.filter((name) => name.startsWith(prefix)).sort()
    return { visitors, views, agents, referrers, timeseries, projects: ownProjects }
  }
  expect(await reports(opened.store)).toEqual(await reports(oracle))
}

function inProject(command: Command, prefix: string): Command {
  if (command.do === 'append') {
    return { ...command, views: command.views.map((view) => ({ ...view, projectId: prefix + view.projectId })) }
  }
  if (command.do === 'ask') {
    return { ...command, query: { ...command.query, projectId: prefix + command.query.projectId } }
  }
  return 'projectId' in command ? { ...command, projectId: prefix + command.projectId } : command
}

/** Everything is asked for at the end of each run. */
const lastQuestions = [
  { range: allTime, ai: 'all' as const, interval: 'day' as const, by: 'host' as const, limit: 250, offset: 0 },
  { range: allTime, ai: 'direct' as const, interval: 'week' as const, by: 'url' as const, limit: 250, offset: 0 },
]
