import Type from 'typebox'
import { listPositions, type PositionFilter, type PositionView } from '../../../allocations/index.ts'
import type { Database } from '../../../database/index.ts'
import { type Credential, type Scope, scopeOf } from '../../../identity/index.ts'
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
import { AllocationRecord, awaitedIn, presentAllocation } from './allocations.ts'

const wallet = {
  walletAddress: Type.Optional(
    Type.String({
      description: 'Address of the wallet on the chain of the strategy or venue. Required without walletId.',
    }),
  ),
  walletId: Type.Optional(id('Wallet id. Required without walletAddress; if both are sent, they must match.')),
}

const tags = ['Allocations']
const reads = { access: { surface: 'v1', needs: 'read', permission: 'read' }, limit: 'v1.read' } as const

/**
 * When GET /v1/allocations/:venueId was deprecated, in the format of RFC 9745: 1 January 2026, before the first release
 * (contract 6: deprecated from the start).
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
      const context = { blockchain: strategy?.blockchain, field: 'strategyId', missing: 'STRATEGY_NOT_FOUND' } as const
      const [position] = await positionsAt(db, scope, { rows, reference: query, context, filter: { strategyId } })
      return presentFound(db, credential, position)
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
          'Deprecated: a wallet can hold several allocations at one venue, so use the strategy endpoint instead. Responses carry the `Deprecation` header (RFC 9745). Errors, in this order: INVALID_ADDRESS, WALLET_NOT_FOUND, VENUE_NOT_FOUND, ALLOCATION_NOT_FOUND.',
        params: Type.Object({ venueId: id('Venue, from the venue listing.') }),
        querystring: Type.Object(wallet),
        response: { 200: AllocationRecord },
      },
      // Runs before validation, so that errors carry the header too.
      onRequest: async (_request, reply) => {
        reply.header('Deprecation', DEPRECATED_SINCE)
      },
    },
    async ({ params: { venueId }, query, credential }) => {
      const scope = scopeOf(credential)
      const [rows, venue] = await Promise.all([findReferencedWallets(db, scope, query), venueById(db, venueId)])
      const context = { blockchain: venue?.blockchain, field: 'venueId', missing: 'VENUE_NOT_FOUND' } as const
      const positions = await positionsAt(db, scope, { rows, reference: query, context, filter: { venueId } })
      return presentFound(db, credential, positions.toSorted(byValue)[0])
    },
  )
}

interface PositionLookup {
  readonly rows: readonly WalletRow[]
  readonly reference: WalletReference
  readonly context: WalletContext
  readonly filter: Omit<PositionFilter, 'wallets'>
}

async function positionsAt(
  db: Database,
  scope: Scope,
  { rows, reference, context, filter }: PositionLookup,
): Promise<PositionView[]> {
  const { id: walletId } = resolveWallet(rows, reference, context)
  return (await listPositions(db, scope, { ...filter, wallets: { walletId } })).positions
}

async function presentFound(db: Database, credential: Credential, position: PositionView | undefined) {
  if (!position) throw new Failure('ALLOCATION_NOT_FOUND')
  return presentAllocation(position, await awaitedIn(db, credential, [position]))
}

/** Largest first. The list is newest first, so of equal positions the newer one wins. */
const byValue = (a: PositionView, b: PositionView) =>
  Number(b.currentValue > a.currentValue) - Number(a.currentValue > b.currentValue)
