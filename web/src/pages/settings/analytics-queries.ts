import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '../../api/api.ts'
import type { Operations } from '../../api/client.ts'
import { useProjectId } from '../../api/projects.ts'
import { useToast } from '../../ui/Toast.tsx'

const settingsKey = (projectId: string) => ['analytics-settings', projectId]

export function useAnalyticsSettings() {
  const projectId = useProjectId()
  return useQuery({
    queryKey: settingsKey(projectId),
    queryFn: () => api.getAnalyticsSettings({ path: { projectId } }),
  })
}

export function useAnalyticsChange(said = 'Saved.') {
  const projectId = useProjectId()
  const queries = useQueryClient()
  const say = useToast()
  return useMutation({
    mutationFn: (body: Operations['changeAnalyticsSettings']['body']) =>
      api.changeAnalyticsSettings({ path: { projectId }, body }),
    onSuccess: (settings) => {
      queries.setQueryData(settingsKey(projectId), settings)
      say(said)
    },
  })
}
