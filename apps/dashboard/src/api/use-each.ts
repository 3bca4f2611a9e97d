import { type UseQueryResult, useQueries } from '@tanstack/react-query'
import type { Answer, ApiError } from './client.ts'
import { queryOf } from './use-api.ts'

/** Reads several paths of the API, such as the rows that a form names; other parts of a page share the requests. */
export function useEach<T>(paths: readonly string[]): UseQueryResult<Answer<T>, ApiError>[] {
  return useQueries({ queries: paths.map((path) => queryOf<T>(path)) })
}
