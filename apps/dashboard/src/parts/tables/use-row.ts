import { useApi } from '../../api/use-api.ts'

/**
 * The row of a bare list that the address names: one of the page that is shown, or else of the whole list, which the
 * service limits to a few hundred rows. `isGone`: there is none.
 */
export function useRow<T>(
  path: string,
  shown: readonly T[] | undefined,
  isIt: ((row: T) => boolean) | undefined,
): { readonly row: T | undefined; readonly isGone: boolean } {
  const near = isIt && shown?.find(isIt)
  const isElsewhere = isIt !== undefined && shown !== undefined && near === undefined
  const all = useApi<T[]>(isElsewhere ? path : null)
  const row = near ?? (isElsewhere ? all.data?.data.find(isIt) : undefined)
  return { row, isGone: isElsewhere && row === undefined && (all.data !== undefined || all.isError) }
}
