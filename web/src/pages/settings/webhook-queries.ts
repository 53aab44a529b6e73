import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '../../api/api.ts'
import type { Operations, WebhookDelivery } from '../../api/client.ts'
import { useProjectId } from '../../api/projects.ts'

export type EventName = Operations['createWebhook']['answer']['events'][number]

export const webhookEvents: { name: EventName; about: string }[] = [
  { name: 'job.completed', about: 'A job is done; its pull request is open, if something had to change.' },
  { name: 'job.failed', about: 'A job failed.' },
  { name: 'job.archived', about: 'A job was archived.' },
  { name: 'site.published', about: 'A deployment is live.' },
  { name: 'site.failed', about: 'A deployment failed; readers keep what they had.' },
]

export const deliveriesShown = 10

// What was sent just now is answered in a moment; what is tried again may take hours.
const freshMs = 60_000
const isFresh = ({ state, createdAt }: WebhookDelivery) =>
  state === 'pending' && Date.now() - Date.parse(createdAt) < freshMs

const webhooksKey = (projectId: string) => ['webhooks', projectId]

export function useWebhooks() {
  const projectId = useProjectId()
  return useQuery({
    queryKey: [...webhooksKey(projectId), 'list'],
    // A project has at most 20.
    queryFn: () => api.listWebhooks({ path: { projectId }, query: { limit: 250 } }),
  })
}

/** Whatever changes webhooks: they and their deliveries are asked for again. */
export function useWebhookChange<Input, Answer>(change: (input: Input, projectId: string) => Promise<Answer>) {
  const projectId = useProjectId()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (input: Input) => change(input, projectId),
    onSuccess: () => queries.invalidateQueries({ queryKey: webhooksKey(projectId) }),
  })
}

export type DeliveryFilter = WebhookDelivery['state'] | ''

export function useDeliveries(webhookId: string, { state, offset }: { state: DeliveryFilter; offset: number }) {
  const projectId = useProjectId()
  return useQuery({
    queryKey: [...webhooksKey(projectId), 'deliveries', webhookId, state, offset],
    queryFn: () => {
      const query = { limit: deliveriesShown, offset, ...(state === '' ? {} : { state }) }
      return api.listWebhookDeliveries({ path: { projectId, webhookId }, query })
    },
    placeholderData: keepPreviousData,
    refetchInterval: ({ state: { data } }) => (data?.deliveries.some(isFresh) ? 1_000 : 15_000),
  })
}

export function useDelivery(webhookId: string, deliveryId: string) {
  const projectId = useProjectId()
  return useQuery({
    queryKey: [...webhooksKey(projectId), 'delivery', webhookId, deliveryId],
    queryFn: () => api.getWebhookDelivery({ path: { projectId, webhookId, deliveryId } }),
    refetchInterval: ({ state: { data } }) => (data && isFresh(data) ? 1_000 : false),
  })
}
