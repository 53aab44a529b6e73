/**
 * The rows of the tail that count: of those with the same event id only the first, and none whose id is in `views`
 * already. Their paths and referrers are numbers of `texts`. `where` narrows which ones are asked for; which of two is the first never depends on it.
 */
export function freshTail({ among, where }: { among: string; where: string }): string {
  return `(
    select * from tail where event is null and ${among} and ${where}
    union all
    select t.* from (
      select * from tail where event is not null and ${among}
      qualify row_number() over (partition by project, event order by seq) = 1
    ) as t
    anti join (
      select project, event from views
      semi join (select project, event from tail where event is not null and ${among}) as came using (project, event)
    ) as known using (project, event)
    where ${where}
  )`
}
