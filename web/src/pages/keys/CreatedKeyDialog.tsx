import { TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import type { CreatedKey } from '../../api/client.ts'
import { Button } from '../../ui/Button.tsx'
import { CodeLine } from '../../ui/CopyButton.tsx'
import { Dialog } from '../../ui/Dialog.tsx'

/** The one time that a key can be seen. Leaving by the cross or Escape asks, as neither says that it was kept. */
export function CreatedKeyDialog({ created, onClose }: { created: CreatedKey; onClose(): void }) {
  const [isLeaving, setLeaving] = useState(false)
  const curl = `curl -H "Authorization: Bearer ${created.key}" ${window.location.origin}/v1/projects`
  return (
    <Dialog title={`The key ${created.name}`} onClose={() => setLeaving(true)}>
      <p className="flex items-start gap-2 rounded-lg border border-warn/30 bg-warn-soft px-3 py-2 text-sm">
        <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0 text-warn" />
        This is the only time the key is shown. Keep it where your program reads its secrets, never in a web page.
      </p>
      <div className="flex flex-col gap-1.5">
        <h3 className="text-sm font-medium">Key</h3>
        <CodeLine code={created.key} label="Copy the key" />
      </div>
      <div className="flex flex-col gap-1.5">
        <h3 className="text-sm font-medium">Try it</h3>
        <CodeLine code={curl} label="Copy the curl command" />
        {created.allowedAddresses.length > 0 && (
          <p className="text-xs text-muted">It answers only on the addresses that you allowed.</p>
        )}
      </div>
      {isLeaving ? (
        <div role="alert" className="flex flex-wrap items-center justify-between gap-3 border-t pt-4">
          <p className="text-sm font-medium">Once closed, the key is not shown again.</p>
          <div className="flex gap-2">
            <Button onClick={() => setLeaving(false)} autoFocus>
              Back to the key
            </Button>
            <Button look="danger" onClick={onClose}>
              Close anyway
            </Button>
          </div>
        </div>
      ) : (
        <div className="flex justify-end">
          <Button look="primary" onClick={onClose}>
            I have kept it
          </Button>
        </div>
      )}
    </Dialog>
  )
}
