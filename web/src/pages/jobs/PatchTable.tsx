import { classes } from '../../ui/classes.ts'
import { type PatchLine, visible } from './parse-patch.ts'

const looks = {
  added: { row: 'bg-good-soft', sign: '+', colour: 'text-good' },
  removed: { row: 'bg-danger-soft', sign: '−', colour: 'text-danger' },
  same: { row: '', sign: '', colour: '' },
}

/** Lines that went and came, marked by a sign as well as by colour. Long ones break, as prose has no other way. */
export function PatchTable({ lines, name }: { lines: PatchLine[]; name: string }) {
  return (
    <table className="w-full table-fixed border-collapse font-mono text-xs leading-relaxed">
      <caption className="sr-only">{name}</caption>
      <colgroup>
        <col className="hidden w-10 sm:table-column" />
        <col className="w-10" />
        <col className="w-5" />
        <col />
      </colgroup>
      <thead className="sr-only">
        <tr>
          <th scope="col" className="hidden sm:table-cell">
            Old line
          </th>
          <th scope="col">New line</th>
          <th scope="col">Change</th>
          <th scope="col">Text</th>
        </tr>
      </thead>
      <tbody>
        {lines.map((line, index) => {
          // biome-ignore lint/suspicious/noArrayIndexKey: lines of a patch never move.
          if (line.kind === 'gap') return <Gap key={index} />
          const { row, sign, colour } = looks[line.kind]
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: lines of a patch never move.
            <tr key={index} className={row}>
              <td className="hidden pr-2 text-right align-top text-muted select-none sm:table-cell">
                {line.oldNumber}
              </td>
              <td className="pr-2 text-right align-top text-muted select-none">{line.newNumber}</td>
              <td className={classes('text-center align-top font-semibold select-none', colour)}>{sign}</td>
              <td dir="ltr" className="pr-3 break-words whitespace-pre-wrap">
                {visible(line.text)}
              </td>
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}

function Gap() {
  return (
    <tr className="bg-sunken text-muted">
      <td className="hidden sm:table-cell" />
      <td colSpan={3} className="py-0.5 pl-3 select-none">
        ⋯
      </td>
    </tr>
  )
}
