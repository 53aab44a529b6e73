import { Button } from '../../ui/Button.tsx'

interface LongList {
  hasNextPage: boolean
  isFetchingNextPage: boolean
  fetchNextPage(): unknown
}

/** Goes on with a list that is read by cursor. */
export function MoreButton({ list }: { list: LongList }) {
  if (!list.hasNextPage) return null
  return (
    <Button className="self-start" isBusy={list.isFetchingNextPage} onClick={() => list.fetchNextPage()}>
      Show more
    </Button>
  )
}
