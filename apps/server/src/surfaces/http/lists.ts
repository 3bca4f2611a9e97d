import type { FastifyReply } from 'fastify'
import Type from 'typebox'
import { LIST_LIMIT_DEFAULT, LIST_LIMIT_MAX, LIST_OFFSET_MAX } from '../../kernel/index.ts'

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

const page = { minimum: 1, maximum: LIST_OFFSET_MAX / LIST_LIMIT_MAX, description: 'Which page to return, from 1.' }

/** `limit` and `offset` of a list (specification 8); spread into a query schema: `Type.Object({...pageQuery})`. */
export const pageQuery = { limit: limit(LIST_LIMIT_DEFAULT), offset }

/** The same with `page` as another way to say the offset (v1 wallets, decisions 5). See {@link windowOf}. */
export const pageOrOffsetQuery = {
  ...pageQuery,
  page: Type.Optional(
    Type.Integer({ ...page, description: 'Which page of `limit` entries, from 1; wins over `offset`.' }),
  ),
}

/** Lists that return everything unless `limit` is sent (decisions 5). */
export const wholeOrPageQuery = {
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: LIST_LIMIT_MAX,
      description: `How many entries to return, at most ${LIST_LIMIT_MAX}; all of them when not sent.`,
    }),
  ),
  offset,
}

/** `page` and `per_page` (ramp lists, decisions 5 and 11). See {@link windowOf}. */
export const perPageQuery = { page: Type.Integer({ ...page, default: 1 }), per_page: limit(20) }

/** What a store is asked for: `limit: null` means everything. */
export interface Window<L extends number | null = number> {
  readonly limit: L
  readonly offset: number
}

/** The window that any of the four kinds of query means. */
export function windowOf(query: { page: number; per_page: number }): Window
export function windowOf(query: { limit: number; offset: number; page?: number }): Window
export function windowOf(query: { limit?: number; offset: number }): Window<number | null>
export function windowOf(query: {
  limit?: number
  offset?: number
  page?: number
  per_page?: number
}): Window<number | null> {
  const size = query.per_page ?? query.limit ?? null
  if (query.page !== undefined && size !== null) return { limit: size, offset: (query.page - 1) * size }
  return { limit: size, offset: query.offset ?? 0 }
}

/** Tells the whole number of entries beside a part of them (decisions 5). */
export function totalCount(reply: FastifyReply, total: number): void {
  reply.header('X-Total-Count', total)
}
