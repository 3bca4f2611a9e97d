import { extendTransact, type Transact, transactOn } from '../database/index.ts'
import { addMilliseconds, REBALANCE_ILLIQUIDITY_MS } from '../kernel/index.ts'
import { chainOf, type Operation, planMove, requireIdleWallet } from '../operations/index.ts'
import { probeWithdrawable, strategyById, venueFor } from '../venues/index.ts'
import { scheduleEvaluation } from '../wallets/index.ts'
import type { AwaitedWithdrawal } from './awaited/awaited-withdrawal.ts'
import { addOperation, openAwaited } from './awaited/write-awaited.ts'
import type { RebalanceParts } from './parts.ts'
import { baseUnitsOf } from './settings.ts'
import { requestOf, type WithdrawInput } from './withdraw.ts'

/** At least one of the two. */
export interface PartlyWithdrawn {
  /** Pays what can be paid now; absent: that is nothing. */
  readonly operation?: Operation
  /** The rest is fetched when it comes free; absent: there is none. `value` is what the position was worth, in base units. */
  readonly awaited?: { readonly withdrawal: AwaitedWithdrawal; readonly value: bigint }
}

/**
 * Plans a withdrawal that a caller requested, of as much as the strategy can pay now. The rest is remembered in the same
 * transaction: the rebalancer withdraws it, for the same requester, as it comes free. A strategy whose withdrawals take
 * time has requests for that. Errors: those of `planMove`; CONFLICT while the position awaits a withdrawal.
 */
export async function withdrawPartly(
  parts: RebalanceParts,
  input: WithdrawInput,
  transact: Transact<PartlyWithdrawn> = transactOn(parts.db),
): Promise<PartlyWithdrawn> {
  const { target, amount, requestedBy } = input
  const { organizationId, opWalletId, strategyId, walletId, address } = target
  const move = requestOf(input)
  const whole = async () => {
    const planned = extendTransact(transact, async (_tx, operation: Operation) => ({ operation }))
    return { operation: await planMove(parts, move, planned) }
  }
  const strategy = await strategyById(parts.db, strategyId)
  const venue = strategy && venueFor(strategy.protocol)
  if (!venue || venue.exits) return whole()
  const chain = chainOf(parts, strategy.blockchain)
  const query = { strategy, owner: address }
  const [position] = await venue.positions(chain, [query])
  const value = venue.valueOf(position!.shares, position!.price)
  const requested = amount ?? value
  // A position that is too small is for the plan to refuse.
  if (requested > value) return whole()
  const withdrawable = await probeWithdrawable(chain, query, position!)
  if (withdrawable >= requested) return whole()

  const at = parts.clock.now()
  const rest = { organizationId, opWalletId, strategyId, amount, requestedBy }
  if (withdrawable < baseUnitsOf(parts.rebalancing.dust, strategy.tokenDecimals)) {
    let outcome: PartlyWithdrawn = {}
    await transact(async (tx) => {
      // What is unfinished may deposit there, or withdraw what is asked for.
      await requireIdleWallet(tx, { organizationId, walletId }, at)
      outcome = { awaited: { withdrawal: await openAwaited(tx, rest, at), value } }
      const soon = addMilliseconds(at, REBALANCE_ILLIQUIDITY_MS.first)
      await scheduleEvaluation(tx, [{ organizationId, walletId, tokenAddress: strategy.tokenAddress }], soon)
      return outcome
    })
    return outcome
  }
  let outcome: PartlyWithdrawn = {}
  const planned = extendTransact(transact, async (tx, operation: Operation) => {
    outcome = { operation }
    // What the approval policy rejects is awaited by nobody.
    if (operation.state === 'REJECTED') return outcome
    const withdrawal = await openAwaited(tx, rest, at)
    await addOperation(tx, operation, withdrawal)
    outcome = { operation, awaited: { withdrawal, value } }
    return outcome
  })
  const part = {
    total: requested,
    remaining: requested - withdrawable,
    catalogueFingerprint: null,
    purpose: 'requested',
  } as const
  await planMove(parts, { ...move, amount: withdrawable, part }, planned)
  return outcome
}
