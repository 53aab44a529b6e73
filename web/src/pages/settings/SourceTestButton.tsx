import { useMutation } from '@tanstack/react-query'
import { Plug } from 'lucide-react'
import { api } from '../../api/api.ts'
import { useProjectId } from '../../api/projects.ts'
import { Button } from '../../ui/Button.tsx'
import { TestOutcome } from './TestOutcome.tsx'

/** Looks whether the repository can be read with what is saved. */
export function SourceTestButton() {
  const projectId = useProjectId()
  const test = useMutation({ mutationFn: () => api.testSource({ path: { projectId } }) })
  return (
    <>
      <Button
        icon={<Plug aria-hidden className="size-4" />}
        isBusy={test.isPending}
        title="Looks for the repository and its branch with what is saved."
        onClick={() => test.mutate()}
      >
        Test the source
      </Button>
      <TestOutcome test={test} />
    </>
  )
}
