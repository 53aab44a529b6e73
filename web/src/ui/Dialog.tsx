import { X } from 'lucide-react'
import { type ReactNode, useEffect, useId, useRef } from 'react'
import { Button, IconButton } from './Button.tsx'
import { ErrorNote } from './ErrorNote.tsx'

/**
 * As the `ref` of what a dialog is to begin with. React's `autoFocus` is too early for that: nothing in a closed dialog can
 * have the focus, and opening it looks for the attribute, which React does not write.
 */
export function focusFirst(element: HTMLElement | null): void {
  element?.setAttribute('autofocus', '')
}

/** A modal window: the browser's own, which keeps the focus inside and gives it back. Open while it is rendered. */
export function Dialog({ title, onClose, children }: { title: string; onClose(): void; children: ReactNode }) {
  const ref = useRef<HTMLDialogElement>(null)
  const id = useId()
  useEffect(() => {
    const dialog = ref.current
    if (dialog && !dialog.open) dialog.showModal()
    return () => dialog?.close()
  }, [])
  return (
    <dialog
      ref={ref}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      className="w-[min(34rem,calc(100vw-2rem))] rounded-xl border bg-raised p-0 shadow-xl backdrop:bg-black/50"
    >
      <header className="flex items-center justify-between gap-4 border-b px-5 py-3">
        <h2 id={id} className="font-semibold">
          {title}
        </h2>
        <IconButton label="Close" onClick={onClose}>
          <X aria-hidden className="size-4" />
        </IconButton>
      </header>
      <div className="flex flex-col gap-4 p-5">{children}</div>
    </dialog>
  )
}

interface ConfirmDialogProps {
  title: string
  /** What will happen, and whether it can be undone. */
  children: ReactNode
  confirmLabel: string
  isBusy?: boolean
  error?: unknown
  onConfirm(): void
  onClose(): void
}

/** Asks before something that cannot be taken back. The way out has the focus. */
export function ConfirmDialog({
  title,
  children,
  confirmLabel,
  isBusy,
  error,
  onConfirm,
  onClose,
}: ConfirmDialogProps) {
  return (
    <Dialog title={title} onClose={onClose}>
      <div className="text-sm">{children}</div>
      {error ? <ErrorNote error={error} /> : null}
      <div className="flex justify-end gap-2">
        <Button onClick={onClose} ref={focusFirst}>
          Cancel
        </Button>
        <Button look="danger" isBusy={isBusy ?? false} onClick={onConfirm}>
          {confirmLabel}
        </Button>
      </div>
    </Dialog>
  )
}
