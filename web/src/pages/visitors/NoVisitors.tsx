import { ChartLine } from 'lucide-react'
import type { Project } from '../../api/client.ts'
import { EmptyState } from '../../ui/Card.tsx'
import { CodeLine } from '../../ui/CopyButton.tsx'

/** Before the first view: every way in, with what to paste. docs/analytics.md says more of each. */
export function NoVisitors({ project }: { project: Project }) {
  const { origin } = window.location
  const ways = [
    {
      title: 'Pages that Docent serves: nothing to do',
      about: 'Each page of your site is counted when somebody opens it, as HTML or as Markdown.',
      code: `curl -A 'claude-code/2.0.1' ${project.siteUrl}`,
    },
    {
      title: 'Another site: a script',
      about:
        'Add the site’s origin in the analytics settings, and this to its pages. Browsers alone run it, so it counts people.',
      code: `<script defer src="${origin}/analytics.js" data-project="${project.id}"></script>`,
    },
    {
      title: 'From access logs',
      about: 'Run it as often as you like: a line counts once. It tells AI clients too.',
      code: `npx docent analytics import --project ${project.slug} /var/log/nginx/docs.log*`,
    },
    {
      title: 'From a server: the events API',
      about: 'Up to 5,000 views a call, with a key of scope write.',
      code: `curl -H "Authorization: Bearer $DOCENT_API_KEY" -H 'Content-Type: application/json' \\
     -d '{"events": [{"id": "view-1", "path": "/guide", "ip": "203.0.113.7", "userAgent": "claude-code/2.0.1"}]}' \\
     ${origin}/v1/analytics/${project.id}/events`,
    },
  ]
  return (
    <EmptyState title="Nobody has read these docs yet" icon={<ChartLine aria-hidden className="size-8" />}>
      <p>People and AI clients are counted as soon as views come in, by any of these ways:</p>
      <ul className="flex flex-col gap-4 text-left">
        {ways.map(({ title, about, code }) => (
          <li key={title} className="flex flex-col gap-1">
            <h2 className="font-medium text-ink">{title}</h2>
            <p>{about}</p>
            <CodeLine code={code} label={`Copy: ${title}`} />
          </li>
        ))}
      </ul>
    </EmptyState>
  )
}
