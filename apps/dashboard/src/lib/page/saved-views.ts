import { defaultParseSearch, defaultStringifySearch } from '@tanstack/react-router'
import { type UrlState, withQuery } from './use-url.ts'

const VIEWS = '/api/core/saved-views'
/** How many the menu lists, the newest. */
const LISTED_MAX = 100

/** What an address holds for a moment only: an open row and a place in it, a page of a table, a form. */
const PASSING = /^(?:open|exit|form|add|again|place|before|cursor|offset|\w+Offset)$/

const isFilter = ([name, value]: [string, unknown]): boolean =>
  (typeof value === 'number' || (typeof value === 'string' && value !== '')) && !PASSING.test(name)

/** The part of an address that a view keeps, in one order. */
export const filtersOf = (url: Readonly<Record<string, unknown>>): UrlState =>
  Object.fromEntries(
    Object.entries(url)
      .filter(isFilter)
      .toSorted(([one], [other]) => (one < other ? -1 : 1)),
  ) as UrlState

/** Whether there is more than a tab to come back to. */
export const isFiltered = (filters: UrlState): boolean => Object.keys(filters).some((name) => name !== 'tab')

/** Filters as the service keeps them: encoded as in an address. */
export const queryOf = (filters: UrlState): string => defaultStringifySearch(filters).slice(1)

/** The filters of a kept query. A member who shares a view opens no row and no form with it. */
export const filtersOfQuery = (query: string): UrlState => filtersOf(defaultParseSearch(query))

/** The path of the views of a page of the dashboard. */
export const viewsOf = (page: string): string => withQuery(VIEWS, { path: page, limit: LISTED_MAX, offset: 0 })

/** The path of all views, or of one. */
export const viewPath = (id?: number): string => (id === undefined ? VIEWS : `${VIEWS}/${id}`)
