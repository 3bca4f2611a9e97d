import { describe, expect, test } from 'vitest'
import { filtersOf, filtersOfQuery, isFiltered, queryOf } from './saved-views.ts'

describe('the filters of an address', () => {
  test('are what a view keeps, without rows, forms and pages of tables, in one order', () => {
    const url = { tab: 'history', status: 'FAILED', from: '2026-01-01', q: '', wallet: 7, type: undefined }
    const passing = {
      open: 3,
      exit: 4,
      form: 'in',
      add: 1,
      again: 7,
      before: 9,
      cursor: 11,
      offset: 25,
      walletsOffset: 50,
    }
    const kept = { from: '2026-01-01', status: 'FAILED', tab: 'history', wallet: 7 }
    expect(filtersOf({ ...url, ...passing })).toEqual(kept)
    expect(Object.keys(filtersOf({ ...url, ...passing }))).toEqual(Object.keys(kept))
  })

  test('are worth a name if there is more than a tab', () => {
    expect(isFiltered({})).toBe(false)
    expect(isFiltered({ tab: 'history' })).toBe(false)
    expect(isFiltered({ tab: 'history', status: 'FAILED' })).toBe(true)
  })
})

describe('a query', () => {
  test.each([
    [{}, ''],
    [{ status: 'FAILED', tab: 'history' }, 'status=FAILED&tab=history'],
    [{ wallet: 7 }, 'wallet=7'],
    [{ q: '7' }, 'q=%227%22'],
    [{ q: 'a b&c=ü' }, 'q=a+b%26c%3D%C3%BC'],
  ])('that holds %j comes back as it was, in printable characters', (filters, query) => {
    expect(queryOf(filters)).toBe(query)
    expect(query).toMatch(/^[\x21-\x7e]*$/)
    expect(filtersOfQuery(query)).toEqual(filters)
  })

  test.each(['open=3&form=in&offset=25', 'q={"a":1}', 'q=[1]', 'q=true', 'q=null', 'q='])(
    'that somebody else made opens nothing: %s',
    (query) => expect(filtersOfQuery(query)).toEqual({}),
  )

  test.each(['%', 'q=%zz', '&&=', '__proto__=1', 'q=%22'])('that nobody wrote here does no harm: %s', (query) => {
    expect(() => filtersOfQuery(query)).not.toThrow()
  })
})
