import { keepPreviousData, queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '../../api/api.ts'
import type { Deployment } from '../../api/client.ts'
import { useProjectId } from '../../api/projects.ts'

export const deploymentsShown = 20

// While something is being built, often enough to be watched; else, often enough to see what a push did.
const buildingEveryMs = 1_000
const idleEveryMs = 15_000

const isUnderWay = ({ state }: Deployment) => state === 'waiting' || state === 'building'

const siteKey = (projectId: string) => ['site', projectId]

const siteQuery = (projectId: string) =>
  queryOptions({
    queryKey: [...siteKey(projectId), 'site'],
    queryFn: () => api.getSite({ path: { projectId } }),
    refetchInterval: ({ state }) => (state.data?.building ? buildingEveryMs : idleEveryMs),
  })

export function useSite() {
  return useQuery(siteQuery(useProjectId()))
}

export function useDeployments(offset: number) {
  const projectId = useProjectId()
  return useQuery({
    queryKey: [...siteKey(projectId), 'deployments', offset],
    queryFn: () => api.listDeployments({ path: { projectId }, query: { limit: deploymentsShown, offset } }),
    // The page before stays until the next one is there.
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.deployments.some(isUnderWay) ? buildingEveryMs : idleEveryMs),
  })
}

export function useDeploymentDetails(deploymentId: string) {
  const projectId = useProjectId()
  return useQuery({
    queryKey: [...siteKey(projectId), 'deployment', deploymentId],
    queryFn: () => api.getDeployment({ path: { projectId, deploymentId } }),
    refetchInterval: ({ state }) => (state.data && isUnderWay(state.data) ? buildingEveryMs : false),
  })
}

/** Whatever changes a site: what the page shows of it is asked for again. */
export function useSiteChange<Input = void, Answer = unknown>(
  change: (input: Input, projectId: string) => Promise<Answer>,
) {
  const projectId = useProjectId()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (input: Input) => change(input, projectId),
    onSuccess: () => queries.invalidateQueries({ queryKey: siteKey(projectId) }),
  })
}

export function useDomains() {
  const projectId = useProjectId()
  return useQuery({
    queryKey: [...siteKey(projectId), 'domains'],
    queryFn: () => api.listSiteDomains({ path: { projectId } }),
  })
}
