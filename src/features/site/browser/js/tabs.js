// One part of several. Without this they stand below each other, each under its title.
const groups = []
let tabNumber = 0
const makeTabs = (box, parts) => {
  const titles = parts.map((part) => part.dataset.title)
  const menu =
    box.dataset.dropdown === undefined
      ? null
      : make('select', { 'aria-label': 'Language' }, ...titles.map((title) => make('option', {}, title)))
  const list = make('div', { class: 'tab-list', role: 'tablist' })
  const buttons = parts.map((part) => {
    part.id ||= `part-${++tabNumber}`
    const title = part.querySelector(':scope > .tab-title, :scope > .view-title')
    const content = title ? [...title.childNodes].map((node) => node.cloneNode(true)) : [part.dataset.title]
    const button = make(
      'button',
      { type: 'button', role: 'tab', id: `${part.id}-tab`, 'aria-controls': part.id },
      ...content,
    )
    if (!menu) {
      part.setAttribute('role', 'tabpanel')
      part.setAttribute('aria-labelledby', button.id)
    }
    list.append(button)
    return button
  })
  const select = (index) => {
    if (menu) menu.selectedIndex = index
    buttons.forEach((button, at) => {
      button.setAttribute('aria-selected', at === index)
      button.tabIndex = at === index ? 0 : -1
      parts[at].hidden = at !== index
    })
  }
  const choose = (index) => {
    const shown = menu ?? list
    const { top } = shown.getBoundingClientRect()
    const title = titles[index]
    select(index)
    if (box.dataset.sync !== undefined) {
      for (const group of groups)
        if (group.box.dataset.sync !== undefined && group.titles.includes(title))
          group.select(group.titles.indexOf(title))
      store('docent-tab', title)
    }
    // Others above may have become longer or shorter.
    scrollBy({ top: shown.getBoundingClientRect().top - top, behavior: 'instant' })
  }
  buttons.forEach((button, index) => {
    button.addEventListener('click', () => choose(index))
  })
  menu?.addEventListener('change', () => choose(menu.selectedIndex))
  list.addEventListener('keydown', (event) => {
    const at = buttons.indexOf(document.activeElement)
    const next = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: buttons.length - 1 }[event.key]
    if (next === undefined) return
    event.preventDefault()
    const index = (next + buttons.length) % buttons.length
    buttons[index].focus()
    choose(index)
  })
  groups.push({ box, titles, select, parts, first: Number(box.dataset.default ?? 0) })
  return menu ?? list
}
for (const box of $$('[data-tabs]')) {
  const parts = [...box.children].filter((child) => child.classList.contains('tab'))
  if (parts.length === 0) continue
  box.prepend(makeTabs(box, parts))
  box.classList.add('tabs-made')
}
const views = $$('.prose > .view')
if (views.length > 1) {
  const article = views[0].parentElement
  article.dataset.sync = 'title'
  const list = makeTabs(article, views)
  list.classList.add('view-switch')
  article.classList.add('views-made')
  views[0].before(list)
}
const lastTab = stored('docent-tab')
for (const { titles, select, first, parts } of groups) {
  const remembered = titles.indexOf(lastTab)
  select(remembered !== -1 ? remembered : first < parts.length ? first : 0)
}
// An address that names something inside a part that is not shown, or in something closed.
const reveal = () => {
  const id = namedBy(location.hash)
  const target = id && document.getElementById(id)
  if (!target) return
  for (const { parts, select } of groups) {
    const index = parts.findIndex((part) => part.contains(target))
    if (index !== -1) select(index)
  }
  for (let at = target; at; at = at.parentElement)
    if (at.localName === 'details' && at.closest('.prose')) at.open = true
  target.scrollIntoView({ behavior: 'instant' })
}
addEventListener('hashchange', reveal)
if (location.hash.length > 1) reveal()
