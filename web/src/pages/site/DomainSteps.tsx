import { CodeLine } from '../../ui/CopyButton.tsx'

/** What is left to do outside of Docent once a domain was added. */
export function DomainSteps({ name }: { name: string }) {
  // What the dashboard is reached at is what a proxy on the same machine or network reaches too.
  const server = window.location.host
  const caddy = `${name} {\n  reverse_proxy ${server}\n}`
  return (
    <ol className="flex list-decimal flex-col gap-3 pl-5">
      <li>
        <p>
          At your DNS provider, point the name at your proxy: a CNAME to its name, or an A and AAAA to its addresses.
        </p>
      </li>
      <li>
        <p>Let the proxy end TLS and pass on the Host header. With Caddy, which gets the certificate by itself:</p>
        <CodeLine code={caddy} label="Copy the lines for Caddy" />
      </li>
      <li>
        <p>
          On the server, set <code>DOCENT_TRUSTED_PROXIES</code> to the proxy’s address, so that readers are told apart.
        </p>
      </li>
      <li>
        <p>Try it before the name leads here:</p>
        <CodeLine code={`curl -H 'Host: ${name}' ${window.location.origin}/`} label="Copy the command to try it" />
      </li>
    </ol>
  )
}
