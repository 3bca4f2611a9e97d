import Type from 'typebox'
import { listPositions, type PositionFilter, type PositionView } from '../../../allocations/index.ts'
import type { Database } from '../../../database/index.ts'
import { type Scope, scopeOf } from '../../../identity/index.ts'
import { Failure } from '../../../kernel/index.ts'
import { strategyById, venueById } from '../../../venues/index.ts'
import {
  findReferencedWallets,
  resolveWallet,
  type WalletContext,
  type WalletReference,
  type WalletRow,
} from '../../../wallets/index.ts'
import { type App, id } from '../../http/index.ts'
import { AllocationRecord, presentAllocation } from './allocations.ts'

const wallet = {
  walletAddress: Type.Optional(
    Type.String({
      maxLength: 200,
      description: 'Names the wallet on the chain of the strategy or venue. This or walletId.',
    }),
  ),
  walletId: Type.Optional(id('Names the wallet. This or walletAddress; both must name the same one.')),
}

const tags = ['Allocations']
const reads = { access: { surface: 'v1', needs: 'read' }, limit: 'v1.read' } as const

/**
 * Since when GET /v1/allocations/:venueId is deprecated (contract 6: from the start), as RFC 9745 writes it:
 * 1 January 2026, before the first release.
 */
const DEPRECATED_SINCE = '@1767225600'

/** One allocation of a wallet, by strategy or by venue (contract 6). */
export function venueAllocationRoutes(app: App, { db }: { db: Database }): void {
  app.get(
    '/v1/allocations/strategy/:strategyId',
    {
      config: reads,
      schema: {
        tags,
        operationId: 'getAllocationByStrategy',
        summary: 'Get the allocation of a wallet in a strategy',
        description:
          'Errors, in this order: INVALID_ADDRESS, WALLET_NOT_FOUND, STRATEGY_NOT_FOUND, ALLOCATION_NOT_FOUND (also once the position is closed).',
        params: Type.Object({ strategyId: id('Strategy, from the venue listing.') }),
        querystring: Type.Object(wallet),
        response: { 200: AllocationRecord },
      },
    },
    async ({ params: { strategyId }, query, credential }) => {
      const scope = scopeOf(credential)
      const [rows, strategy] = await Promise.all([
        findReferencedWallets(db, scope, query),
        strategyById(db, strategyId),
      ])
      const place = { blockchain: strategy?.blockchain, field: 'strategyId', missing: 'STRATEGY_NOT_FOUND' } as const
      const [position] = await positionsAt(db, scope, rows, query, place, { strategyId })
      return presentAllocation(requirePosition(position))
    },
  )

  app.get(
    '/v1/allocations/:venueId',
    {
      config: reads,
      schema: {
        tags,
        deprecated: true,
        operationId: 'getAllocationByVenue',
        summary: 'Get the largest allocation of a wallet at a venue',
        description:
          'A wallet may hold several allocations at one venue, so ask by strategy instead. Its answers carry the `Deprecation` header (RFC 9745). Errors, in this order: INVALID_ADDRESS, WALLET_NOT_FOUND, VENUE_NOT_FOUND, ALLOCATION_NOT_FOUND.',
        params: Type.Object({ venueId: id('Venue, from the venue listing.') }),
        querystring: Type.Object(wallet),
        response: { 200: AllocationRecord },
      },
      // Before the request's shape is judged, so that its refusals carry the header as well.
      onRequest: async (_request, reply) => {
        reply.header('Deprecation', DEPRECATED_SINCE)
      },
    },
    async ({ params: { venueId }, query, credential }) => {
      const scope = scopeOf(credential)
      const [rows, venue] = await Promise.all([findReferencedWallets(db, scope, query), venueById(db, venueId)])
      const place = { blockchain: venue?.blockchain, field: 'venueId', missing: 'VENUE_NOT_FOUND' } as const
      const positions = await positionsAt(db, scope, rows, query, place, { venueId })
      return presentAllocation(requirePosition(positions.toSorted(byValue)[0]))
    },
  )
}

async function positionsAt(
  db: Database,
  scope: Scope,
  rows: readonly WalletRow[],
  named: WalletReference,
  place: WalletContext,
  filter: Omit<PositionFilter, 'wallets'>,
): Promise<PositionView[]> {
  const { id: walletId } = resolveWallet(rows, named, place)
  return (await listPositions(db, scope, { ...filter, wallets: { walletId } })).positions
}

function requirePosition(position: PositionView | undefined): PositionView {
  if (!position) throw new Failure('ALLOCATION_NOT_FOUND')
  return position
}

/** The largest first; of equal ones the newer, as the list comes. */
const byValue = (a: PositionView, b: PositionView) =>
  Number(b.currentValue > a.currentValue) - Number(a.currentValue > b.currentValue)
