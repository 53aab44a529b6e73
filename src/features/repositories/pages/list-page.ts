import type { PullRequestRow } from '#backends/hosts/builtin/pull-requests.ts'
import { html } from './html.ts'
import { withoutJoiners } from './joiners.ts'
import { layout } from './layout.ts'

export interface ListPage {
  project: { name: string; slug: string; repository: string }
  state: 'open' | 'ended'
  counts: { open: number; ended: number }
  rows: PullRequestRow[]
  page: { limit: number; offset: number; hasMore: boolean }
}

export function renderListPage({ project, state, counts, rows, page }: ListPage): string {
  const { slug, name, repository } = project
  const address = (query: string) => `/git/${slug}/pulls${query}`
  const current = (one: ListPage['state']) => (one === state ? html` aria-current="page"` : '')
  const { limit, offset, hasMore } = page
  const at = (from: number) => address(`?state=${state}&offset=${from}`)
  const items = rows.map(
    (
      row,
    ) => html`<li><a class="title" href="${address(`/${row.number}`)}">${withoutJoiners(row.title) || 'Without a title'}</a>
<span class="soft">#${row.number}</span> <span class="state ${row.state}">${row.state}</span>
<div class="soft"><span class="branch">${row.branch}</span> into <span class="branch">${row.base}</span>, ${time(row.createdAt)}</div></li>
`,
  )
  return layout({
    title: `Pull requests · ${name}`,
    trail: html`${name} / Pull requests`,
    main: html`<h1>Pull requests</h1>
<p class="soft">Clone the repository with <code>git clone ${repository}</code>, any user name, and an admin key as the password.</p>
<nav class="views" aria-label="Which pull requests">
<a href="${address('')}"${current('open')}>Open (${counts.open})</a>
<a href="${address('?state=ended')}"${current('ended')}>Merged and closed (${counts.ended})</a>
</nav>
<h2>${state === 'open' ? 'Open' : 'Merged and closed'}</h2>
${rows.length === 0 ? html`<p>There are none.</p>` : html`<ul class="plain list">${items}</ul>`}
<p class="views">${offset > 0 && html`<a href="${at(Math.max(0, offset - limit))}">Newer</a>`} ${hasMore && html`<a href="${at(offset + limit)}">Older</a>`}</p>`,
  })
}

export function time(at: Date) {
  const iso = at.toISOString()
  return html`<time datetime="${iso}">${iso.slice(0, 16).replace('T', ' ')} UTC</time>`
}
