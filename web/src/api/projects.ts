import { queryOptions, useQuery } from '@tanstack/react-query'
import { useParams } from 'wouter'
import { api } from './api.ts'
import type { Project } from './client.ts'

export const projectsQuery = queryOptions({
  queryKey: ['projects'],
  queryFn: async () => {
    const projects: Project[] = []
    // All of them: the switcher has a filter of its own.
    for (let offset = 0, hasMore = true; hasMore; offset += 250) {
      const page = await api.listProjects({ query: { limit: 250, offset } })
      projects.push(...page.projects)
      hasMore = page.hasMore
    }
    return projects
  },
})

export const projectQuery = (projectId: string) =>
  queryOptions({ queryKey: ['project', projectId], queryFn: () => api.getProject({ path: { projectId } }) })

/** The id in the address of every page of a project. */
export function useProjectId(): string {
  return useParams<{ projectId: string }>().projectId
}

export function useProject() {
  return useQuery(projectQuery(useProjectId()))
}
