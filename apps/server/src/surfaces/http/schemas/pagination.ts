import type { FastifyReply } from 'fastify'
import Type from 'typebox'
import { LIST_LIMIT_DEFAULT, LIST_LIMIT_MAX, LIST_OFFSET_MAX } from '../../../kernel/index.ts'

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

/** A page of a ramp list is shorter than that of others (contract 11). */
const PER_PAGE_DEFAULT = 20

const size = (description: string) => Type.Integer({ minimum: 1, maximum: LIST_LIMIT_MAX, description })

const page = { minimum: 1, maximum: LIST_OFFSET_MAX / LIST_LIMIT_MAX, description: 'Which page to return, from 1.' }

/** `limit` and `offset` of a list (spec 8); spread into a query schema: `Type.Object({...pageQuery})`. */
export const pageQuery = { limit: limit(LIST_LIMIT_DEFAULT), offset }

/** The same with `page` as another way to say the offset, and `per_page` the limit (v1 wallets, contract 5). See {@link pageWindowOf}. */
export const pageOrOffsetQuery = {
  ...pageQuery,
  page: Type.Optional(
    Type.Integer({ ...page, description: 'Which page of `limit` entries, from 1; wins over `offset`.' }),
  ),
  per_page: Type.Optional(size('The same as `limit`, over which it wins.')),
}

/** Lists that return everything unless `limit` is sent (contract 5). */
export const optionalPageQuery = {
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: LIST_LIMIT_MAX,
      description: `How many entries to return, at most ${LIST_LIMIT_MAX}; all of them when not sent.`,
    }),
  ),
  offset,
}

/**
 * `page` and `per_page`, `page` and `limit`, or `limit` and `offset` (ramp lists, contract 5 and 11). See {@link pageOf}.
 */
export const perPageQuery = {
  page: Type.Optional(
    Type.Integer({ ...page, description: `${page.description} 1 unless sent; wins over \`offset\`.` }),
  ),
  per_page: Type.Optional(
    size(`How many entries to return, at most ${LIST_LIMIT_MAX}; ${PER_PAGE_DEFAULT} unless sent.`),
  ),
  limit: Type.Optional(size('The same as `per_page`, which wins over it.')),
  offset,
}

/**
 * Ramp lists that return everything unless a part is asked for, in whichever of these ways (contract 5). See
 * {@link optionalPageOf}.
 */
export const optionalPerPageQuery = {
  page: Type.Optional(Type.Integer({ ...page, description: `${page.description} Wins over \`offset\`.` })),
  per_page: Type.Optional(
    size(`How many entries to return, at most ${LIST_LIMIT_MAX}; ${PER_PAGE_DEFAULT} of a \`page\`, else all of them.`),
  ),
  limit: Type.Optional(size('The same as `per_page`, which wins over it.')),
  offset,
}

/** What a store is asked for: `limit: null` means everything. */
export interface PageWindow<L extends number | null = number> {
  readonly limit: L
  readonly offset: number
}

/** What a query of a ramp list says. */
export interface PerPageWindow {
  readonly page?: number
  readonly per_page?: number
  readonly limit?: number
  readonly offset: number
}

/** The window of a ramp list, and where it stands among pages of its size, as the answer tells it. */
export function pageOf(query: PerPageWindow): {
  readonly window: PageWindow
  readonly page: number
  readonly per_page: number
} {
  const per_page = query.per_page ?? query.limit ?? PER_PAGE_DEFAULT
  const offset = query.page === undefined ? query.offset : (query.page - 1) * per_page
  return { window: { limit: per_page, offset }, page: Math.floor(offset / per_page) + 1, per_page }
}

/** The window of a ramp list that is whole unless a part is asked for. */
export function optionalPageOf(query: PerPageWindow): PageWindow<number | null> {
  const isPart = query.page !== undefined || query.per_page !== undefined || query.limit !== undefined
  return isPart ? pageOf(query).window : { limit: null, offset: query.offset }
}

/** The window that any of the three other kinds of query means. */
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

/** Tells the whole number of entries beside a part of them (contract 5). */
export function totalCount(reply: FastifyReply, total: number): void {
  reply.header('X-Total-Count', total)
}
