import { Readable } from 'node:stream'
import Type from 'typebox'
import type { RampDirection } from '../../../database/index.ts'
import {
  getTransaction,
  iterateTransactions,
  listTransactions,
  RAMP_STATUSES,
  type RampParts,
  type RampTransactionFilter,
} from '../../../ramp/index.ts'
import { type App, enumQuery, id, idParams, pageOf, perPageQuery } from '../../http/index.ts'
import { enumFilter } from '../schemas.ts'
import { csvLine } from './csv.ts'
import { periodOf, periodQuery } from './period.ts'
import { Pagination, presentTransaction, RampTransactionRecord, reads, TYPES } from './schemas.ts'

const RampTransactionList = Type.Object(
  { data: Type.Array(RampTransactionRecord, { description: 'Newest first.' }), pagination: Pagination },
  { $id: 'RampTransactionList', description: 'A page of ramp transactions.' },
)

const filterQuery = {
  status: Type.Optional(enumQuery(RAMP_STATUSES, 'Only transactions with this status, case-insensitive.')),
  ramp_recipient_id: Type.Optional(id('Only transactions of this recipient.')),
  ...periodQuery,
}
const anyQuery = {
  type: Type.Optional(enumQuery(TYPES, 'Only transactions of this type, case-insensitive.')),
  ...filterQuery,
}
interface FilterQuery {
  readonly type?: string
  readonly status?: string
  readonly ramp_recipient_id?: number
  readonly date_from?: string
  readonly date_to?: string
}

function filterOf(query: FilterQuery, direction: RampDirection | undefined): RampTransactionFilter {
  return {
    direction: direction ?? enumFilter('type', query.type, TYPES),
    status: enumFilter('status', query.status, RAMP_STATUSES),
    recipientId: query.ramp_recipient_id,
    ...periodOf(query),
  }
}

/** The same three routes at three paths (contract 11): all transactions, the same for the organization, off-ramp only. */
const LISTINGS = [
  { path: '/v1/ramp/transactions', name: 'RampTransaction', label: 'ramp transactions', direction: undefined },
  {
    path: '/v1/ramp/org/transactions',
    name: 'OrganizationRampTransaction',
    label: 'ramp transactions of your organization',
    direction: undefined,
  },
  {
    path: '/v1/ramp/org/offramp-transactions',
    name: 'OfframpTransaction',
    label: 'off-ramp transactions of your organization',
    direction: 'offramp',
  },
] as const

/** Ramp transactions: list, get, and export as CSV. */
export function rampTransactionRoutes(app: App, parts: RampParts): void {
  const tags = ['Ramp: transactions']
  for (const { path, name, label, direction } of LISTINGS) {
    // A list of one type does not need a filter by type.
    const filters = direction === undefined ? anyQuery : filterQuery
    app.get(
      path,
      {
        config: reads,
        schema: {
          tags,
          operationId: `list${name}s`,
          summary: `List ${label}`,
          description:
            'Transactions of the organization and of its recipients, newest first. Filters are in any case; days are UTC.',
          querystring: Type.Object({ ...filters, ...perPageQuery }),
          response: { 200: RampTransactionList },
        },
      },
      async ({ query, credential: { organizationId } }) => {
        const { window, ...page } = pageOf(query)
        const filter = filterOf(query, direction)
        const { transactions, total } = await listTransactions(parts, organizationId, filter, window)
        return { data: transactions.map(presentTransaction), pagination: { ...page, total } }
      },
    )

    app.get(
      `${path}/export`,
      {
        config: reads,
        schema: {
          tags,
          operationId: `export${name}s`,
          summary: `Export ${label}`,
          description:
            'Streams a CSV file with a header line, newest first, with any number of transactions: they are read as you receive them, and the stream breaks off if your key ends meanwhile. A text that a spreadsheet would treat as a formula is prefixed with an apostrophe.',
          querystring: Type.Object({
            format: Type.Optional(enumQuery(['csv'], 'Export format; only `csv` is supported, case-insensitive.')),
            ...filters,
          }),
          response: {
            200: {
              description: 'The transactions.',
              content: { 'text/csv': { schema: Type.String({ description: 'CSV according to RFC 4180.' }) } },
            },
          },
        },
      },
      async (request, reply) => {
        const {
          query,
          credential: { organizationId },
        } = request
        enumFilter('format', query.format, ['csv'])
        const filter = filterOf(query, direction)
        async function* lines() {
          yield csvLine()
          for await (const batch of iterateTransactions(parts, organizationId, filter)) {
            // A client that reads slowly takes long for all of them.
            await request.authenticateAgain()
            yield batch.map((transaction) => csvLine(presentTransaction(transaction))).join('')
          }
        }
        return reply
          .type('text/csv; charset=utf-8')
          .header('Content-Disposition', 'attachment; filename="ramp-transactions.csv"')
          .send(Readable.from(lines()) as never)
      },
    )

    app.get(
      `${path}/:id`,
      {
        config: reads,
        schema: {
          tags,
          operationId: `get${name}`,
          summary: `Get one of the ${label}`,
          description: 'Error: TRANSACTION_NOT_FOUND.',
          params: idParams('Ramp transaction id.'),
          response: { 200: RampTransactionRecord },
        },
      },
      async ({ params, credential }) =>
        presentTransaction(await getTransaction(parts, credential.organizationId, params.id, { direction })),
    )
  }
}
