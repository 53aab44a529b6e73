// What the other parts share. They stand in one function, one after the other.
const page = document.currentScript.dataset
const root = document.documentElement
const $$ = (selector, inside = document) => [...inside.querySelectorAll(selector)]
const store = (key, value) => {
  try {
    if (value === null) localStorage.removeItem(key)
    else localStorage.setItem(key, value)
  } catch {
    // A browser that keeps nothing for us: the choice holds for this page.
  }
}
const stored = (key) => {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}
// Elements of text alone: nothing that a page or a server says becomes markup.
const make = (name, attributes = {}, ...children) => {
  const element = document.createElement(name)
  for (const [key, value] of Object.entries(attributes)) if (value !== null) element.setAttribute(key, value)
  element.append(...children)
  return element
}
const icon = (path) => {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg')
  const attributes = {
    class: 'icon',
    viewBox: '0 0 24 24',
    fill: 'none',
    stroke: 'currentColor',
    'stroke-width': 2,
    'stroke-linecap': 'round',
    'stroke-linejoin': 'round',
    'aria-hidden': true,
  }
  for (const [key, value] of Object.entries(attributes)) svg.setAttribute(key, value)
  const line = document.createElementNS('http://www.w3.org/2000/svg', 'path')
  line.setAttribute('d', path)
  svg.append(line)
  return svg
}
const icons = {
  copy: 'M10 8h10a2 2 0 0 1 2 2v10a2 2 0 0 1-2 2H10a2 2 0 0 1-2-2V10a2 2 0 0 1 2-2M4 16c-1.1 0-2-.9-2-2V4c0-1.1.9-2 2-2h10c1.1 0 2 .9 2 2',
  check: 'M20 6 9 17l-5-5',
  search: 'm21 21-4.34-4.34M11 19a8 8 0 1 0 0-16 8 8 0 0 0 0 16',
  page: 'M14 2H6a2 2 0 0 0-2 2v16a2 2 0 0 0 2 2h12a2 2 0 0 0 2-2V8zM14 2v6h6',
  section: 'M4 9h16M4 15h16M10 3 8 21m8-18-2 18',
}
// What an address names on the page; it may be written wrong.
const namedBy = (hash) => {
  try {
    return decodeURIComponent(hash.slice(1))
  } catch {
    return hash.slice(1)
  }
}
const isDark = () =>
  (root.dataset.theme ?? (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light')) === 'dark'
const post = (name, data) =>
  fetch(`${page.base}/_docent/${name}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(data),
    keepalive: true,
  })

if (page.reload !== undefined) {
  new EventSource(`${page.base}/_docent/reload`).addEventListener('message', () => location.reload())
}
