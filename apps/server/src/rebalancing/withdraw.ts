import { extendTransact, type Transact, transactOn } from '../database/index.ts'
import { Failure } from '../kernel/index.ts'
import { type Operation, planMove } from '../operations/index.ts'
import { operationalWalletOf } from '../wallets/index.ts'
import type { RebalanceParts } from './parts.ts'

export interface WithdrawInput {
  readonly organizationId: number
  readonly allocationId: number
  /** Decimal text is for the surface to read: base units of the position's token, or all of it. */
  readonly amount: 'full' | ((token: TokenUnits) => bigint)
}

interface TokenUnits {
  readonly symbol: string
  readonly decimals: number
}

export interface WithdrawResult {
  readonly operation: Operation
  readonly token: TokenUnits
}

/**
 * Plans a withdrawal from an allocation that somebody asked for; what it brings back is not deployed again for a while
 * (spec 3.3, contract 7 and 10).
 *
 * Errors: ALLOCATION_NOT_FOUND; INVALID_OPERATION_STATUS (closed); CONFLICT (its wallet is not monitored); those of
 * `planMove`.
 */
export async function withdraw(
  parts: RebalanceParts,
  input: WithdrawInput,
  transact: Transact<WithdrawResult> = transactOn(parts.db),
): Promise<WithdrawResult> {
  const { organizationId, allocationId } = input
  const row = await parts.db
    .selectFrom('allocations')
    .innerJoin('strategies', 'strategies.id', 'allocations.strategy_id')
    .select([
      'allocations.wallet_id',
      'allocations.strategy_id',
      'allocations.status',
      'strategies.token_address',
      'strategies.token',
      'strategies.token_decimals',
    ])
    .where('allocations.organization_id', '=', organizationId)
    .where('allocations.id', '=', allocationId)
    .executeTakeFirst()
  if (!row) throw new Failure('ALLOCATION_NOT_FOUND', { message: 'There is no allocation with this id.' })
  if (row.status === 'CLOSED') {
    throw new Failure('INVALID_OPERATION_STATUS', { message: 'The allocation is closed: nothing is left in it.' })
  }
  const opWallet = await operationalWalletOf(parts.db, {
    organizationId,
    walletId: row.wallet_id,
    tokenAddress: row.token_address,
  })
  if (!opWallet) {
    throw new Failure('CONFLICT', { message: 'The wallet of this allocation is not monitored: add it first.' })
  }
  const token = { symbol: row.token, decimals: row.token_decimals }
  const operation = await planMove(
    parts,
    {
      organizationId,
      opWalletId: opWallet.opWalletId,
      strategyId: row.strategy_id,
      type: 'UNWIND',
      amount: input.amount === 'full' ? null : input.amount(token),
      origin: 'explicit',
      reasons: { why: 'It was asked for.' },
    },
    extendTransact(transact, async (_tx, operation: Operation) => ({ operation, token })),
  )
  return { operation, token }
}
