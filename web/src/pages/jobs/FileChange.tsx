import { ChevronRight } from 'lucide-react'
import { useId, useMemo, useState } from 'react'
import { Button } from '../../ui/Button.tsx'
import { Badge, type Tone } from '../../ui/Card.tsx'
import { formatNumber } from '../../ui/format-number.ts'
import type { ChangedFile } from './job-queries.ts'
import { PatchTable } from './PatchTable.tsx'
import { parsePatch, visible } from './parse-patch.ts'

const looks: Record<ChangedFile['status'], { word: string; tone: Tone }> = {
  added: { word: 'Added', tone: 'good' },
  changed: { word: 'Changed', tone: 'neutral' },
  deleted: { word: 'Deleted', tone: 'danger' },
  renamed: { word: 'Renamed', tone: 'accent' },
}

/** One file of a change. Its lines are drawn when it is opened, as there may be thousands. */
export function FileChange({ file, isOpenAtFirst }: { file: ChangedFile; isOpenAtFirst: boolean }) {
  const [isOpen, setOpen] = useState(isOpenAtFirst)
  const id = useId()
  const { word, tone } = looks[file.status]
  return (
    <li className="overflow-hidden rounded-lg border">
      <h3>
        <button
          type="button"
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={() => setOpen(!isOpen)}
          className="flex w-full items-center gap-2.5 bg-sunken/70 px-3 py-2 text-left text-sm hover:bg-sunken"
        >
          <ChevronRight
            aria-hidden
            className={isOpen ? 'size-4 shrink-0 rotate-90 text-muted' : 'size-4 shrink-0 text-muted'}
          />
          <span className="min-w-0 flex-1 font-mono text-[0.8125rem] break-all">
            {file.previousPath !== null && <span className="text-muted">{visible(file.previousPath)} → </span>}
            {visible(file.path)}
          </span>
          <Badge tone={tone}>{word}</Badge>
          <span className="shrink-0 font-mono text-xs tabular-nums" title="Lines added and removed">
            <span className="text-good">+{file.added}</span> <span className="text-danger">−{file.removed}</span>
          </span>
        </button>
      </h3>
      <div id={id} hidden={!isOpen} className="border-t">
        {isOpen && <Body file={file} />}
      </div>
    </li>
  )
}

const mostLines = 600

function Body({ file }: { file: ChangedFile }) {
  const lines = useMemo(() => parsePatch(file.patch ?? ''), [file.patch])
  const [isWhole, setWhole] = useState(false)
  if (file.patch === null) return <p className="px-3 py-3 text-sm text-muted">{whyNoLines(file)}</p>
  const shown = isWhole ? lines : lines.slice(0, mostLines)
  const isCut = lines.filter(({ kind }) => kind === 'added').length < file.added
  return (
    <>
      <PatchTable lines={shown} name={`Changed lines of ${visible(file.path)}`} />
      {shown.length < lines.length && (
        <div className="border-t p-2 text-center">
          <Button onClick={() => setWhole(true)}>Show all {formatNumber(lines.length)} lines</Button>
        </div>
      )}
      {isCut && isWhole && <p className="border-t px-3 py-2 text-sm text-muted">The pull request has the rest.</p>}
    </>
  )
}

function whyNoLines({ isBinary, added, removed, status }: ChangedFile): string {
  if (isBinary) return 'A binary file, such as a picture: it has no lines to show.'
  if (added + removed > 0) return 'Its lines are too many to be shown here. The pull request has them.'
  return status === 'renamed' ? 'Only its name changed.' : 'It is empty, or only its mode changed.'
}
