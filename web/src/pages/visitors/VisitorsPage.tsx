import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useSearchParams } from 'wouter'
import { useProject, useProjectId } from '../../api/projects.ts'
import { PageHeader, SkeletonLines } from '../../ui/Card.tsx'
import { AgentsCard } from './AgentsCard.tsx'
import { ExplainCard } from './ExplainCard.tsx'
import { FeedbackCard } from './FeedbackCard.tsx'
import { KeyNumbers } from './KeyNumbers.tsx'
import { NoVisitors } from './NoVisitors.tsx'
import { OverTime } from './OverTime.tsx'
import { PagesCard } from './PagesCard.tsx'
import { RangePicker } from './RangePicker.tsx'
import { RangeWords } from './RangeWords.tsx'
import { ReferrersCard } from './ReferrersCard.tsx'
import { rangeInFileName, readChoice } from './range.ts'
import { SearchesCard } from './SearchesCard.tsx'
import { totalsQuery } from './visitor-queries.ts'

const allTime = { from: null, to: null }

/** Who reads the docs: people and AI clients, exactly as the API counts them. */
export default function VisitorsPage() {
  const projectId = useProjectId()
  const [search, setSearch] = useSearchParams()
  // Of one moment, so that nothing changes under the reader at midnight.
  const [now] = useState(() => Date.now())
  const choice = readChoice(search, now)
  const { range } = choice
  const asked = { projectId, range }
  const ever = useQuery(totalsQuery({ projectId, range: allTime }))
  const { data: project } = useProject()
  const isEmpty = ever.data?.views.total === 0
  // Pages of lists and what was typed belong to the range they were chosen in.
  const key = `${projectId} ${rangeInFileName(range)}`
  if (ever.isPending) return <SkeletonLines count={8} label="Loading the numbers" />
  return (
    <>
      <PageHeader
        title="Visitors"
        description="People and AI clients that read the docs, counted exactly over any range."
        actions={
          !isEmpty && <RangePicker choice={choice} onChoose={(chosen) => setSearch(new URLSearchParams(chosen))} />
        }
      />
      {isEmpty && project ? (
        <NoVisitors project={project} />
      ) : (
        <>
          <RangeWords range={range} now={now} />
          <KeyNumbers {...asked} />
          <OverTime {...asked} />
          <PagesCard key={`pages ${key}`} {...asked} />
          <AgentsCard key={`agents ${key}`} {...asked} />
          <ReferrersCard key={`referrers ${key}`} {...asked} />
        </>
      )}
      <ExplainCard projectId={projectId} />
      <div className="grid grid-cols-1 gap-6 xl:grid-cols-2">
        <FeedbackCard {...asked} />
        <SearchesCard {...asked} />
      </div>
    </>
  )
}
