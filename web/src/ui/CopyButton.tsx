import { Check, Copy } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Button, IconButton } from './Button.tsx'

/** Copies a text, and says that it did, to screen readers too. */
export function CopyButton({
  text,
  label = 'Copy',
  isIconOnly = false,
}: {
  text: string
  label?: string
  isIconOnly?: boolean
}) {
  const [state, setState] = useState<'idle' | 'copied' | 'failed'>('idle')
  useEffect(() => {
    if (state === 'idle') return
    const timer = setTimeout(() => setState('idle'), 2_000)
    return () => clearTimeout(timer)
  }, [state])
  const copy = async () => setState((await writeClipboard(text)) ? 'copied' : 'failed')
  const words = { idle: label, copied: 'Copied', failed: 'Select it and copy by hand' }[state]
  const picture =
    state === 'copied' ? <Check aria-hidden className="size-4 text-good" /> : <Copy aria-hidden className="size-4" />
  return (
    <>
      {isIconOnly ? (
        <IconButton label={words} onClick={copy}>
          {picture}
        </IconButton>
      ) : (
        <Button onClick={copy} icon={picture}>
          {words}
        </Button>
      )}
      <span aria-live="polite" className="sr-only">
        {state === 'idle' ? '' : words}
      </span>
    </>
  )
}

/** The clipboard is closed to pages over plain HTTP from another machine, where the old way still works. */
async function writeClipboard(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    const area = document.createElement('textarea')
    area.value = text
    // Inside an open dialog, as nothing outside of one can have the focus.
    const place = document.querySelector('dialog[open]') ?? document.body
    place.append(area)
    area.select()
    const isCopied = document.execCommand('copy')
    area.remove()
    return isCopied
  }
}

/** A line to paste into a shell or a file. */
export function CodeLine({ code, label = 'Copy this' }: { code: string; label?: string }) {
  return (
    <div className="flex items-start gap-1 rounded-lg border bg-sunken py-1 pr-1 pl-3">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard. */}
      <pre tabIndex={0} className="min-w-0 flex-1 overflow-x-auto py-1.5 font-mono text-[0.8125rem] leading-relaxed">
        <code>{code}</code>
      </pre>
      <CopyButton text={code} label={label} isIconOnly />
    </div>
  )
}
