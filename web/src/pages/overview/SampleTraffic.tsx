import { useMutation, useQueryClient } from '@tanstack/react-query'
import { FlaskConical } from 'lucide-react'
import { api } from '../../api/api.ts'
import { Button } from '../../ui/Button.tsx'
import { Card } from '../../ui/Card.tsx'
import { ErrorNote } from '../../ui/ErrorNote.tsx'
import { formatNumber } from '../../ui/format-number.ts'
import { useToast } from '../../ui/Toast.tsx'

/** Of the demo project alone; the server refuses it anywhere else. */
export function SampleTraffic({ projectId }: { projectId: string }) {
  const queries = useQueryClient()
  const say = useToast()
  // Whatever counts views, on this page and others.
  const refresh = () => queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey.includes(projectId) })
  const add = useMutation({
    mutationFn: () => api.addSampleTraffic({ path: { projectId } }),
    onSuccess: async ({ views }) => {
      await refresh()
      say(`${formatNumber(views)} made-up views are in the reports.`)
    },
  })
  const remove = useMutation({
    mutationFn: () => api.removeSampleTraffic({ path: { projectId } }),
    onSuccess: async ({ views }) => {
      await refresh()
      say(views === 0 ? 'There was no sample traffic.' : `${formatNumber(views)} made-up views are deleted.`)
    },
  })
  const isBusy = add.isPending || remove.isPending
  return (
    <Card
      title="Sample traffic"
      description="Only in this demo project, to see what reports look like."
      actions={
        <>
          <Button onClick={() => remove.mutate()} isBusy={remove.isPending} disabled={isBusy}>
            Remove it
          </Button>
          <Button
            look="primary"
            icon={<FlaskConical aria-hidden className="size-4" />}
            onClick={() => add.mutate()}
            isBusy={add.isPending}
            disabled={isBusy}
          >
            Seed sample traffic
          </Button>
        </>
      }
    >
      <p className="max-w-prose text-sm text-muted">
        This adds some thousand made-up views of the last 30 days, by people and AI clients that do not exist, to the
        numbers of this project. Pressed again it adds only the days since. “Remove it” deletes the made-up views and
        leaves real ones.
      </p>
      {(add.error || remove.error) && <ErrorNote error={add.error ?? remove.error} />}
    </Card>
  )
}
