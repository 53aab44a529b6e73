import { z } from 'zod'
import { demandWritable, existingPath } from './paths.ts'
import { defineTool } from './tool.ts'

export const deleteFile = defineTool({
  name: 'delete',
  description:
    'Delete a file. For a page that moved use move, which keeps links and redirects. Then take it out of the navigation and mend the links to it; check lists them.',
  input: z.object({ path: z.string() }),
  writes: true,
  async run({ path: written }, { run }) {
    const path = existingPath(run.tree, written)
    demandWritable(run.tree, path)
    run.tree.delete(path)
    return { text: `Deleted ${path}.`, progress: `Deleted ${path}` }
  },
})
