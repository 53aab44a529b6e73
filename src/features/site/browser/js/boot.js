// Before anything is painted: the reader's choice of light or dark, and that there is a script.
{
  const root = document.documentElement
  const read = (key) => {
    try {
      return localStorage.getItem(key)
    } catch {
      return null
    }
  }
  root.classList.add('js')
  const theme = read('docent-theme')
  if ((theme === 'light' || theme === 'dark') && !root.hasAttribute('data-theme-fixed')) root.dataset.theme = theme
  const { banner } = document.currentScript.dataset
  if (banner && read('docent-banner') === banner) root.classList.add('banner-closed')
}
