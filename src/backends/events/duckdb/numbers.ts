import { aiCategories, type Category, directAiCategories, type Verdict, type ViewSource } from '../view.ts'
import type { ViewKind } from '../view-columns.ts'
import type { Connection } from './connection.ts'
import { classes } from './schema.ts'

/** Projects, kinds and versions of lists stand in the file as numbers. All of them are in memory too. */
export interface Numbers {
  /** The number of a project that is in the file. */
  project(projectId: string): number | undefined
  /** The numbers of views of these kinds, in their order; new ones are given in the transaction that writes the views. */
  ensure(kinds: readonly ViewKind[]): Promise<ViewNumbers[]>
  /** That transaction is committed. */
  keep(): void
  /** Reads what is in the file: at first, and after a transaction that failed. */
  load(): Promise<void>
}

export interface ViewNumbers {
  project: number
  kind: number
  list: number
  class: number
}

// Some clients are called what they call themselves, which is anybody's to make up. Of one reason so many names are
// kept; the others count without theirs.
const mostNames = 1_000
// Should ever more come up all the same, they lose their details rather than their count: 16 bits are what a kind has.
const mostKinds = 65_000

export function createNumbers(connection: Connection): Numbers {
  let projects = new Map<string, number>()
  let lists = new Map<string, number>()
  let kinds = new Map<string, number>()
  let names = new Map<string, number>()
  // A number that is not committed may yet become another's: nobody may read or delete by it.
  let committedProjects = 0
  // Verdicts come from a classifier that gives the same object again and again; its text need not be joined each time.
  let known = new WeakMap<Verdict, ViewNumbers & { projectId: string; source: ViewSource }>()

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
    async ensure(kinds) {
      const numbers: ViewNumbers[] = []
      for (const { projectId, verdict, source } of kinds) {
        let found = known.get(verdict)
        // One verdict is mostly of one project and one source at a time; another one only costs looking up again.
        if (found?.projectId !== projectId || found.source !== source) {
          found = {
            projectId,
            source,
            project: await projectNumber(projectId),
            kind: await kindNumber(verdict, source),
            list: await listNumber(verdict.listVersion),
            class: classOf(verdict),
          }
          known.set(verdict, found)
        }
        numbers.push(found)
      }
      return numbers
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

function classOf({ category }: Verdict): number {
  if (category === 'human') return classes.human
  const isIn = (some: readonly Category[]) => some.includes(category)
  if (isIn(directAiCategories)) return classes.directAi
  return isIn(aiCategories) ? classes.otherAi : classes.none
}
