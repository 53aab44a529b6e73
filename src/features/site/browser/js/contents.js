// Which part of the page one reads.
const links = new Map($$('.contents a').map((link) => [namedBy(link.hash), link]))
if (links.size > 0) {
  const headings = [...links.keys()].map((id) => document.getElementById(id)).filter(Boolean)
  let marked = null
  let isWaiting = false
  const mark = () => {
    isWaiting = false
    const line = Number.parseFloat(getComputedStyle(root).scrollPaddingTop) + 24
    const isAtEnd = innerHeight + scrollY >= root.scrollHeight - 4
    const passed = headings.filter((heading) => heading.getBoundingClientRect().top <= line)
    const now = isAtEnd ? headings.at(-1) : passed.at(-1)
    if (now === marked) return
    marked?.id && links.get(marked.id)?.removeAttribute('aria-current')
    marked = now
    const link = now && links.get(now.id)
    link?.setAttribute('aria-current', 'location')
    const box = link?.closest('.page-side')
    if (box && box.scrollHeight > box.clientHeight) box.scrollTop = link.offsetTop - box.clientHeight / 2
  }
  addEventListener(
    'scroll',
    () => {
      if (!isWaiting) requestAnimationFrame(mark)
      isWaiting = true
    },
    { passive: true },
  )
  mark()
}
