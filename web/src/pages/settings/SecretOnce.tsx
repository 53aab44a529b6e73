import type { ReactNode } from 'react'
import { CodeLine } from '../../ui/CopyButton.tsx'

/** A secret at the only moment at which it can be seen. */
export function SecretOnce({ secret, children }: { secret: string; children?: ReactNode }) {
  return (
    <div className="flex flex-col gap-3 text-sm">
      <p>
        <strong>This is the only time it is shown.</strong> Copy it to where it is needed before you close this.
      </p>
      <CodeLine code={secret} label="Copy the secret" />
      {children}
    </div>
  )
}
