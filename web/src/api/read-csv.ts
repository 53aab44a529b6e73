import { ApiError, addressOf } from './api.ts'
import type { Operations } from './client.ts'

/** The operations that answer in CSV to whoever accepts it. */
export type CsvReport = 'getVisitors' | 'getViews' | 'getAgents' | 'getReferrers' | 'getTimeseries'

/** A report as the API gives it to those who accept CSV, byte for byte. */
export async function readCsv<Of extends CsvReport>(
  operation: Of,
  input: { path: Operations[Of]['path']; query: Operations[Of]['query'] },
): Promise<Blob> {
  const response = await fetch(addressOf(operation, input as never), { headers: { accept: 'text/csv' } })
  if (!response.ok) throw new ApiError(response.status, await response.json().catch(() => ({})))
  return await response.blob()
}
