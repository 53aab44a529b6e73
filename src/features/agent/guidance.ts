import { DocentError } from '#base/errors.ts'
import { readFileAt } from '#infra/files/git-tree.ts'

// The first that is there. They are read from the base branch, so that a change cannot instruct the agent that made it.
const instructions = ['.docent/AGENTS.md', '.mintlify/AGENTS.md', 'AGENTS.md']
const templates = [
  '.github/pull_request_template.md',
  '.github/PULL_REQUEST_TEMPLATE.md',
  'pull_request_template.md',
  'PULL_REQUEST_TEMPLATE.md',
  'docs/pull_request_template.md',
  '.gitlab/merge_request_templates/Default.md',
  '.gitea/pull_request_template.md',
]
const mostCharacters = 8_000

/** What the repository says to agents and about pull requests, each cut to a size that leaves room for the work. */
export async function readGuidance(
  gitDir: string,
  { commit, docsPath }: { commit: string; docsPath: string },
): Promise<{ path: string; text: string }[]> {
  const found: { path: string; text: string }[] = []
  // Where docs are a part of a repository, what its root says is mostly about code.
  const ofDocs = docsPath === '' ? [] : [`${docsPath}/AGENTS.md`]
  for (const candidates of [[...ofDocs, ...instructions], templates]) {
    for (const path of candidates) {
      const content = await readFileAt(gitDir, { commit, path }).catch(ignoreTooLarge)
      if (content === null) continue
      const text = content.toString('utf8')
      found.push({
        path,
        text: text.length > mostCharacters ? `${text.slice(0, mostCharacters).toWellFormed()}\n[cut]` : text,
      })
      break
    }
  }
  return found
}

/** Nobody wrote that for agents to read. */
function ignoreTooLarge(error: unknown): null {
  if (error instanceof DocentError && error.kind === 'too_large') return null
  throw error
}
