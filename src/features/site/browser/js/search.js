// Search: a dialog, made when it is first opened.
let dialog = null
const openSearch = () => {
  dialog ??= makeSearch()
  if (!dialog.element.open) dialog.open()
}
const isMac = /mac|iphone|ipad/i.test(navigator.userAgentData?.platform ?? navigator.platform)
for (const key of $$('[data-shortcut]')) key.textContent = isMac ? '⌘K' : 'Ctrl K'
for (const button of $$('[data-search]')) button.addEventListener('click', openSearch)
addEventListener('keydown', (event) => {
  const isTyping = event.target.closest?.('input, textarea, select, [contenteditable]')
  const isShortcut =
    (event.key.toLowerCase() === 'k' && (event.metaKey || event.ctrlKey) && !event.shiftKey && !event.altKey) ||
    (event.key === '/' && !isTyping && !event.metaKey && !event.ctrlKey && !event.altKey)
  if (!isShortcut || !document.querySelector('[data-search]')) return
  event.preventDefault()
  openSearch()
})

function makeSearch() {
  const prompt = page.prompt ?? 'Search…'
  const input = make('input', {
    type: 'search',
    role: 'combobox',
    placeholder: prompt,
    'aria-label': 'Search this site',
    'aria-expanded': 'false',
    'aria-controls': 'search-results',
    'aria-autocomplete': 'list',
    autocomplete: 'off',
    autocapitalize: 'off',
    spellcheck: 'false',
    enterkeyhint: 'go',
  })
  const results = make('div', {
    class: 'search-results',
    id: 'search-results',
    role: 'listbox',
    'aria-label': 'Results',
  })
  const status = make('p', { class: 'search-status', role: 'status' })
  const keys = make('div', { class: 'search-keys', 'aria-hidden': 'true' })
  for (const [key, words] of [
    ['↑↓', 'Move'],
    ['↵', 'Open'],
    ['Esc', 'Close'],
  ])
    keys.append(make('span', {}, make('kbd', {}, key), words))
  const element = make(
    'dialog',
    { class: 'search', 'aria-label': 'Search' },
    make('div', { class: 'search-field' }, icon(icons.search), input, make('kbd', {}, 'Esc')),
    status,
    results,
    keys,
  )
  document.body.append(element)

  let options = []
  let selected = -1
  let timer = 0
  let pause = 0
  let asked = 0
  let shown = ''
  let hits = []
  const known = new Map()
  // Searches are counted where somebody ended: stopped to read, chose, or gave up; not at every letter.
  const ended = new Map()

  const select = (index) => {
    options[selected]?.setAttribute('aria-selected', 'false')
    selected = index
    const option = options[index]
    option?.setAttribute('aria-selected', 'true')
    option?.scrollIntoView({ block: 'nearest' })
    if (option) input.setAttribute('aria-activedescendant', option.id)
    else input.removeAttribute('aria-activedescendant')
  }

  const address = ({ route, anchor }) =>
    `${page.base}${route.split('/').map(encodeURIComponent).join('/')}${anchor ? `#${encodeURIComponent(anchor)}` : ''}`

  const search = async (text, more = {}) => {
    const query = new URLSearchParams({ q: text, ...more })
    if (page.language) query.set('language', page.language)
    if (page.version) query.set('version', page.version)
    const reply = await fetch(`${page.base}/_docent/search?${query}`, {
      headers: { accept: 'application/json' },
      keepalive: true,
    })
    if (!reply.ok) throw new Error(`${reply.status}`)
    return await reply.json()
  }

  const end = async () => {
    const text = shown
    if (text === '' || ended.has(text)) return
    ended.set(text, null)
    try {
      ended.set(text, (await search(text, { final: 1 })).searchId)
    } catch {
      // Not counted; nobody waits for it.
    }
  }

  const show = (text) => {
    shown = text
    const groups = new Map()
    for (const hit of hits) {
      const name = [...hit.trail, hit.title].join(' › ')
      groups.set(name, [...(groups.get(name) ?? []), hit])
    }
    options = []
    const lists = [...groups].map(([name, inside]) => {
      const items = inside.map((hit) => {
        const excerpt = make(
          'small',
          {},
          ...hit.excerpt.map((part) => (part.isMatch ? make('mark', {}, part.text) : part.text)),
        )
        const option = make(
          'a',
          {
            class: 'search-hit',
            role: 'option',
            id: `search-hit-${options.length}`,
            href: address(hit),
            tabindex: '-1',
            'aria-selected': 'false',
          },
          icon(hit.heading === null ? icons.page : icons.section),
          make('span', {}, make('strong', {}, hit.heading ?? hit.title), excerpt),
        )
        const index = options.push(option) - 1
        option.addEventListener('click', () => clicked(hit))
        option.addEventListener('pointermove', () => selected !== index && select(index))
        return option
      })
      const label = make('div', { class: 'search-group', 'aria-hidden': 'true' }, name)
      return make('div', { role: 'group', 'aria-label': name }, label, ...items)
    })
    results.replaceChildren(...lists)
    input.setAttribute('aria-expanded', options.length > 0)
    status.textContent = options.length > 0 ? '' : `Nothing found for “${text}”. Try other or fewer words.`
    select(options.length > 0 ? 0 : -1)
  }

  const clicked = (hit) => {
    const searchId = ended.get(shown) ?? null
    const body = JSON.stringify({ searchId, query: shown, path: hit.route })
    navigator.sendBeacon?.(`${page.base}/_docent/click`, new Blob([body], { type: 'application/json' }))
    ended.set(shown, searchId)
    element.close()
  }

  const clear = (words) => {
    results.replaceChildren()
    options = []
    select(-1)
    input.setAttribute('aria-expanded', 'false')
    status.textContent = words
    shown = ''
  }

  const ask = async () => {
    const text = input.value.trim()
    // Answers come in any order: only the latest question's is shown.
    const turn = ++asked
    if (text === '') return clear('')
    try {
      let found = known.get(text)
      if (!found) {
        found = await search(text)
        known.set(text, found)
      }
      if (turn !== asked) return
      hits = found.hits
      show(text)
      clearTimeout(pause)
      pause = setTimeout(end, 2000)
    } catch {
      if (turn === asked) clear('Search did not answer. Please try again in a moment.')
    }
  }

  input.addEventListener('input', () => {
    clearTimeout(timer)
    timer = setTimeout(ask, input.value.trim() === '' ? 0 : 120)
  })
  input.addEventListener('keydown', (event) => {
    if (event.isComposing) return
    // Browsers empty the field first, and close at the second press.
    if (event.key === 'Escape') {
      event.preventDefault()
      return element.close()
    }
    const last = options.length - 1
    const next = { ArrowDown: selected === last ? 0 : selected + 1, ArrowUp: selected <= 0 ? last : selected - 1 }[
      event.key
    ]
    if (next !== undefined) {
      event.preventDefault()
      if (options.length > 0) select(next)
    } else if (event.key === 'Enter') {
      event.preventDefault()
      const option = options[selected]
      if (option)
        option.dispatchEvent(
          new MouseEvent('click', { bubbles: true, cancelable: true, ctrlKey: event.ctrlKey, metaKey: event.metaKey }),
        )
    }
  })
  // On the dialog itself, around its content: the dimmed page.
  element.addEventListener('click', (event) => {
    if (event.target === element) element.close()
  })
  element.addEventListener('close', () => {
    clearTimeout(pause)
    end()
  })
  return {
    element,
    open() {
      element.showModal()
      input.select()
    },
  }
}
