import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '../../api/api.ts'
import type { Operations } from '../../api/client.ts'
import { projectQuery, projectsQuery, useProjectId } from '../../api/projects.ts'
import { useToast } from '../../ui/Toast.tsx'

export type ProjectChange = Operations['changeProject']['body']

/** Saves a part of the project's settings, and says so. */
export function useProjectChange(said = 'Saved.') {
  const projectId = useProjectId()
  const queries = useQueryClient()
  const say = useToast()
  return useMutation({
    mutationFn: (body: ProjectChange) => api.changeProject({ path: { projectId }, body }),
    onSuccess: (project) => {
      queries.setQueryData(projectQuery(projectId).queryKey, project)
      say(said)
      void queries.invalidateQueries({ queryKey: projectsQuery.queryKey })
    },
  })
}
