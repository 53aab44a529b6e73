import { useMutation } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import type { Operations } from '../../api/client.ts'
import { useProject } from '../../api/projects.ts'
import { type CsvReport, readCsv } from '../../api/read-csv.ts'
import { Button } from '../../ui/Button.tsx'
import { ErrorNote } from '../../ui/ErrorNote.tsx'
import { type Range, rangeInFileName } from './range.ts'

interface DownloadCsvProps<Of extends CsvReport> {
  /** The middle of the file's name. */
  name: string
  operation: Of
  /** What the table beside it asked for: the file has the same rows. */
  input: { path: Operations[Of]['path']; query: Operations[Of]['query'] }
  range: Range
}

/** What is shown, as the API gives it to those who accept CSV. */
export function DownloadCsv<Of extends CsvReport>({ name, operation, input, range }: DownloadCsvProps<Of>) {
  const { data: project } = useProject()
  const download = useMutation({
    mutationFn: async () => {
      save(
        await readCsv(operation, input),
        `${project?.slug ?? input.path.projectId}-${name}-${rangeInFileName(range)}.csv`,
      )
    },
  })
  return (
    <div className="flex flex-col items-end gap-2">
      <Button
        icon={<Download aria-hidden className="size-4" />}
        title="The rows shown here, as the API gives them with Accept: text/csv"
        isBusy={download.isPending}
        onClick={() => download.mutate()}
      >
        CSV
        <span className="sr-only"> of {name.replaceAll('-', ' ')}</span>
      </Button>
      {download.isError && <ErrorNote error={download.error} />}
    </div>
  )
}

function save(file: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(file)
  link.download = name
  link.click()
  // The browser has the file by then, or will never ask for it.
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
}
