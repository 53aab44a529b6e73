import { createEditableTree } from '#infra/files/editable-tree.ts'
import type { FileTree } from '#infra/files/file-tree.ts'
import { isInnerPath } from '#infra/git/name-rules.ts'
import type { WorkingTree } from './agent-run.ts'

// What runs in CI, what pins dependencies and what instructs agents: a change there does more than change docs.
const closedFolders = /^(\.github|\.gitlab|\.gitea|\.forgejo|\.circleci|\.buildkite|\.husky|\.docent|\.mintlify)\//i
const closedNames = new Set([
  '.gitlab-ci.yml',
  '.travis.yml',
  'azure-pipelines.yml',
  'bitbucket-pipelines.yml',
  'jenkinsfile',
  'agents.md',
  'claude.md',
  'gemini.md',
  'codeowners',
  'package-lock.json',
  'npm-shrinkwrap.json',
  'yarn.lock',
  'pnpm-lock.yaml',
  'bun.lock',
  'bun.lockb',
  'deno.lock',
  'gemfile.lock',
  'poetry.lock',
  'uv.lock',
  'pipfile.lock',
  'cargo.lock',
  'composer.lock',
  'go.sum',
  'flake.lock',
])

/** The docs folder for an agent: changes stay in memory, and some paths are closed. */
export function createWorkingTree(
  base: FileTree,
  { docsPath, openPaths }: { docsPath: string; openPaths: readonly string[] },
): WorkingTree {
  const tree = createEditableTree(base)
  return {
    base,
    docsPath,
    get entries() {
      return tree.entries
    },
    read: tree.read,
    write: tree.write,
    delete: tree.delete,
    changes: tree.changes,
    [Symbol.asyncDispose]: tree[Symbol.asyncDispose],
    refusal(path) {
      if (path === '' || !isInnerPath(path)) {
        return `${JSON.stringify(path)} is no path inside the docs: expected one such as guides/setup.mdx.`
      }
      const whole = docsPath === '' ? path : `${docsPath}/${path}`
      const name = whole.slice(whole.lastIndexOf('/') + 1).toLowerCase()
      const isOpened = openPaths.some((open) => whole === open || whole.startsWith(`${open}/`))
      if (isOpened || !(closedFolders.test(whole) || closedNames.has(name))) return null
      return `${path} is read-only for agents; the project’s openPaths could open it.`
    },
  }
}
