import { html } from './html.ts'
import { layout } from './layout.ts'

/** A page that says one thing, such as that there is nothing here. */
export function renderMessagePage({ title, text }: { title: string; text: string }): string {
  return layout({ title, trail: 'Docent', main: html`<h1>${title}</h1><p>${text}</p>` })
}
