import { Download } from 'lucide-react'
import { useState } from 'react'
import { addressOf } from '../../api/api.ts'
import { useProjectId } from '../../api/projects.ts'
import { buttonClasses } from '../../ui/Button.tsx'
import { Card } from '../../ui/Card.tsx'
import { SelectField, TextField } from '../../ui/Field.tsx'

const formats = [
  { value: 'jsonl', label: 'JSON lines' },
  { value: 'parquet', label: 'Parquet' },
] as const
type Format = (typeof formats)[number]['value']

/** Every view as it is kept. */
export function ExportCard() {
  const projectId = useProjectId()
  const [format, setFormat] = useState<Format>('jsonl')
  const [dateFrom, setFrom] = useState('')
  const [dateTo, setTo] = useState('')
  const query = { format, dateFrom: dateFrom || undefined, dateTo: dateTo || undefined }
  return (
    <Card
      title="Export"
      description="Every view, counted or not, with why its reader was told so. There are no addresses in it, as none are kept."
    >
      <div className="grid gap-4 sm:grid-cols-3">
        <TextField
          label="From (UTC)"
          type="date"
          value={dateFrom}
          onChange={({ target }) => setFrom(target.value)}
          hint="Empty: from the first."
        />
        <TextField
          label="To (UTC), not included"
          type="date"
          value={dateTo}
          onChange={({ target }) => setTo(target.value)}
          hint="Empty: to the last."
        />
        <SelectField
          label="Format"
          options={formats}
          value={format}
          onChange={({ target }) => setFormat(target.value as Format)}
        />
      </div>
      <div>
        <a href={addressOf('exportViews', { path: { projectId }, query })} download className={buttonClasses()}>
          <Download aria-hidden className="size-4" />
          Download the views
        </a>
      </div>
    </Card>
  )
}
