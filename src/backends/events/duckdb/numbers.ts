import type { Verdict, View, ViewSource } from '../view.ts'
import type { Connection } from './connection.ts'

/** Projects, kinds and versions of lists stand in the file as numbers. All of them are in memory too. */
export interface Numbers {
  /** The number of a project that is in the file. */
  project(projectId: string): number | undefined
  /** Gives these views' projects, kinds and versions their numbers, in the transaction that writes the views. */
  ensure(views: readonly View[]): Promise<void>
  of(view: View): { project: number; kind: number; list: number }
  /** That transaction is committed. */
  keep(): void
  /** Reads what is in the file: at first, and after a transaction that failed. */
  load(): Promise<void>
}

// Some clients are called what they call themselves, which is anybody's to make up. Of one reason so many names are
// kept; the others count without theirs.
const mostNames = 1_000
// Should ever more come up all the same, they lose their details rather than their count: 16 bits are what a kind has.
const mostKinds = 65_000

interface KnownVerdict {
  list: number
  kinds: Map<ViewSource, number>
}

export function createNumbers(connection: Connection): Numbers {
  let projects = new Map<string, number>()
  let lists = new Map<string, number>()
  let kinds = new Map<string, number>()
  let names = new Map<string, number>()
  // A number that is not committed may yet become another's: nobody may read or delete by it.
  let committedProjects = 0
  // Verdicts come from a classifier that gives the same object again and again; its text need not be joined each time.
  let known = new WeakMap<Verdict, KnownVerdict>()

  async function projectNumber(projectId: string): Promise<number> {
    const found = projects.get(projectId)
    if (found !== undefined) return found
    const id = projects.size + 1
    await connection.run('insert into projects values ($id, $name)', { id, name: projectId })
    projects.set(projectId, id)
    return id
  }

  async function listNumber(version: string): Promise<number> {
    const found = lists.get(version)
    if (found !== undefined) return found
    const id = lists.size + 1
    await connection.run('insert into lists values ($id, $version)', { id, version })
    lists.set(version, id)
    return id
  }

  async function kindNumber(verdict: Verdict, source: ViewSource): Promise<number> {
    const { category, verification } = verdict
    const named = kinds.get(keyOf({ ...verdict, source }))
    if (named !== undefined) return named
    const isOneTooMany = (names.get(groupOf({ ...verdict, source })) ?? 0) >= mostNames
    const reason = kinds.size < mostKinds ? verdict.reason : 'one of too many kinds'
    const client = kinds.size < mostKinds && !isOneTooMany ? verdict.client : null
    const kind = { category, client, reason, verification, source }
    const found = kinds.get(keyOf(kind))
    if (found !== undefined) return found
    const id = kinds.size + 1
    await connection.run('insert into kinds values ($id, $category, $client, $reason, $verification, $source)', {
      id,
      ...kind,
    })
    remember(kind, id)
    return id
  }

  function remember(kind: Kind, id: number): void {
    kinds.set(keyOf(kind), id)
    const group = groupOf(kind)
    names.set(group, (names.get(group) ?? 0) + 1)
  }

  return {
    project(projectId) {
      const id = projects.get(projectId)
      return id !== undefined && id <= committedProjects ? id : undefined
    },
    async ensure(views) {
      for (const { projectId, verdict, source } of views) {
        if (!projects.has(projectId)) await projectNumber(projectId)
        let numbers = known.get(verdict)
        if (!numbers) {
          numbers = { list: await listNumber(verdict.listVersion), kinds: new Map() }
          known.set(verdict, numbers)
        }
        if (!numbers.kinds.has(source)) numbers.kinds.set(source, await kindNumber(verdict, source))
      }
    },
    of({ projectId, verdict, source }) {
      const { list, kinds: bySource } = known.get(verdict)!
      return { project: projects.get(projectId)!, kind: bySource.get(source)!, list }
    },
    keep() {
      committedProjects = projects.size
    },
    async load() {
      await connection.transaction(async () => {
        const projectRows = await connection.query('select id, name from projects')
        const listRows = await connection.query('select id, version from lists')
        const kindRows = await connection.query('select * from kinds')
        // At once, as reports look here for their project meanwhile.
        projects = new Map(projectRows.map(({ id, name }) => [String(name), Number(id)]))
        lists = new Map(listRows.map(({ id, version }) => [String(version), Number(id)]))
        kinds = new Map()
        names = new Map()
        for (const { id, ...kind } of kindRows) remember(kind as unknown as Kind, Number(id))
        committedProjects = projects.size
        known = new WeakMap()
      })
    },
  }
}

type Kind = Omit<Verdict, 'listVersion'> & { source: ViewSource }

function keyOf({ category, client, reason, verification, source }: Kind): string {
  return JSON.stringify([category, client, reason, verification, source])
}

/** Kinds that differ by the client's name alone. */
function groupOf(kind: Kind): string {
  return keyOf({ ...kind, client: null })
}
