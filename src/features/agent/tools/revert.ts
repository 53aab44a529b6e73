import { z } from 'zod'
import { DocentError } from '#base/errors.ts'
import { demandWritable, docsPathOf, existingPath } from './paths.ts'
import { defineTool } from './tool.ts'

export const revert = defineTool({
  name: 'revert',
  description: 'Put a file back as it was before your work, or take away one that you created.',
  input: z.object({ path: z.string() }),
  writes: true,
  async run({ path: written }, { run: { tree } }) {
    const named = docsPathOf(tree, written)
    const path = tree.base.entries.has(named) ? named : existingPath(tree, written)
    demandWritable(tree, path)
    if (!tree.changes().some((change) => change.path === path)) {
      throw new DocentError('invalid', 'revert.unchanged', `${path} is as it was; there is nothing to put back.`)
    }
    const before = await tree.base.read(path)
    if (before === null) tree.delete(path)
    else tree.write(path, before)
    const done = before === null ? `Took ${path} away again` : `Put ${path} back as it was`
    return { text: `${done}.`, progress: done }
  },
})
