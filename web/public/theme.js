// Before the first paint, so that a page never flashes in the wrong colours.
try {
  const theme = localStorage.getItem('docent.theme')
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme
} catch {
  // Storage is closed to this page: the system's colours are as good.
}
