import Type from 'typebox'
import { listPositions, type PositionView } from '../../../allocations/index.ts'
import type { Database } from '../../../database/index.ts'
import { type Credential, scopeOf } from '../../../identity/index.ts'
import { Failure } from '../../../kernel/index.ts'
import { readAwaited } from '../../../rebalancing/index.ts'
import { type App, alternatives, id } from '../../http/index.ts'
import { baseUnits, blockchain, blockchainFilter, blockchainQuery, dateTime, orNull } from '../schemas.ts'
import { AwaitedWithdrawalRecord, presentAwaited } from './awaited-withdrawal.ts'
import { type AllocationWalletSelector, selectedWallets, walletSelectorFields } from './wallet-selector.ts'

export const AllocationRecord = Type.Object(
  {
    strategyId: id('Strategy id; use it to unwind.'),
    strategyName: Type.String({ description: 'Name of the strategy.' }),
    venueId: id('Venue id.'),
    venueName: Type.String({ description: 'Name of the venue.' }),
    walletAddress: Type.String({ description: 'Wallet that holds the position.' }),
    blockchain,
    token: Type.String({ description: 'Symbol.' }),
    tokenAddress: Type.String({ description: 'Token contract address.' }),
    principal: baseUnits('Amount deposited and not yet withdrawn.'),
    currentValue: baseUnits('Current value of the position, including yield.'),
    yieldEarned: baseUnits('currentValue minus principal; rounding can make it -1 right after a deposit.'),
    apy: Type.Number({ description: 'Decimal fraction: 0.085 is 8.5%.' }),
    lastUpdated: dateTime('When the value was last read, from the clock of the chain.'),
    withdrawable: Type.Optional(
      orNull(baseUnits('What the protocol would pay out of currentValue at withdrawableAt; null: not known.')),
    ),
    withdrawableAt: Type.Optional(
      orNull(dateTime('When withdrawable was read, from the clock of the chain; null: not known.')),
    ),
    awaitedWithdrawal: Type.Optional(AwaitedWithdrawalRecord),
  },
  { $id: 'Allocation', description: "A wallet's open position in a strategy." },
)

const AllocationList = Type.Object(
  {
    allocations: Type.Array(AllocationRecord, {
      description: 'Open positions, newest first. Positions worth less than one base unit are not listed.',
    }),
    totalValue: baseUnits('Sum of currentValue.'),
    totalYieldEarned: baseUnits('Sum of yieldEarned.'),
  },
  { $id: 'AllocationList', description: 'Open positions with totals.' },
)

const identifiers = { ...walletSelectorFields, blockchain: blockchainQuery }

const FindBody = alternatives(
  'oneOf',
  Type.Object(identifiers),
  ['walletAddress', 'walletId', 'userId'].map((name) => ({
    title: `By ${name}`,
    requires: [name],
    without: ['walletAddress', 'walletId', 'userId'].filter((other) => other !== name),
  })),
)

type Selector = AllocationWalletSelector & { blockchain?: string }

const tags = ['Allocations']
const description =
  'Send exactly one of walletAddress, walletId and userId. An unknown userId returns an empty list. Errors: INVALID_ADDRESS, WALLET_NOT_FOUND.'

/** Allocations on v1 (spec 4.6, contract 6). */
export function allocationRoutes(app: App, parts: { db: Database }): void {
  app.post(
    '/v1/allocations',
    {
      config: { access: { surface: 'v1', needs: 'read', permission: 'read' }, limit: 'v1.write' },
      schema: {
        tags,
        operationId: 'findAllocations',
        summary: 'List the allocations of a wallet or user',
        description: `A read sent as POST; it counts towards the write rate limit. ${description}`,
        body: FindBody,
        response: { 200: AllocationList },
      },
    },
    ({ body, credential }) => allocationsOf(parts.db, credential, body),
  )

  app.get(
    '/v1/allocations',
    {
      config: { access: { surface: 'v1', needs: 'read', permission: 'read' }, limit: 'v1.read' },
      schema: {
        tags,
        operationId: 'listAllocations',
        summary: 'List the allocations of a wallet or user',
        description,
        querystring: Type.Object(identifiers),
        response: { 200: AllocationList },
      },
    },
    ({ query, credential }) => allocationsOf(parts.db, credential, query),
  )
}

async function allocationsOf(db: Database, credential: Credential, selector: Selector) {
  const chain = blockchainFilter(selector.blockchain)
  const wallets = selectedWallets(selector, chain)
  const found = await listPositions(db, scopeOf(credential), { wallets, blockchain: chain })
  if (!found.walletExists && selector.userId === undefined) throw new Failure('WALLET_NOT_FOUND')
  const awaitedOf = await awaitedIn(db, credential, found.positions)
  return {
    allocations: found.positions.map((position) => presentAllocation(position, awaitedOf)),
    totalValue: sum(found.positions, ({ currentValue }) => currentValue),
    totalYieldEarned: sum(found.positions, ({ yieldEarned }) => yieldEarned),
  }
}

const sum = (positions: readonly PositionView[], of: (position: PositionView) => bigint) =>
  positions.reduce((total, position) => total + of(position), 0n).toString()

type AwaitedOf = Awaited<ReturnType<typeof readAwaited>>

/** The withdrawals that these positions await. One statement, or none where no wallet is operational. */
export const awaitedIn = (
  db: Database,
  { organizationId }: Pick<Credential, 'organizationId'>,
  positions: readonly PositionView[],
): Promise<AwaitedOf> => readAwaited(db, organizationId, positions)

export const presentAllocation = (position: PositionView, awaitedOf: AwaitedOf) => ({
  strategyId: position.strategyId,
  strategyName: position.strategyName,
  venueId: position.venueId,
  venueName: position.venueName,
  walletAddress: position.walletAddress,
  blockchain: position.blockchain as (typeof blockchain)['enum'][number],
  token: position.token,
  tokenAddress: position.tokenAddress,
  principal: position.principal.toString(),
  currentValue: position.currentValue.toString(),
  yieldEarned: position.yieldEarned.toString(),
  apy: position.apy,
  lastUpdated: position.lastUpdated.toISOString(),
  withdrawable: position.withdrawable?.amount.toString() ?? null,
  withdrawableAt: position.withdrawable?.at.toISOString() ?? null,
  ...presentAwaited(awaitedOf(position), position.currentValue),
})
