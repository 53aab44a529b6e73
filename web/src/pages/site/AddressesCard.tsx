import { useProject } from '../../api/projects.ts'
import { Card } from '../../ui/Card.tsx'
import { CodeLine, CopyButton } from '../../ui/CopyButton.tsx'

const places = [
  { title: 'Site', path: '', about: 'For people.' },
  { title: 'llms.txt', path: 'llms.txt', about: 'All pages with their descriptions, for AI clients.' },
  { title: 'Sitemap', path: 'sitemap.xml', about: 'For search engines.' },
  { title: 'MCP server', path: 'mcp', about: 'For agents: the tools search and read_page. It needs no key.' },
]

/** Where people and programs find the site on this server. */
export function AddressesCard({ url }: { url: string }) {
  const slug = useProject().data?.slug ?? 'docs'
  return (
    <Card title="Addresses" description="Where people and programs find it. A domain has the same ones at its root.">
      <ul className="flex flex-col divide-y">
        {places.map(({ title, path, about }) => (
          <li key={title} className="flex items-center gap-2 py-1.5">
            <div className="min-w-0 flex-1 text-sm">
              <p className="font-medium" title={about}>
                {title}
              </p>
              <a
                href={url + path}
                target="_blank"
                rel="noreferrer"
                className="block truncate text-muted underline-offset-2 hover:underline"
              >
                {url + path}
              </a>
            </div>
            <CopyButton text={url + path} label={`Copy the address of ${title}`} isIconOnly />
          </li>
        ))}
      </ul>
      <CodeLine code={`claude mcp add --transport http ${slug} ${url}mcp`} label="Copy the command for Claude Code" />
    </Card>
  )
}
