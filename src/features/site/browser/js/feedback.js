// Was this page helpful? One answer a page: sent with the comment, or without it when the reader leaves.
for (const form of $$('[data-feedback]')) {
  const more = form.querySelector('.feedback-more')
  const status = form.querySelector('[role="status"]')
  const buttons = $$('button[value]', form)
  let answer = null
  let isSent = false
  const send = (comment) => {
    if (answer === null || isSent) return null
    isSent = true
    return post('feedback', { path: page.route, helpful: answer === 'yes', ...(comment ? { comment } : {}) })
  }
  for (const button of buttons) {
    button.addEventListener('click', () => {
      if (isSent) return
      answer = button.value
      for (const other of buttons) other.setAttribute('aria-pressed', other === button)
      more.hidden = false
      status.textContent = ''
    })
  }
  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    const sent = send(form.elements.comment.value.trim())
    if (sent === null) return
    try {
      const reply = await sent
      if (!reply.ok) throw new Error(`${reply.status}`)
      more.hidden = true
      for (const button of buttons) button.disabled = true
      status.textContent = 'Thank you for telling us.'
    } catch {
      isSent = false
      status.textContent = 'That could not be sent. Please try again.'
    }
  })
  const leave = () => send(form.elements.comment.value.trim())?.catch(() => {})
  addEventListener('pagehide', leave)
  document.addEventListener('visibilitychange', () => document.visibilityState === 'hidden' && leave())
}
