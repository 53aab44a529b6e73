import { type FormEvent, useEffect, useState } from 'react'
import { Button } from '../../ui/Button.tsx'
import { SelectField, TextField } from '../../ui/Field.tsx'
import { addDays, type Choice, dayOf, type Preset, presetLabels, presets } from './range.ts'

/** Chooses the range; the address keeps it, so that a link shows the same to everybody of the organization. */
export function RangePicker({ choice, onChoose }: { choice: Choice; onChoose(search: Record<string, string>): void }) {
  // Custom dates are chosen in two steps; until the second, the range before is shown.
  const [isChoosing, setChoosing] = useState(false)
  const isCustom = isChoosing || choice.preset === 'custom'
  const choose = (preset: Preset) => {
    setChoosing(preset === 'custom')
    if (preset !== 'custom') onChoose({ range: preset })
  }
  const chooseDates = (search: Record<string, string>) => {
    setChoosing(false)
    onChoose(search)
  }
  return (
    <div className="flex flex-wrap items-end gap-3">
      <SelectField
        label="Range"
        className="w-44"
        value={isCustom ? 'custom' : choice.preset}
        onChange={({ target }) => choose(target.value as Preset)}
        options={presets.map((value) => ({ value, label: presetLabels[value] }))}
      />
      {isCustom && <CustomDates choice={choice} onChoose={chooseDates} />}
    </div>
  )
}

function CustomDates({ choice, onChoose }: { choice: Choice; onChoose(search: Record<string, string>): void }) {
  const tomorrow = addDays(dayOf(Date.now()), 1)
  const [from, setFrom] = useState(choice.range.from ?? addDays(tomorrow, -30))
  const [to, setTo] = useState(choice.range.to ?? tomorrow)
  const { range } = choice
  useEffect(() => {
    // Going back in the browser's history brings other dates.
    if (range.from !== null) setFrom(range.from)
    if (range.to !== null) setTo(range.to)
  }, [range.from, range.to])
  const isInOrder = from !== '' && to !== '' && from < to
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isInOrder) onChoose({ range: 'custom', from, to })
  }
  return (
    <form onSubmit={submit} className="flex flex-wrap items-start gap-3" aria-label="Custom dates">
      <TextField
        label="From (included)"
        type="date"
        required
        value={from}
        onChange={({ target }) => setFrom(target.value)}
      />
      <TextField
        label="To (not included)"
        type="date"
        required
        value={to}
        error={isInOrder ? undefined : 'Expected a day after the first.'}
        onChange={({ target }) => setTo(target.value)}
      />
      <Button type="submit" look="primary" className="mt-6" disabled={!isInOrder}>
        Show
      </Button>
    </form>
  )
}
