import { DocentError } from '#base/errors.ts'
import type { Preview } from '#features/site/publish/schema.ts'
import { createClient, serverOptions } from './client.ts'
import { defineCommand } from './command.ts'
import { projectOption } from './find-project.ts'
import { siteAddress } from './site.ts'

export const sitePreviewLink = defineCommand({
  name: 'site preview-link',
  about: 'Makes a link to a preview of a branch or commit that works without a key, until it expires.',
  options: {
    ref: { type: 'string', value: 'branch', about: 'The branch, which the preview then follows.' },
    commit: { type: 'string', value: 'id', about: 'The commit.' },
    hours: { type: 'string', value: 'number', about: 'How long the link works; a week if left out.' },
    ...projectOption,
    ...serverOptions,
  },
  examples: ['docent site preview-link --ref feature/search', 'docent site preview-link --commit 1f3c9ab --hours 24'],
  async run(input) {
    const { ref, commit, hours } = input.options
    if ((ref === undefined) === (commit === undefined)) {
      throw new DocentError('invalid', 'cli.usage', 'Say what to preview with --ref <branch> or --commit <id>.')
    }
    if (hours !== undefined && !/^\d{1,6}$/.test(hours)) {
      throw new DocentError('invalid', 'cli.usage', `--hours: expected a number, found ${JSON.stringify(hours)}.`)
    }
    const client = createClient(input)
    const path = await siteAddress(client, input.options.project, '/previews')
    const body = { ref, commit, ...(hours === undefined ? {} : { expiresInHours: Number(hours) }) }
    const preview = await client.call<Preview>('POST', path, body)
    const text = `${preview.shareUrl}\nWorks without a key until ${preview.expiresAt}. For readers with a key: ${preview.url}`
    input.output.result(preview, text)
  },
})
