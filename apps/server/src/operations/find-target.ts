import { BLOCKCHAINS, normalizeAddress } from '../chains/index.ts'
import type { Sight } from '../identity/index.ts'
import { Failure, invalid } from '../kernel/index.ts'
import { type Strategy, strategyById } from '../venues/index.ts'
import { type Wallet, walletFrom, walletsWithin } from '../wallets/index.ts'
import type { Parts } from './parts.ts'

/** How a plan names its wallet: by id, by address on the strategy's chain, or by both. */
export interface Named {
  readonly sight: Sight
  readonly walletId?: number | undefined
  readonly walletAddress?: string | undefined
  readonly strategyId: number
}

export interface Target {
  readonly strategy: Strategy
  readonly wallet: Wallet
  readonly operationTimeoutSeconds: number
}

type Row = Awaited<ReturnType<typeof candidates>>[number]

/**
 * The wallet and the strategy of a plan, with the errors in the order of decisions 1 and 4.
 *
 * Errors: VALIDATION_ERROR (no wallet named, names disagree, wallet of another chain), INVALID_ADDRESS,
 * WALLET_NOT_FOUND, STRATEGY_NOT_FOUND, FORBIDDEN (chain not enabled in the wallet's profile).
 */
export async function findTarget(parts: Parts, input: Named): Promise<Target> {
  if (input.walletId === undefined && input.walletAddress === undefined) {
    throw invalid('walletAddress', 'either walletAddress or walletId is required')
  }
  const spellings = input.walletAddress === undefined ? undefined : spellingsOf(input.walletAddress)
  if (spellings?.length === 0) throw new Failure('INVALID_ADDRESS')

  const [strategy, rows] = await Promise.all([
    strategyById(parts.db, input.strategyId),
    candidates(parts, input, spellings),
  ])
  if (!strategy) throw new Failure(rows.length === 0 ? 'WALLET_NOT_FOUND' : 'STRATEGY_NOT_FOUND')
  if (input.walletAddress !== undefined && !normalizeAddress(asBlockchain(strategy.blockchain), input.walletAddress)) {
    throw new Failure('INVALID_ADDRESS', { message: `The wallet address is not one of ${strategy.blockchain}.` })
  }
  const row = choose(rows, input, strategy)
  if (!row.enabled_chains.includes(strategy.blockchain)) {
    throw new Failure('FORBIDDEN', { message: `The wallet profile does not allow ${strategy.blockchain}.` })
  }
  return { strategy, wallet: walletFrom(row), operationTimeoutSeconds: row.operation_timeout_seconds }
}

function choose(rows: readonly Row[], input: Named, strategy: Strategy): Row {
  if (input.walletId === undefined) {
    const row = rows.find((candidate) => candidate.blockchain === strategy.blockchain)
    if (!row) throw new Failure('WALLET_NOT_FOUND')
    return row
  }
  const row = rows.find((candidate) => candidate.id === input.walletId)
  if (!row) throw new Failure('WALLET_NOT_FOUND')
  if (
    input.walletAddress !== undefined &&
    normalizeAddress(asBlockchain(row.blockchain), input.walletAddress) !== row.address
  ) {
    throw invalid('walletAddress', 'does not name the same wallet as walletId')
  }
  if (row.blockchain !== strategy.blockchain) {
    throw invalid('strategyId', `the strategy is on ${strategy.blockchain}, the wallet on ${row.blockchain}`)
  }
  return row
}

/** The wallet by id, or every wallet with the address: which one is meant depends on the strategy's chain. */
function candidates(parts: Parts, input: Named, spellings: readonly string[] | undefined) {
  const filter = input.walletId === undefined ? { address: spellings } : { walletId: input.walletId }
  return walletsWithin(parts.db, input.sight, filter)
    .innerJoin('wallet_profiles', (join) =>
      join
        .onRef('wallet_profiles.organization_id', '=', 'wallets.organization_id')
        .onRef('wallet_profiles.id', '=', 'wallets.wallet_profile_id'),
    )
    .selectAll('wallets')
    .select(['wallet_profiles.enabled_chains', 'wallet_profiles.operation_timeout_seconds'])
    .execute()
}

/** How the address is spelled on each chain where it is well formed. */
function spellingsOf(text: string): string[] {
  return [...new Set(BLOCKCHAINS.flatMap((blockchain) => normalizeAddress(blockchain, text) ?? []))]
}

function asBlockchain(stored: string): (typeof BLOCKCHAINS)[number] {
  return stored as (typeof BLOCKCHAINS)[number]
}
