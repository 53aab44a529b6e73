import type { ReactNode } from 'react'
import { Button } from '../../ui/Button.tsx'
import { CodeLine } from '../../ui/CopyButton.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Time } from '../../ui/Time.tsx'

export interface OneTimeLink {
  title: string
  /** Whom it is for and what it does. */
  words: ReactNode
  url: string
  expiresAt: string
}

/** A link that works once and is shown once. */
export function OneTimeLinkDialog({ link, onClose }: { link: OneTimeLink; onClose(): void }) {
  return (
    <Dialog title={link.title} onClose={onClose}>
      <p className="text-sm">{link.words}</p>
      <CodeLine code={link.url} label="Copy the link" />
      <p className="text-xs text-muted">
        It works once, until <Time at={link.expiresAt} />, and is not shown again. Whoever has it can use it: send it on
        a way that only they read. No e-mail was sent.
      </p>
      <div className="flex justify-end">
        <Button look="primary" onClick={onClose}>
          Done
        </Button>
      </div>
    </Dialog>
  )
}
