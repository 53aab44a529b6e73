import { useState } from 'react'
import type { AnalyticsSettings } from '../../api/client.ts'
import { fieldError } from '../../ui/ErrorNote.tsx'
import { SelectField, TextField } from '../../ui/Field.tsx'
import { useAnalyticsChange } from './analytics-queries.ts'
import { SettingsForm } from './SettingsForm.tsx'

const aiTraffic = {
  all: { label: 'All AI clients', hint: 'Assistants, coding agents, crawlers of AI search and crawlers for training.' },
  direct: {
    label: 'Only those that read for a person who waits',
    hint: 'Assistants and coding agents. Crawlers count nowhere then, but are kept. This changes what is shown, of the past too, and can be changed back.',
  },
}
const visitorIds = {
  stable: {
    label: 'For good',
    hint: 'Unique visitors are exact over any range. The secret behind the ids never changes.',
  },
  monthly: {
    label: 'For a calendar month (UTC)',
    hint: 'The secret behind the ids is renewed each month: somebody who comes in two months counts twice over both.',
  },
  daily: {
    label: 'For a day (UTC)',
    hint: 'The secret behind the ids is renewed each day: nobody can be followed from one day to the next, and ranges add up the days.',
  },
}

const optionsOf = (choices: Record<string, { label: string }>) =>
  Object.entries(choices).map(([value, { label }]) => ({ value, label }))

/** What is counted as AI, how long a visitor is known, and how long views are kept. */
export function CountingCard({ settings }: { settings: AnalyticsSettings }) {
  const change = useAnalyticsChange()
  const [ai, setAi] = useState(settings.aiTraffic)
  const [ids, setIds] = useState(settings.visitorIds)
  const [keeps, setKeeps] = useState(settings.retentionDays === null ? 'ever' : 'days')
  const save = (form: FormData) => {
    const retentionDays = keeps === 'ever' ? null : Number(form.get('retentionDays'))
    change.mutate({ aiTraffic: ai, visitorIds: ids, retentionDays })
  }
  return (
    <SettingsForm
      title="Counting"
      description="What the reports of this project count, and how long it is kept."
      change={change}
      onSave={save}
    >
      <SelectField
        label="What counts as AI"
        options={optionsOf(aiTraffic)}
        value={ai}
        onChange={({ target }) => setAi(target.value as typeof ai)}
        hint={aiTraffic[ai].hint}
      />
      <SelectField
        label="One visitor keeps one id"
        options={optionsOf(visitorIds)}
        value={ids}
        onChange={({ target }) => setIds(target.value as typeof ids)}
        hint={visitorIds[ids].hint}
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <SelectField
          label="Views are kept"
          options={[
            { value: 'ever', label: 'For ever' },
            { value: 'days', label: 'For a number of days' },
          ]}
          value={keeps}
          onChange={({ target }) => setKeeps(target.value)}
          hint="What is older is deleted for good, and reports of that time have no numbers any more."
        />
        {keeps === 'days' && (
          <TextField
            label="Days"
            name="retentionDays"
            type="number"
            required
            min={1}
            max={3650}
            defaultValue={settings.retentionDays ?? 365}
            error={fieldError(change.error, 'retentionDays')}
          />
        )}
      </div>
    </SettingsForm>
  )
}
