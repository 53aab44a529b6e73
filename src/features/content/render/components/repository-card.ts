import type { Component, ComponentNode } from '../component.ts'
import { noteHtml, noteMarkdown } from '../note-output.ts'
import { cardLink } from './card.ts'
import { element } from './element.ts'
import { joiningList, link, listItem } from './markdown-nodes.ts'
import { textProp } from './props.ts'

const needsRepository = 'A GitHub card needs a repo like "owner/name".'

/** `<GitHub.Repo repo="owner/name">`. No stars: pages ask nothing of other servers. */
export const repositoryCard: Component = {
  html(node, context) {
    const repository = repositoryOf(node)
    if (!repository) return noteHtml({ ...node, props: { message: needsRepository } })
    const icon = context.icon('github', { library: 'fontawesome', type: 'brands' })
    return [
      element(
        'div',
        { className: ['card', 'card-repository'], dataLink: '', dataHorizontal: '' },
        icon && element('span', { className: ['card-icon'] }, icon),
        element(
          'div',
          { className: ['card-body'] },
          element(
            'p',
            { className: ['card-title'] },
            cardLink([{ type: 'text', value: repository.name }], repository.url, context),
          ),
          element('div', { className: ['card-text'] }, element('p', {}, 'Repository on GitHub')),
        ),
      ),
    ]
  },
  markdown(node) {
    const repository = repositoryOf(node)
    if (!repository) return noteMarkdown({ ...node, props: { message: needsRepository } })
    return [joiningList([listItem([link(repository.url, `${repository.name} on GitHub`)], [])])]
  },
  fault: (node) => (repositoryOf(node) ? null : needsRepository),
}

function repositoryOf(node: ComponentNode): { name: string; url: string } | null {
  const written = textProp(node, 'repo', 'repository', 'url') ?? ''
  const match = /^(?:https?:\/\/(?:www\.)?github\.com\/)?([\w.-]+\/[\w.-]+?)(?:\.git)?\/?$/.exec(written)
  return match ? { name: match[1]!, url: `https://github.com/${match[1]}` } : null
}
