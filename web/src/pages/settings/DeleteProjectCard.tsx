import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { api } from '../../api/api.ts'
import type { Project } from '../../api/client.ts'
import { projectsQuery } from '../../api/projects.ts'
import { useMayWrite } from '../../api/session.ts'
import { Button } from '../../ui/Button.tsx'
import { Card } from '../../ui/Card.tsx'
import { Dialog, focusFirst } from '../../ui/Dialog.tsx'
import { ErrorNote } from '../../ui/ErrorNote.tsx'
import { TextField } from '../../ui/Field.tsx'
import { useToast } from '../../ui/Toast.tsx'

export function DeleteProjectCard({ project }: { project: Project }) {
  const [isAsking, setAsking] = useState(false)
  if (!useMayWrite()) return null
  return (
    <Card
      title="Delete the project"
      description="Its site, jobs, visitors and settings go with it, at once and for good."
    >
      <div>
        <Button look="danger" onClick={() => setAsking(true)}>
          Delete the project
        </Button>
      </div>
      {isAsking && <DeleteDialog project={project} onClose={() => setAsking(false)} />}
    </Card>
  )
}

function DeleteDialog({ project: { id, name, source }, onClose }: { project: Project; onClose(): void }) {
  const [typed, setTyped] = useState('')
  const [, navigate] = useLocation()
  const queries = useQueryClient()
  const say = useToast()
  const remove = useMutation({
    mutationFn: () => api.deleteProject({ path: { projectId: id } }),
    onSuccess: async () => {
      sessionStorage.removeItem('docent.project')
      say(`${name} is deleted.`)
      await queries.invalidateQueries({ queryKey: projectsQuery.queryKey })
      navigate('/')
    },
  })
  return (
    <Dialog title={`Delete ${name}?`} onClose={onClose}>
      <p className="text-sm">
        {source.provider === 'builtin'
          ? 'Its repository is on the built-in host and is deleted, too. This cannot be undone.'
          : `Its repository, ${source.repository}, is left alone. All else is deleted, and this cannot be undone.`}
      </p>
      <TextField
        label={`To confirm, type its name: ${name}`}
        autoComplete="off"
        ref={focusFirst}
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
      />
      {remove.isError && <ErrorNote error={remove.error} />}
      <div className="flex justify-end gap-2">
        <Button onClick={onClose}>Cancel</Button>
        <Button look="danger" disabled={typed !== name} isBusy={remove.isPending} onClick={() => remove.mutate()}>
          Delete it for good
        </Button>
      </div>
    </Dialog>
  )
}
