import type { PullRequestRow } from '#backends/hosts/builtin/pull-requests.ts'
import { counted } from '#base/counted.ts'
import type { Change, ShownFile } from './change.ts'
import { splitView, unifiedView } from './diff-view.ts'
import type { Highlighter } from './highlight.ts'
import { type Html, html } from './html.ts'
import { withoutJoiners } from './joiners.ts'
import { layout } from './layout.ts'
import { time } from './list-page.ts'
import { renderMarkdown } from './markdown.ts'

export type View = 'unified' | 'split'

/** Why a merge or a close was not done, to be told on the page. */
export type Notice = { kind: 'moved' } | { kind: 'base_moved' } | { kind: 'conflicts'; files: string[] }

export interface PullPage {
  project: { name: string; slug: string; repository: string }
  row: PullRequestRow
  /** The head that the page shows; what its forms then merge, and nothing newer. Null: the branch is gone. */
  head: string | null
  /** Null when its commits are not in the repository any more. */
  change: Change | null
  view: View
  notice: Notice | null
}

export async function renderPullPage(page: PullPage, { highlighter }: { highlighter: Highlighter }): Promise<string> {
  const { project, row, change } = page
  const { slug, name } = project
  const title = withoutJoiners(row.title) || 'Without a title'
  return layout({
    title: `${title} · #${row.number} · ${name}`,
    trail: html`${name} / <a href="/git/${slug}/pulls">Pull requests</a> / #${row.number}`,
    main: html`<h1>${title} <span class="number">#${row.number}</span></h1>
<p><span class="state ${row.state}">${row.state}</span> ${row.draft && row.state === 'open' && html`<span class="state draft">draft</span> `}<span class="branch">${row.branch}</span> into <span class="branch">${row.base}</span>, opened ${time(row.createdAt)}${endOf(row)}</p>
${page.notice && noticeOf(page.notice, page)}
<section class="summary" aria-label="Summary">${renderMarkdown(row.body)}</section>
${row.state === 'open' && actionsOf(page)}
${change ? await changeOf(change, page, highlighter) : html`<p>The commits of this pull request are not in the repository any more.</p>`}`,
  })
}

function endOf({ state, endedAt, endedBy }: PullRequestRow): Html | null {
  if (endedAt === null) return null
  return html`; ${state}${endedBy !== null && html` by ${endedBy}`} ${time(endedAt)}`
}

function noticeOf(notice: Notice, { project, row }: PullPage): Html {
  if (notice.kind === 'moved') {
    return html`<div class="panel notice" role="alert"><p>The branch has changed since you opened the page, so nothing was done. This is how it is now: read it again and decide.</p></div>`
  }
  if (notice.kind === 'base_moved') {
    return html`<div class="panel notice" role="alert"><p>Somebody changed <span class="branch">${row.base}</span> at the same moment, so nothing was done. Try again.</p></div>`
  }
  return html`<div class="panel notice" role="alert"><p>It cannot be merged: these files were changed in both branches, each in its own way.</p>
<ul>${notice.files.map((file) => html`<li><code>${file}</code></li>`)}</ul>
<p>Put <span class="branch">${row.base}</span> into the branch, decide what those files should say, and push; then merge here.</p>
<pre class="code"><code>git clone ${project.repository}
cd ${project.slug}
git switch ${shellWord(row.branch)}
git merge ${shellWord(`origin/${row.base}`)}
git push</code></pre></div>`
}

/** A branch's name as a person can paste it into a shell; git takes nearly everything for one. */
function shellWord(text: string): string {
  return /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}

function actionsOf({ project, row, head, view }: PullPage): Html {
  const action = `/git/${project.slug}/pulls/${row.number}`
  const fields = html`<input type="hidden" name="head" value="${head ?? ''}"><input type="hidden" name="view" value="${view}">`
  return html`<section class="panel" aria-label="Decide">
<p class="soft">Your browser asks for a password: any user name, and an admin key with the scope write.</p>
<div class="actions">
${head !== null && html`<form method="post" action="${action}/merge">${fields}<button class="main" type="submit">Merge into ${row.base}</button></form>`}
<form method="post" action="${action}/close">${fields}<button type="submit">Close without merging</button></form>
</div></section>`
}

async function changeOf(change: Change, { project, row, view }: PullPage, highlighter: Highlighter): Promise<Html> {
  const { commits, hasMoreCommits, files, isCut } = change
  const address = `/git/${project.slug}/pulls/${row.number}`
  const current = (one: View) => (one === view ? html` aria-current="page"` : '')
  const more = (isMore: boolean) => (isMore ? 'More than ' : '')
  return html`<h2>${more(hasMoreCommits)}${counted(commits.length, 'commit')}</h2>
<ol class="plain list">${commits.map(
    ({
      subject,
      id,
      authorName,
      date,
    }) => html`<li><span class="title">${withoutJoiners(subject) || 'Without a message'}</span>
<div class="soft"><span class="id">${id.slice(0, 10)}</span> by ${authorName}, ${time(date)}</div></li>
`,
  )}</ol>
<h2 id="files">${more(isCut)}${counted(files.length, 'file')} ${counts(sum(files, 'added'), sum(files, 'deleted'))}</h2>
<ul class="plain list files">${files.map(
    (file, index) => html`<li><a href="#file-${index + 1}">${nameOf(file)}</a> ${countsOf(file)}</li>
`,
  )}</ul>
<nav class="views" aria-label="How changes are shown">
<a href="${address}#files"${current('unified')}>One column</a>
<a href="${address}?view=split#files"${current('split')}>Side by side</a>
</nav>
${await filesOf(files, { view, highlighter })}`
}

async function filesOf(
  files: ShownFile[],
  { view, highlighter }: { view: View; highlighter: Highlighter },
): Promise<Html> {
  const texts = files.flatMap(({ path, oldPath, before, after }) => [
    { path: oldPath, text: before },
    { path, text: after },
  ])
  const colours = await highlighter.highlight(texts)
  const show = view === 'split' ? splitView : unifiedView
  return html`${files.map((file, index) => {
    const { hunks, path: name, isShown } = file
    const [before = null, after = null] = colours.slice(2 * index)
    return html`<section class="file" id="file-${index + 1}" aria-labelledby="name-${index + 1}">
<h3 id="name-${index + 1}"><span>${nameOf(file)}${modesOf(file)}</span> ${countsOf(file)}</h3>
${isShown && hunks.length > 0 && show({ hunks, name, colours: { before, after } })}${remarkOf(file)}</section>
`
  })}`
}

const submodule = '160000'
const elsewhere = 'Clone the repository to read all of it.'

function remarkOf({ isShown, isBinary, isCut, hunks, status, oldMode, newMode }: ShownFile): Html | null {
  if (oldMode === submodule || newMode === submodule) return html`<p>A link to another repository.</p>`
  if (isBinary) return html`<p>A binary file, or one too large to compare.</p>`
  if (!isShown) return html`<p>Left out: the pull request is too long for one page. ${elsewhere}</p>`
  if (isCut) return html`<p>Cut: it is too long for one page. ${elsewhere}</p>`
  if (hunks.length > 0) return null
  return html`<p>${status === 'added' || status === 'deleted' ? 'An empty file.' : 'The content is the same.'}</p>`
}

function nameOf({ status, path, oldPath }: ShownFile): Html {
  if (status === 'renamed') return html`${oldPath} → ${path} <span class="soft">(renamed)</span>`
  return status === 'modified' ? html`${path}` : html`${path} <span class="soft">(${status})</span>`
}

function modesOf({ status, oldMode, newMode }: ShownFile): Html | null {
  if (oldMode === newMode || status === 'added' || status === 'deleted') return null
  return html` <span class="soft">mode ${oldMode} → ${newMode}</span>`
}

function countsOf({ added, deleted }: ShownFile): Html {
  if (added === null || deleted === null) return html`<span class="counts soft">not counted</span>`
  return counts(added, deleted)
}

function counts(added: number, deleted: number): Html {
  return html`<span class="counts"><span class="plus">+${added}</span> <span class="minus">−${deleted}</span></span>`
}

function sum(files: ShownFile[], side: 'added' | 'deleted'): number {
  return files.reduce((total, file) => total + (file[side] ?? 0), 0)
}
