import { Monitor, Moon, Sun } from 'lucide-react'
import { useState } from 'react'
import { IconButton } from '../ui/Button.tsx'

type Theme = 'system' | 'light' | 'dark'
const next: Record<Theme, Theme> = { system: 'light', light: 'dark', dark: 'system' }
const pictures = { system: Monitor, light: Sun, dark: Moon }
const storageKey = 'docent.theme'

/** Light, dark, or as the system has it; kept in this browser, and set before the first paint by public/theme.js. */
export function ThemeButton() {
  const [theme, setTheme] = useState<Theme>(() => (document.documentElement.dataset.theme as Theme) ?? 'system')
  const Picture = pictures[theme]
  const change = () => {
    const chosen = next[theme]
    setTheme(chosen)
    if (chosen === 'system') delete document.documentElement.dataset.theme
    else document.documentElement.dataset.theme = chosen
    try {
      if (chosen === 'system') localStorage.removeItem(storageKey)
      else localStorage.setItem(storageKey, chosen)
    } catch {
      // Storage is closed: the choice lasts as long as the page.
    }
  }
  return (
    <IconButton label={`Colours: ${theme}. Change to ${next[theme]}`} onClick={change}>
      <Picture aria-hidden className="size-4" />
    </IconButton>
  )
}
