import type { HttpApp } from '#infra/http/http-app.ts'
import { bodyErrorResponses, errorResponses } from '#infra/http/schema.ts'
import type { AnalyticsDeps } from '../analytics-deps.ts'
import { Settings, SettingsChange, SettingsParams } from './schema.ts'
import { changeSettings, readSettings } from './settings.ts'

export function settingsRoutes(app: HttpApp, deps: AnalyticsDeps): void {
  app.get(
    '/v1/analytics/:projectId/settings',
    {
      schema: {
        operationId: 'getAnalyticsSettings',
        summary: 'Get the settings of visitor analytics',
        tags: ['Analytics'],
        params: SettingsParams,
        response: { 200: Settings.describe('The settings.'), ...errorResponses(404) },
      },
    },
    (request) => readSettings(deps, { projectId: request.params.projectId, by: request.caller }),
  )

  app.patch(
    '/v1/analytics/:projectId/settings',
    {
      schema: {
        operationId: 'changeAnalyticsSettings',
        summary: 'Change the settings of visitor analytics',
        description: 'They hold within a second for views that come in from then on; `aiTraffic` for all reports.',
        tags: ['Analytics'],
        params: SettingsParams,
        body: SettingsChange,
        response: { 200: Settings.describe('The settings as they are now.'), ...bodyErrorResponses(404) },
      },
    },
    (request) => {
      const { projectId } = request.params
      return changeSettings(deps, { projectId, change: request.body, by: request.caller })
    },
  )
}
