// Copying: of code, of prompts, and of the page as Markdown. Authors may have given our classes to something of theirs.
const copy = async (button, text) => {
  const label = button.querySelector('span[aria-live]')
  let said = 'Copied'
  try {
    await navigator.clipboard.writeText(await text())
  } catch {
    said = 'Could not copy'
  }
  const before = [...button.childNodes].map((node) => node.cloneNode(true))
  if (label) label.textContent = said
  else button.replaceChildren(icon(said === 'Copied' ? icons.check : 'M18 6 6 18M6 6l12 12'))
  button.setAttribute('aria-label', said)
  button.classList.add('copied')
  setTimeout(() => {
    button.replaceChildren(...before)
    button.classList.remove('copied')
    if (label) button.removeAttribute('aria-label')
    else button.setAttribute('aria-label', button.dataset.label)
  }, 1600)
}
for (const block of $$('.code-block:not([data-nocopy])')) {
  const pre = block.querySelector('pre')
  if (!pre) continue
  const button = make(
    'button',
    { class: 'copy-code', type: 'button', 'aria-label': 'Copy', 'data-label': 'Copy' },
    icon(icons.copy),
  )
  button.addEventListener('click', () => copy(button, () => pre.textContent.replace(/\n$/, '')))
  block.append(button)
}
for (const block of $$('.code-block[data-expandable]')) {
  const pre = block.querySelector('pre')
  if (pre.scrollHeight <= pre.clientHeight + 8) {
    block.dataset.open = ''
    continue
  }
  const button = make('button', { class: 'expand-code', type: 'button', 'aria-expanded': 'false' }, 'Show more')
  button.addEventListener('click', () => {
    const isOpen = block.toggleAttribute('data-open')
    button.textContent = isOpen ? 'Show less' : 'Show more'
    button.setAttribute('aria-expanded', isOpen)
  })
  block.append(button)
}
for (const prompt of $$('.prompt')) {
  const code = prompt.querySelector('code')
  const head = prompt.querySelector('.prompt-head')
  if (!code || !head) continue
  const button = make(
    'button',
    { class: 'prompt-copy', type: 'button' },
    icon(icons.copy),
    make('span', { 'aria-live': 'polite' }, 'Copy prompt'),
  )
  button.addEventListener('click', () => copy(button, () => code.textContent))
  head.append(button)
}
for (const button of $$('[data-copy-page]')) {
  button.addEventListener('click', () => {
    const shown = button.closest('.copy-page').querySelector(':scope > button')
    button.closest('details')?.removeAttribute('open')
    copy(shown, async () => {
      const answer = await fetch(page.markdown, { headers: { accept: 'text/markdown' } })
      if (!answer.ok) throw new Error(`${answer.status}`)
      return await answer.text()
    })
  })
}
