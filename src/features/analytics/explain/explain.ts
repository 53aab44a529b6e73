import type { Caller } from '#features/accounts/service.ts'
import type { AnalyticsDeps } from '../analytics-deps.ts'
import { countsAs } from '../classify/counts-as.ts'
import type { Evidence } from '../classify/evidence.ts'
import { readSettings } from '../settings/settings.ts'
import type { ExplainedRequest, Explanation } from './schema.ts'

/** What a request would be counted as in a project, by its own rules too. Throws `not_found`. */
export async function explainRequest(
  deps: Pick<AnalyticsDeps, 'db' | 'classifier'>,
  { projectId, request, by }: { projectId: string; request: ExplainedRequest; by: Caller },
): Promise<Explanation> {
  const { rules, aiTraffic } = await readSettings(deps, { projectId, by })
  const { verdict, asked } = deps.classifier.explain(evidenceOf(request), { path: request.path ?? '/', rules })
  return {
    ...verdict,
    countsAs: countsAs(verdict.category, aiTraffic),
    rules: asked.map(({ rule, answer, decides }) =>
      typeof answer === 'string'
        ? { rule, category: null, says: answer, decides }
        : { rule, category: answer.category, says: answer.reason, decides },
    ),
  }
}

/** What is not given is not known, which is another thing than a header that was not sent. */
function evidenceOf({ userAgent, accept, acceptLanguage, ip }: ExplainedRequest): Evidence {
  return {
    source: 'log',
    userAgent: userAgent || null,
    ...(accept === undefined ? {} : { accept: accept || null }),
    ...(acceptLanguage === undefined ? {} : { acceptLanguage: acceptLanguage || null }),
    ...(ip == null ? {} : { address: ip }),
  }
}
