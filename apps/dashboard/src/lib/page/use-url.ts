import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback } from 'react'

export type UrlState = Readonly<Record<string, string | number | undefined>>

/** The state of a page that a link can carry: its filter, its page, the row that is open. */
export function useUrl(): [UrlState, (next: UrlState) => void] {
  const search = useSearch({ strict: false }) as UrlState
  const navigate = useNavigate()
  const set = useCallback(
    (next: UrlState) => {
      void navigate({
        to: '.',
        search: ((previous: UrlState) =>
          Object.fromEntries(
            Object.entries({ ...previous, ...next }).filter(([, value]) => value !== undefined && value !== ''),
          )) as never,
        replace: true,
      })
    },
    [navigate],
  )
  return [search, set]
}

/** A whole number of the URL; anything else counts as absent. */
export function numberOf(value: string | number | undefined): number | undefined {
  const number = Number(value)
  return value !== undefined && Number.isSafeInteger(number) && number >= 0 ? number : undefined
}

/** A text of the URL; an empty one counts as absent. */
export const textOf = (value: string | number | undefined): string | undefined =>
  value === undefined || value === '' ? undefined : String(value)

/** A path with these parameters; absent ones are left out. */
export function withQuery(path: string, query: UrlState): string {
  const given = Object.entries(query).filter((entry): entry is [string, string | number] => entry[1] !== undefined)
  if (given.length === 0) return path
  return `${path}?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}`
}

/** The page of a table, as the address holds it in the parameter `name`. */
export function usePaging(name = 'offset'): { readonly offset: number; readonly onOffset: (offset: number) => void } {
  const [url, setUrl] = useUrl()
  return { offset: numberOf(url[name]) ?? 0, onOffset: (next) => setUrl({ [name]: next || undefined }) }
}
