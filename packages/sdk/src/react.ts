import { type DataTag, queryOptions, type UseQueryOptions } from '@tanstack/react-query'
import { CORE_NAMES } from './core-names.ts'
import { CORE_OPERATIONS } from './generated/core-operations.ts'
import { V1_OPERATIONS } from './generated/v1-operations.ts'
import type { OperationRow, OperationTable } from './operation-table.ts'
import type { ArgumentsOf, DataOf, OperationId } from './operation-types.ts'
import type { NameTree } from './resources.ts'
import { V1_NAMES } from './v1-names.ts'
import type { Weir } from './weir.ts'

type Key = readonly ['weir', OperationId, ...unknown[]]
type Options<Data> = UseQueryOptions<Data, Error, Data, Key> & { queryKey: DataTag<Key, Data, Error> }

/** Query options for each operation that only reads; the other names are absent. */
export type Queries<Tree, Table extends OperationTable> = {
  readonly [Name in keyof Tree as Tree[Name] extends keyof Table
    ? Table[Tree[Name]] extends { method: 'GET'; raw?: never }
      ? Name
      : never
    : Name]: Tree[Name] extends OperationId & keyof Table
    ? (...args: ArgumentsOf<Tree[Name]>) => Options<DataOf<Tree[Name]>>
    : Queries<Tree[Name], Table>
}

export interface WeirQueries {
  readonly v1: Queries<typeof V1_NAMES, typeof V1_OPERATIONS>
  readonly core: Queries<typeof CORE_NAMES, typeof CORE_OPERATIONS>
}

/**
 * TanStack Query options by the names of the client's methods: `useQuery(queries.v1.wallets.list({ limit: 20 }))`. A key
 * begins with `weir` and the operation, so `invalidateQueries({ queryKey: ['weir', 'listWallets'] })` covers all inputs.
 * The client retries, so turn off the retries of the QueryClient.
 */
export function createQueries(weir: Weir): WeirQueries {
  return {
    v1: queriesOf(weir.v1 as never, V1_NAMES, V1_OPERATIONS),
    core: queriesOf(weir.core as never, CORE_NAMES, CORE_OPERATIONS),
  }
}

interface Methods {
  readonly [name: string]: Methods & ((...args: unknown[]) => PromiseLike<unknown>)
}

function queriesOf<Tree extends NameTree, Table extends OperationTable>(
  methods: Methods,
  tree: Tree,
  table: Table,
): Queries<Tree, Table> {
  const queries: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(tree)) {
    const row = typeof value === 'string' ? table[value] : undefined
    if (typeof value !== 'string') queries[name] = queriesOf(methods[name]!, value, table)
    else if (row?.method === 'GET' && !row.raw) queries[name] = queryOf(methods[name]!, value, row)
  }
  return queries as Queries<Tree, Table>
}

function queryOf(method: (...args: unknown[]) => PromiseLike<unknown>, id: string, row: OperationRow) {
  const places = (row.path.includes('{') ? 1 : 0) + (row.takes ? 1 : 0)
  return (...args: unknown[]) =>
    queryOptions({
      queryKey: ['weir', id, ...args],
      queryFn: async ({ signal }) => method(...Array.from({ length: places }, (_, place) => args[place]), { signal }),
    })
}
