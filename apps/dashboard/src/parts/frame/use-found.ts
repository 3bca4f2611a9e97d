import type { UseQueryResult } from '@tanstack/react-query'
import type { Answer, ApiError } from '../../api/client.ts'
import { ALLOCATIONS, MONITORED, WALLETS } from '../../api/paths.ts'
import type { Schema } from '../../api/types.ts'
import { useApi } from '../../api/use-api.ts'
import { type FoundKind, kindAndId } from '../../lib/text/kind-and-id.ts'
import { type Found, operationalPlace, placesOf, positionPlace, type Results, walletPlace } from './places.ts'

export type { Found, Results }

const NOTHING: Results = {
  wallets: [],
  operations: [],
  payments: [],
  recipients: [],
  members: [],
  unsearchedRecipients: 0,
}

/** What the service finds for a text; for `wallet 3` and the like, only the thing of this kind with this id. */
export function useFound(text: string): {
  readonly results: UseQueryResult<Answer<Results>, ApiError>
  readonly places: readonly Found[]
  readonly isReading: boolean
} {
  const one = kindAndId(text)
  const byId = (kind: FoundKind, path: string) => (one?.kind === kind ? `${path}/${one.id}` : null)
  const results = useApi<Results>(
    text === '' ? null : `/api/core/search?q=${encodeURIComponent(one === undefined ? text : String(one.id))}`,
  )
  const operational = useApi<Schema<'OperationalWallet'>>(byId('wallets', MONITORED))
  const wallet = useApi<Schema<'OrgWallet'>>(byId('wallets', WALLETS))
  const position = useApi<Schema<'CoreAllocationDetail'>>(byId('positions', ALLOCATIONS))
  const isReading = [results, operational, wallet, position].some(({ isFetching }) => isFetching)
  // What was read for another text stands in for this one until it is here.
  const isOf = (data: { readonly id: number } | undefined) => data?.id === one?.id
  const places = [
    ...(one?.kind === 'wallets' && operational.data && isOf(operational.data.data)
      ? [operationalPlace(operational.data.data)]
      : []),
    ...(one?.kind === 'wallets' && wallet.data && isOf(wallet.data.data) ? [walletPlace(wallet.data.data)] : []),
    ...(one?.kind === 'positions' && position.data && isOf(position.data.data)
      ? [positionPlace(position.data.data)]
      : []),
    ...(results.data ? placesOf(ofKind(results.data.data, one)) : []),
  ]
  return { results, places, isReading }
}

/** Of the results for an id, those of the kind that was asked for. */
function ofKind(results: Results, one: ReturnType<typeof kindAndId>): Results {
  if (one === undefined) return results
  const { kind, id } = one
  if (kind === 'wallets' || kind === 'positions') return NOTHING
  return { ...NOTHING, [kind]: results[kind].filter((each) => each.id === id) }
}
