import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { api } from '../../api/api.ts'
import type { Explanation } from '../../api/client.ts'
import { Button } from '../../ui/Button.tsx'
import { Badge, Card } from '../../ui/Card.tsx'
import { ErrorNote, fieldError } from '../../ui/ErrorNote.tsx'
import { TextArea, TextField } from '../../ui/Field.tsx'
import { Table } from '../../ui/Table.tsx'
import { reasonInWords } from './reason-words.ts'

/** What a request would be counted as, and why: the classifier's own words, with the project's rules. */
export function ExplainCard({ projectId }: { projectId: string }) {
  const [userAgent, setUserAgent] = useState('')
  const [accept, setAccept] = useState('')
  const [ip, setIp] = useState('')
  const explain = useMutation({
    mutationFn: () =>
      api.explainRequest({ path: { projectId }, body: { userAgent, ...(accept && { accept }), ...(ip && { ip }) } }),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    explain.mutate()
  }
  const fault = explain.error
  const hasField = ['userAgent', 'accept', 'ip'].some((name) => fieldError(fault, name))
  return (
    <Card
      title="Why is a client classed so?"
      description="Paste what a client sends, and see what it would count as here. Nothing is counted or kept."
    >
      <form onSubmit={submit} className="flex flex-col gap-3">
        <TextArea
          label="User agent"
          rows={2}
          required
          placeholder="Mozilla/5.0 … or claude-code/2.0.1"
          value={userAgent}
          error={fieldError(fault, 'userAgent')}
          onChange={({ target }) => setUserAgent(target.value)}
        />
        <div className="grid gap-3 sm:grid-cols-2">
          <TextField
            label="Accept header"
            hint="Empty: not known."
            placeholder="text/markdown, text/html, */*"
            value={accept}
            error={fieldError(fault, 'accept')}
            onChange={({ target }) => setAccept(target.value)}
          />
          <TextField
            label="Address"
            hint="Empty: not known. It is compared with published ranges and your rules."
            placeholder="203.0.113.7"
            value={ip}
            error={fieldError(fault, 'ip')}
            onChange={({ target }) => setIp(target.value.trim())}
          />
        </div>
        <Button type="submit" look="primary" className="self-start" isBusy={explain.isPending}>
          Explain
        </Button>
      </form>
      {fault && !hasField && <ErrorNote error={fault} />}
      <div aria-live="polite">{explain.data && <Explained explanation={explain.data} />}</div>
    </Card>
  )
}

const countedWords = { human: 'Counts as a person', ai: 'Counts as an AI client' }

function Explained({ explanation }: { explanation: Explanation }) {
  const { category, client, reason, verification, countsAs, listVersion, rules } = explanation
  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center gap-2">
        <Badge tone={countsAs === null ? 'warn' : 'good'}>
          {countsAs === null ? 'Counts nowhere; it stays in the raw views' : countedWords[countsAs]}
        </Badge>
        <Badge>{category}</Badge>
        {client !== null && <Badge>{client}</Badge>}
        {verification !== 'none' && <Badge>{verification}</Badge>}
      </div>
      <p>{reasonInWords(reason)}</p>
      <Table
        caption="Every rule in its order; the first with an answer decides"
        rows={rules}
        rowKey={({ rule }) => rule}
        columns={[
          {
            name: 'rule',
            header: 'Rule, in its order',
            cell: ({ rule, decides }) => (
              <span className={decides ? 'font-semibold' : ''}>
                {rule} {decides && <Badge tone="accent">decides</Badge>}
              </span>
            ),
          },
          {
            name: 'says',
            header: 'What it says',
            cell: ({ category: verdict, says }) =>
              verdict === null ? <span className="text-muted">{says}</span> : `${verdict}: ${says}`,
          },
        ]}
      />
      <p className="text-xs text-muted">Lists: {listVersion}</p>
    </div>
  )
}
