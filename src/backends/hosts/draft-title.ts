/** How a host that tells drafts by their title marks them. */
export interface DraftTitle {
  isDraft(title: string): boolean
  /** The title as the host keeps it: marked if and only if it is a draft. */
  mark(title: string, draft: boolean): string
  /** The title as people mean it. */
  unmark(title: string): string
}

export function createDraftTitle({ marker, known }: { marker: string; known: RegExp }): DraftTitle {
  const unmark = (title: string): string => {
    let rest = title
    while (known.test(rest)) rest = rest.replace(known, '')
    return rest.trim()
  }
  return {
    isDraft: (title) => known.test(title),
    mark: (title, draft) => (draft ? marker : '') + unmark(title),
    unmark,
  }
}
