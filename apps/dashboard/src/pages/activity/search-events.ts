import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type Answer, type ApiError, send } from '../../api/client.ts'
import type { Data, Schema } from '../../api/types.ts'

const PAGE = 50
/** Each looks at thousands of events: a rare one is looked for no further without being asked. */
const READS_MAX = 10

export type EventPage = Data<'listOrganizationEvents'>

/** The `before` of the next page; undefined at the end. */
export const nextOf = ({ hasMore, cursor }: EventPage): number | undefined =>
  hasMore && cursor !== null ? cursor : undefined

/** A page of events that match, newest first. A search reads on until it has a page, or has read for long enough. */
export function useEvents(path: string, before: number) {
  return useQuery<Answer<EventPage>, ApiError>({
    queryKey: [path, before],
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const found: Schema<'Event'>[] = []
      for (let reads = 1, from = before; ; reads += 1) {
        const query = `${path.includes('?') ? '&' : '?'}limit=${PAGE - found.length}&before=${from}`
        const answer = await send<EventPage>('GET', path + query, { signal })
        found.push(...answer.data.events)
        const next = nextOf(answer.data)
        if (next === undefined || found.length >= PAGE || reads >= READS_MAX)
          return { ...answer, data: { ...answer.data, events: found } }
        from = next
      }
    },
  })
}
