import { DocentError } from '#base/errors.ts'
import type { Project } from '#features/projects/schema.ts'
import type { Client } from './client.ts'
import type { Option } from './command.ts'

export const projectOption = {
  project: {
    type: 'string',
    value: 'id or slug',
    about: 'Which project, by its id, slug or name. Not needed when there is only one.',
  },
} as const satisfies Record<string, Option>

// So many fit into a message.
const mostNamed = 20

/** Id of the project with this id, slug or name; of the only one there is, when none is named. */
export async function findProjectId(client: Client, wanted: string | undefined): Promise<string> {
  if (wanted?.startsWith('prj_')) return wanted
  const projects = await listProjects(client)
  const found = wanted === undefined ? projects : matching(projects, wanted)
  if (found.length === 1) return found[0]!.id
  if (projects.length === 0) {
    throw notFound('There is no project yet: docent project create --name <name> makes one.')
  }
  if (found.length === 0)
    throw notFound(`There is no project ${JSON.stringify(wanted)}. There are: ${slugs(projects)}.`)
  const message =
    wanted === undefined
      ? `Say which project with --project. There are: ${slugs(projects)}.`
      : `Several projects are called ${JSON.stringify(wanted)}. Name one by its slug: ${slugs(found)}.`
  throw new DocentError('invalid', 'cli.which_project', message)
}

export async function listProjects(client: Client): Promise<Project[]> {
  const projects: Project[] = []
  for (let hasMore = true; hasMore; ) {
    const address = `/v1/projects?limit=250&offset=${projects.length}`
    const page = await client.call<{ projects: Project[]; hasMore: boolean }>('GET', address)
    projects.push(...page.projects)
    hasMore = page.hasMore
  }
  return projects
}

/** A slug is one project's own; several may have the same name. */
function matching(projects: Project[], wanted: string): Project[] {
  const bySlug = projects.filter(({ slug }) => slug === wanted)
  return bySlug.length > 0 ? bySlug : projects.filter(({ name }) => name.toLowerCase() === wanted.toLowerCase())
}

function slugs(projects: Project[]): string {
  const named = projects.slice(0, mostNamed).map(({ slug }) => slug)
  return `${named.join(', ')}${projects.length > mostNamed ? ' …' : ''}`
}

function notFound(message: string): DocentError {
  return new DocentError('not_found', 'cli.no_project', message)
}
