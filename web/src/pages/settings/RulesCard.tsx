import { ArrowDown, ArrowUp, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import type { AnalyticsRuleInput, AnalyticsSettings } from '../../api/client.ts'
import { useMayWrite } from '../../api/session.ts'
import { Button, IconButton } from '../../ui/Button.tsx'
import { SelectField, TextField } from '../../ui/Field.tsx'
import { useAnalyticsChange } from './analytics-queries.ts'
import { SettingsForm } from './SettingsForm.tsx'

type Category = AnalyticsRuleInput['category']
const categories: { value: Category; label: string }[] = [
  { value: 'human', label: 'human: counts as a person' },
  { value: 'assistant', label: 'assistant: AI, for somebody who waits' },
  { value: 'agent', label: 'agent: AI, a coding agent' },
  { value: 'ai-search', label: 'ai-search: AI, a crawler of AI search' },
  { value: 'training', label: 'training: AI, a crawler for training' },
  { value: 'bot', label: 'bot: counts nowhere' },
  { value: 'unknown', label: 'unknown: counts nowhere' },
]

/** A rule as it is entered: everything is text, and `key` tells it from others while it moves. */
interface Draft {
  key: number
  userAgent: string
  networks: string
  path: string
  category: Category
  client: string
}

let lastKey = 0
const newDraft = (rule: Partial<AnalyticsRuleInput> = {}): Draft => ({
  key: ++lastKey,
  userAgent: rule.userAgent ?? '',
  networks: (rule.networks ?? []).join(', '),
  path: rule.path ?? '',
  category: rule.category ?? 'human',
  client: rule.client ?? '',
})

function toRule({ userAgent, networks, path, category, client }: Draft): AnalyticsRuleInput {
  const listed = networks.split(/[\s,]+/).filter(Boolean)
  return {
    category,
    ...(userAgent.trim() && { userAgent: userAgent.trim() }),
    ...(listed.length > 0 && { networks: listed }),
    ...(path.trim() && { path: path.trim() }),
    ...(client.trim() && { client: client.trim() }),
  }
}

/** The project's own rules: an ordered list that comes before all others. */
export function RulesCard({ settings }: { settings: AnalyticsSettings }) {
  const change = useAnalyticsChange('Saved. Views from now on are told by these rules.')
  const [drafts, setDrafts] = useState(() => settings.rules.map(newDraft))
  const mayWrite = useMayWrite()
  const set = (key: number, part: Partial<Draft>) =>
    setDrafts((list) => list.map((draft) => (draft.key === key ? { ...draft, ...part } : draft)))
  const move = (from: number, to: number) =>
    setDrafts((list) => {
      const moved = list.toSpliced(from, 1)
      return moved.toSpliced(to, 0, list[from]!)
    })
  return (
    <SettingsForm
      title="Own rules"
      description="Who a reader is, where you know better. The first rule that fits decides, before everything else; all tests of a rule must fit."
      change={change}
      saveLabel="Save the rules"
      onSave={() => change.mutate({ rules: drafts.map(toRule) })}
      actions={
        <Button
          icon={<Plus aria-hidden className="size-4" />}
          disabled={drafts.length >= 100}
          onClick={() => setDrafts((list) => [...list, newDraft()])}
        >
          Add a rule
        </Button>
      }
    >
      {drafts.length === 0 && (
        <p className="text-sm text-muted">
          There are none. One could count everybody from your office network as bot, so that they count nowhere.
        </p>
      )}
      <ol className="flex flex-col gap-4">
        {drafts.map((draft, index) => (
          <li key={draft.key}>
            <RuleEditor
              draft={draft}
              number={index + 1}
              isLast={index === drafts.length - 1}
              mayWrite={mayWrite}
              onChange={(part) => set(draft.key, part)}
              onMove={(by) => move(index, index + by)}
              onRemove={() => setDrafts((list) => list.filter(({ key }) => key !== draft.key))}
            />
          </li>
        ))}
      </ol>
      <p className="text-xs text-muted">
        Rules tell views that come from now on; those that were counted stay as they are.
      </p>
    </SettingsForm>
  )
}

interface RuleEditorProps {
  draft: Draft
  number: number
  isLast: boolean
  mayWrite: boolean
  onChange(part: Partial<Draft>): void
  onMove(by: 1 | -1): void
  onRemove(): void
}

function RuleEditor({ draft, number, isLast, mayWrite, onChange, onMove, onRemove }: RuleEditorProps) {
  const isEmpty = !(draft.userAgent.trim() || draft.networks.trim() || draft.path.trim())
  return (
    <fieldset className="flex flex-col gap-3 rounded-lg border p-4">
      <legend className="sr-only">Rule {number}</legend>
      <div className="flex items-center justify-between">
        <p aria-hidden className="text-sm font-medium">
          Rule {number}
        </p>
        {mayWrite && (
          <div className="flex">
            <IconButton label={`Move rule ${number} up`} disabled={number === 1} onClick={() => onMove(-1)}>
              <ArrowUp aria-hidden className="size-4" />
            </IconButton>
            <IconButton label={`Move rule ${number} down`} disabled={isLast} onClick={() => onMove(1)}>
              <ArrowDown aria-hidden className="size-4" />
            </IconButton>
            <IconButton label={`Remove rule ${number}`} onClick={onRemove}>
              <Trash2 aria-hidden className="size-4" />
            </IconButton>
          </div>
        )}
      </div>
      <div className="grid gap-3 sm:grid-cols-2">
        <TextField
          label="User agent contains"
          value={draft.userAgent}
          maxLength={500}
          required={isEmpty}
          placeholder="AcmeBot"
          onChange={({ target }) => onChange({ userAgent: target.value })}
        />
        <TextField
          label="Address is in"
          value={draft.networks}
          placeholder="10.0.0.0/8, 192.0.2.7"
          onChange={({ target }) => onChange({ networks: target.value })}
        />
        <TextField
          label="Path starts with"
          value={draft.path}
          pattern="/.*"
          title="A path that starts with /"
          placeholder="/internal"
          onChange={({ target }) => onChange({ path: target.value })}
        />
        <SelectField
          label="Then the reader is"
          options={categories}
          value={draft.category}
          onChange={({ target }) => onChange({ category: target.value as Category })}
        />
        <TextField
          label="Name in reports"
          value={draft.client}
          maxLength={100}
          placeholder="none"
          onChange={({ target }) => onChange({ client: target.value })}
        />
      </div>
    </fieldset>
  )
}
