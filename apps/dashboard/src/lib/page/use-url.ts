import { useNavigate, useRouter, useSearch } from '@tanstack/react-router'
import { useCallback } from 'react'

export type UrlState = Readonly<Record<string, string | number | undefined>>

/** What a page shows over it, such as the detail of a row, by its parameter. */
const PANELS = ['open', 'exit']

/** Of an entry of the history: that it shows a panel which the entry before it does not. */
interface Opened {
  readonly opened?: boolean
}

const isEmpty = (next: UrlState) => Object.values(next).every((value) => value === undefined || value === '')

/** The state of a page that a link can carry: its filter, its page, the row that is open. */
export function useUrl(): [UrlState, (next: UrlState) => void] {
  const search = useSearch({ strict: false }) as UrlState
  const navigate = useNavigate()
  const { history } = useRouter()
  const set = useCallback(
    (next: UrlState) => {
      const before = history.location
      const wasOpened = (before.state as Opened).opened === true
      const isOpen = (name: string) => new URLSearchParams(before.search).has(name)
      // Back closes what a person has opened; to close it goes back, so that the history keeps no trace.
      if (wasOpened && PANELS.some((name) => name in next && isOpen(name)) && isEmpty(next)) {
        history.back()
        return
      }
      const opens = PANELS.some((name) => next[name] !== undefined && !isOpen(name))
      void navigate({
        to: '.',
        search: ((previous: UrlState) =>
          Object.fromEntries(
            Object.entries({ ...previous, ...next }).filter(([, value]) => value !== undefined && value !== ''),
          )) as never,
        replace: !opens,
        state: opens ? ({ opened: true } as never) : true,
      })
    },
    [navigate, history],
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
