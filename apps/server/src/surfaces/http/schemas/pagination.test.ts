import Type from 'typebox'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { App } from '../app.ts'
import { testServer } from '../server/test-server.ts'
import {
  optionalPageOf,
  optionalPageQuery,
  optionalPerPageQuery,
  type PerPageWindow,
  pageOf,
  pageOrOffsetQuery,
  pageQuery,
  pageWindowOf,
  perPageQuery,
  totalCount,
} from './pagination.ts'

let app: App

beforeAll(async () => {
  ;({ app } = await testServer((app) => {
    const config = { access: 'open', limit: 'anonymous' } as const
    const list = (querystring: ReturnType<typeof Type.Object>) => ({ config, schema: { querystring } })
    app.get('/plain', list(Type.Object(pageQuery)), async (request, reply) => {
      totalCount(reply, 123)
      return pageWindowOf(request.query as { limit: number; offset: number })
    })
    app.get('/paged', list(Type.Object(pageOrOffsetQuery)), async (request) =>
      pageWindowOf(request.query as { limit: number; offset: number }),
    )
    app.get('/whole', list(Type.Object(optionalPageQuery)), async (request) =>
      pageWindowOf(request.query as { offset: number }),
    )
    app.get('/whole-ramp', list(Type.Object(optionalPerPageQuery)), async (request) =>
      optionalPageOf(request.query as unknown as PerPageWindow),
    )
    app.get('/ramp', list(Type.Object(perPageQuery)), async (request) =>
      pageOf(request.query as unknown as PerPageWindow),
    )
  }))
})
afterAll(() => app.close())

test.each([
  ['/plain', { limit: 50, offset: 0 }],
  ['/plain?limit=100&offset=7', { limit: 100, offset: 7 }],
  ['/paged', { limit: 50, offset: 0 }],
  ['/paged?page=3&limit=10', { limit: 10, offset: 20 }],
  ['/paged?page=3&per_page=10', { limit: 10, offset: 20 }],
  ['/whole', { limit: null, offset: 0 }],
  ['/whole?limit=5', { limit: 5, offset: 0 }],
  ['/ramp', { window: { limit: 20, offset: 0 }, page: 1, per_page: 20 }],
  ['/ramp?page=2&per_page=100', { window: { limit: 100, offset: 100 }, page: 2, per_page: 100 }],
  ['/ramp?page=3&limit=10', { window: { limit: 10, offset: 20 }, page: 3, per_page: 10 }],
  ['/ramp?page=2', { window: { limit: 20, offset: 20 }, page: 2, per_page: 20 }],
  ['/whole-ramp', { limit: null, offset: 0 }],
  ['/whole-ramp?offset=3', { limit: null, offset: 3 }],
  ['/whole-ramp?limit=5&offset=10', { limit: 5, offset: 10 }],
  ['/whole-ramp?page=2', { limit: 20, offset: 20 }],
  ['/whole-ramp?page=2&per_page=3', { limit: 3, offset: 3 }],
  ['/whole-ramp?page=3&limit=10', { limit: 10, offset: 20 }],
  ['/ramp?limit=5&offset=10', { window: { limit: 5, offset: 10 }, page: 3, per_page: 5 }],
])('%s selects its window', async (url, window) => {
  expect((await app.inject(url)).json()).toEqual(window)
})

test.each([
  '/plain?limit=101',
  '/plain?limit=0',
  '/plain?offset=-1',
  '/paged?page=0',
  '/paged?per_page=101',
  '/whole?limit=101',
  '/whole-ramp?per_page=101',
  '/ramp?per_page=101',
  '/ramp?limit=101',
  '/ramp?page=0',
  '/ramp?offset=-1',
])('%s is rejected', async (url) => {
  expect((await app.inject(url)).json().code).toBe('VALIDATION_ERROR')
})

test('X-Total-Count has the total number of entries', async () => {
  expect((await app.inject('/plain')).headers['x-total-count']).toBe('123')
})

test('a page is a window of its size, counted from 1', () => {
  expect(pageWindowOf({ limit: 50, offset: 0 })).toEqual({ limit: 50, offset: 0 })
  expect(pageWindowOf({ limit: 20, offset: 7, page: 3 })).toEqual({ limit: 20, offset: 40 })
  expect(pageWindowOf({ offset: 5 })).toEqual({ limit: null, offset: 5 })
})
