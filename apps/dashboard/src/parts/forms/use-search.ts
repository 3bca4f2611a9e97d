import { useDebouncedValue } from '@mantine/hooks'
import type { UseQueryResult } from '@tanstack/react-query'
import type { Answer, ApiError } from '../../api/client.ts'
import { useApi } from '../../api/use-api.ts'
import { paged } from '../../lib/requests/read-all.ts'

/** How many rows a choice offers at once. */
export const OFFERED = 20
const SETTLE_MS = 250

/** The newest rows of a list, or those that the service finds for the text, once the typing pauses. */
export function useSearch<D>(path: string, text: string): UseQueryResult<Answer<D>, ApiError> {
  const [asked] = useDebouncedValue(text, SETTLE_MS)
  return useApi<D>(paged(path, 0, OFFERED) + (asked && `&q=${encodeURIComponent(asked)}`))
}
