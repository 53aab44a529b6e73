// Menus close when one clicks elsewhere or presses Escape; the choice between light and dark; the banner.
addEventListener('click', ({ target }) => {
  for (const menu of $$('details.menu[open]')) if (!menu.contains(target)) menu.open = false
})
addEventListener('keydown', (event) => {
  if (event.key !== 'Escape') return
  for (const menu of $$('details.menu[open]')) {
    menu.open = false
    if (menu.contains(document.activeElement)) menu.querySelector('summary').focus()
  }
})
for (const button of $$('[data-theme-switch]')) {
  button.addEventListener('click', () => {
    const next = isDark() ? 'light' : 'dark'
    // Back to what the system says: then the page follows the system again.
    const system = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'
    const own = root.dataset.themeOwn ?? (root.dataset.themeOwn = '')
    store('docent-theme', next === system && own === '' ? null : next)
    root.dataset.theme = next
    dispatchEvent(new Event('docent:theme'))
  })
}
for (const button of $$('[data-close-banner]')) {
  button.addEventListener('click', () => {
    root.classList.add('banner-closed')
    store('docent-banner', document.querySelector('script[data-banner]').dataset.banner)
  })
}
// The page that one reads is in view in a long list.
const current = document.querySelector('.side-nav [aria-current="page"]')
const side = document.getElementById('docent-sidebar')
const showCurrent = () => {
  const [inner, outer] = [current.getBoundingClientRect(), side.getBoundingClientRect()]
  if (inner.bottom > outer.bottom - 40 || inner.top < outer.top)
    side.scrollTop += inner.top - outer.top - outer.height / 3
}
if (current && side) {
  showCurrent()
  side.addEventListener('toggle', showCurrent)
}
