import type { FastifyReply } from 'fastify'
import Type from 'typebox'
import { LIST_LIMIT_DEFAULT, LIST_LIMIT_MAX, LIST_OFFSET_MAX, PER_PAGE_DEFAULT } from '../../../kernel/index.ts'

const offset = Type.Integer({
  minimum: 0,
  maximum: LIST_OFFSET_MAX,
  default: 0,
  description: 'How many entries to skip, newest first.',
})

const limit = (byDefault: number) =>
  Type.Integer({
    minimum: 1,
    maximum: LIST_LIMIT_MAX,
    default: byDefault,
    description: `How many entries to return, at most ${LIST_LIMIT_MAX}.`,
  })

const size = (description: string) => Type.Integer({ minimum: 1, maximum: LIST_LIMIT_MAX, description })

const page = { minimum: 1, maximum: LIST_OFFSET_MAX / LIST_LIMIT_MAX, description: 'Page number, starting at 1.' }

/** `limit` and `offset` of a list (spec 8); spread into a query schema: `Type.Object({...pageQuery})`. */
export const pageQuery = { limit: limit(LIST_LIMIT_DEFAULT), offset }

/** The same, with `page` as an alternative to `offset` and `per_page` to `limit` (v1 wallets, contract 5). See {@link pageWindowOf}. */
export const pageOrOffsetQuery = {
  ...pageQuery,
  page: Type.Optional(
    Type.Integer({
      ...page,
      description: 'Page number, starting at 1; pages have `limit` entries. Overrides `offset`.',
    }),
  ),
  per_page: Type.Optional(size('Alias of `limit`; overrides it.')),
}

/** Lists that return everything unless `limit` is sent (contract 5). */
export const optionalPageQuery = {
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: LIST_LIMIT_MAX,
      description: `How many entries to return, at most ${LIST_LIMIT_MAX}. Defaults to all.`,
    }),
  ),
  offset,
}

/**
 * `page` and `per_page`, `page` and `limit`, or `limit` and `offset` (ramp lists, contract 5 and 11). See {@link pageOf}.
 */
export const perPageQuery = {
  page: Type.Optional(
    Type.Integer({ ...page, description: `${page.description} Defaults to 1. Overrides \`offset\`.` }),
  ),
  per_page: Type.Optional(
    size(`How many entries to return, at most ${LIST_LIMIT_MAX}. Defaults to ${PER_PAGE_DEFAULT}.`),
  ),
  limit: Type.Optional(size('Alias of `per_page`, which overrides it.')),
  offset,
}

/**
 * Ramp lists that return everything unless a page is requested, by any of these parameters (contract 5). See
 * {@link optionalPageOf}.
 */
export const optionalPerPageQuery = {
  page: Type.Optional(Type.Integer({ ...page, description: `${page.description} Overrides \`offset\`.` })),
  per_page: Type.Optional(
    size(
      `How many entries to return, at most ${LIST_LIMIT_MAX}. Defaults to ${PER_PAGE_DEFAULT} with \`page\`, else to all.`,
    ),
  ),
  limit: Type.Optional(size('Alias of `per_page`, which overrides it.')),
  offset,
}

/** For lists that may be long: reads them in the order of their ids, in place of `offset`. */
export const beforeQuery = {
  before: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
      description:
        'Only entries with a lower id. To read a whole list, send the lowest id of the page before: then a page costs the same however deep it is, and entries that are added meanwhile shift nothing. Totals still count every match.',
    }),
  ),
}

/** The part of a list to read: `limit: null` means everything. */
export interface PageWindow<L extends number | null = number> {
  readonly limit: L
  readonly offset: number
}

/** The paging parameters of a ramp list. */
export interface PerPageWindow {
  readonly page?: number
  readonly per_page?: number
  readonly limit?: number
  readonly offset: number
}

/** The window of a ramp list, with the page number and size that the response reports. */
export function pageOf(query: PerPageWindow): {
  readonly window: PageWindow
  readonly page: number
  readonly per_page: number
} {
  const per_page = query.per_page ?? query.limit ?? PER_PAGE_DEFAULT
  const offset = query.page === undefined ? query.offset : (query.page - 1) * per_page
  return { window: { limit: per_page, offset }, page: Math.floor(offset / per_page) + 1, per_page }
}

/** The window of a ramp list that returns everything unless a page is requested. */
export function optionalPageOf(query: PerPageWindow): PageWindow<number | null> {
  const isPaged = query.page !== undefined || query.per_page !== undefined || query.limit !== undefined
  return isPaged ? pageOf(query).window : { limit: null, offset: query.offset }
}

/** The window for the three other kinds of query. */
export function pageWindowOf(query: { limit: number; offset: number; page?: number; per_page?: number }): PageWindow
export function pageWindowOf(query: { limit?: number; offset: number }): PageWindow<number | null>
export function pageWindowOf(query: {
  limit?: number
  offset?: number
  page?: number
  per_page?: number
}): PageWindow<number | null> {
  const size = query.per_page ?? query.limit ?? null
  if (query.page !== undefined && size !== null) return { limit: size, offset: (query.page - 1) * size }
  return { limit: size, offset: query.offset ?? 0 }
}

/** Sets X-Total-Count, the total number of entries in the list (contract 5). */
export function totalCount(reply: FastifyReply, total: number): void {
  reply.header('X-Total-Count', total)
}
