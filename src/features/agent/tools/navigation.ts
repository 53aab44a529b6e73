import { z } from 'zod'
import { DocentError } from '#base/errors.ts'
import { editNavigation, type NavigationChange } from '#features/content/service.ts'
import { docsPathOf } from './paths.ts'
import { defineTool } from './tool.ts'

const input = z.object({
  action: z.enum(['add_page', 'remove_page', 'move_page', 'rename_group', 'add_group']),
  page: z.string().optional().describe('For *_page: the page, such as guides/setup.'),
  group: z.string().optional().describe('Name of the group; with those around it if need be: Guides / Deploy.'),
  before: z.string().optional().describe('For add_page and move_page: the page that it stands before.'),
  after: z.string().optional().describe('For add_page and move_page: the page that it stands after.'),
  name: z.string().optional().describe('For rename_group: the new name.'),
  parent: z.string().optional().describe('For add_group: the group or tab that it goes into.'),
  pages: z.array(z.string()).optional().describe('For add_group: its pages.'),
})

// One flat object and not one for each action: several providers do not take a choice of schemas.
export const navigation = defineTool({
  name: 'navigation',
  description:
    'Change the navigation in docs.json: add, remove or move a page, add or rename a group. Without group, before or after, a page is put beside its nearest relatives.',
  input,
  writes: true,
  async run(given, { run }) {
    const inside = (page: string | undefined) => (page === undefined ? undefined : docsPathOf(run.tree, page))
    const named = {
      ...given,
      page: inside(given.page),
      before: inside(given.before),
      after: inside(given.after),
      pages: given.pages?.map((page) => docsPathOf(run.tree, page)),
    }
    const { changed, done } = await editNavigation(run.tree, changeOf(named))
    return { text: done, progress: changed ? 'Changed the navigation' : 'Left the navigation as it is' }
  },
})

type Named = { [Field in keyof z.infer<typeof input>]: z.infer<typeof input>[Field] | undefined } & {
  action: z.infer<typeof input>['action']
}

function changeOf({ action, page, group, before, after, name, parent, pages }: Named): NavigationChange {
  const place = {
    ...(group === undefined ? {} : { group }),
    ...(before === undefined ? {} : { before }),
    ...(after === undefined ? {} : { after }),
  }
  switch (action) {
    case 'add_page':
    case 'move_page':
      return { action, page: demand(page, 'page', action), ...place }
    case 'remove_page':
      return { action, page: demand(page, 'page', action) }
    case 'rename_group':
      return { action, group: demand(group, 'group', action), name: demand(name, 'name', action) }
    case 'add_group':
      return {
        action,
        group: demand(group, 'group', action),
        ...(parent === undefined ? {} : { parent }),
        ...(pages === undefined ? {} : { pages }),
      }
  }
}

function demand(value: string | undefined, field: string, action: string): string {
  if (value !== undefined && value.trim() !== '') return value
  throw new DocentError('invalid', 'navigation.incomplete', `${action} needs ${field}.`)
}
