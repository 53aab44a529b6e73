import type { ReactElement } from 'react'

/** What each line stands for. They differ by their points' shape too, not by colour alone. */
export const lineOf = {
  human: { name: 'People', color: 'var(--human)' },
  ai: { name: 'AI clients', color: 'var(--ai)' },
} as const
export type LineName = keyof typeof lineOf

interface Point {
  cx: number | null | undefined
  cy: number | null | undefined
  key: string
  isLarge?: boolean
}

/** A circle for people, a square for AI clients. */
export function pointShape(who: LineName, { cx, cy, key, isLarge = false }: Point): ReactElement<SVGElement> {
  // An interval that is still to come has a place on one axis alone.
  if (cx == null || cy == null) return <g key={key} />
  const size = isLarge ? 5 : 3
  const fill = lineOf[who].color
  return who === 'human' ? (
    <circle key={key} cx={cx} cy={cy} r={size} fill={fill} />
  ) : (
    <rect key={key} x={cx - size} y={cy - size} width={2 * size} height={2 * size} fill={fill} />
  )
}

export function Legend({ hasBefore }: { hasBefore: boolean }) {
  return (
    <ul aria-label="Legend" className="flex flex-wrap gap-x-5 gap-y-1 text-sm text-muted">
      {(Object.keys(lineOf) as LineName[]).map((who) => (
        <li key={who} className="flex items-center gap-2">
          <svg aria-hidden="true" width="26" height="12">
            <line x1="0" x2="26" y1="6" y2="6" stroke={lineOf[who].color} strokeWidth="2" />
            {pointShape(who, { cx: 13, cy: 6, key: who })}
          </svg>
          {lineOf[who].name}
        </li>
      ))}
      {hasBefore && (
        <li className="flex items-center gap-2">
          <svg aria-hidden="true" width="26" height="12">
            <line x1="0" x2="26" y1="4" y2="4" stroke={lineOf.human.color} strokeWidth="1.5" strokeDasharray="5 4" />
            <line x1="0" x2="26" y1="9" y2="9" stroke={lineOf.ai.color} strokeWidth="1.5" strokeDasharray="5 4" />
          </svg>
          The period before
        </li>
      )}
    </ul>
  )
}
