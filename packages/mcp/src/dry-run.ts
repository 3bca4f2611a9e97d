import type { DataOf, Weir } from '../../sdk/src/index.ts'

export interface Move {
  readonly type: 'supply' | 'unwind'
  readonly walletId: number
  readonly strategyId: number
  /** Base units; undefined withdraws the whole position. */
  readonly amount: bigint | undefined
}

export interface Check {
  readonly check: string
  readonly holds: boolean
}

/**
 * A program's plan supersedes a client's that waits for a signature; that of an assistant replaces none. What waits for
 * approvals (`PENDING`) refuses no plan: it is checked again when it is approved.
 */
const NOTHING_IN_THE_WAY = 'no operation of the wallet is signed or sent now; plan_operation replaces none that waits'
const IN_THE_WAY = ['AWAITING_SIGNATURE', 'SUBMITTED'] as const

type Strategy = DataOf<'listVenues'>['venues'][number]['strategies'][number]

/** The strategy, with the facts that a plan needs; undefined if there is none on the chain of the wallet. */
export async function strategyFor(
  weir: Weir,
  { walletId, strategyId }: Move,
): Promise<{ wallet: DataOf<'getWallet'>; strategy: Strategy | undefined }> {
  const wallet = await weir.v1.wallets.get(walletId)
  const { venues } = await weir.v1.venues.list({ blockchain: wallet.blockchain })
  const strategy = venues.flatMap((venue) => venue.strategies).find((one) => one.strategyId === strategyId)
  return { wallet, strategy }
}

/** What a plan would be refused for, as far as reads show it. Changes nothing; a plan also simulates on the chain. */
export async function dryRun(weir: Weir, move: Move): Promise<{ checks: readonly Check[]; facts: unknown }> {
  const { wallet, strategy } = await strategyFor(weir, move)
  if (!strategy)
    return { checks: [{ check: 'the strategy is on the chain of the wallet', holds: false }], facts: { wallet } }
  const { allocations } = await weir.v1.allocations.list({ walletId: move.walletId })
  const position = allocations.find((allocation) => allocation.strategyId === move.strategyId)
  const balance = wallet.balances.find(({ tokenAddress }) => tokenAddress === strategy.tokenAddress)
  const inTheWay = await Promise.all(
    IN_THE_WAY.map((status) => weir.v1.operations.list({ walletId: move.walletId, status, limit: 1 })),
  )
  return {
    checks: [
      ...(move.type === 'supply'
        ? checksOfSupply(strategy, BigInt(balance?.available ?? 0), move.amount)
        : checksOfUnwind(position?.currentValue, position?.withdrawable, move.amount)),
      { check: NOTHING_IN_THE_WAY, holds: inTheWay.every(({ total }) => total === 0) },
    ],
    facts: { wallet, strategy, position: position ?? null },
  }
}

export function checksOfSupply(
  strategy: Pick<Strategy, 'status' | 'deposits' | 'minDeposit' | 'maxDeposit'>,
  available: bigint,
  amount: bigint | undefined,
): readonly Check[] {
  const { status, deposits, minDeposit, maxDeposit } = strategy
  const room = deposits?.room ?? null
  const given = amount ?? 0n
  return [
    { check: 'the strategy is active', holds: status === 'active' },
    { check: 'the strategy accepts deposits', holds: (deposits?.state ?? 'open') === 'open' },
    { check: 'the strategy has room for the amount', holds: room === null || given <= BigInt(room) },
    { check: 'the amount is positive', holds: given > 0n },
    { check: 'the amount is not below the minimum', holds: minDeposit === null || given >= BigInt(minDeposit) },
    { check: 'the amount is not above the maximum', holds: maxDeposit === null || given <= BigInt(maxDeposit) },
    { check: 'the wallet has the amount available', holds: given <= available },
  ]
}

export function checksOfUnwind(
  value: string | undefined,
  withdrawable: string | null | undefined,
  amount: bigint | undefined,
): readonly Check[] {
  const held = BigInt(value ?? 0)
  const asked = amount ?? held
  return [
    { check: 'the wallet has a position in the strategy', holds: value !== undefined },
    { check: 'the amount is positive', holds: asked > 0n },
    { check: 'the position is worth the amount', holds: asked <= held },
    { check: 'the strategy can pay it now', holds: withdrawable == null || asked <= BigInt(withdrawable) },
  ]
}
