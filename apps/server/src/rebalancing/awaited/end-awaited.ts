import { type Database, inTransaction } from '../../database/index.ts'
import type { Clock } from '../../kernel/index.ts'
import type { AwaitedEvent } from './awaited-states.ts'
import { type AwaitedWithdrawal, restOf } from './awaited-withdrawal.ts'
import { advanceAwaited } from './write-awaited.ts'

interface AwaitingWallet {
  readonly organizationId: number
  readonly awaited: readonly AwaitedWithdrawal[]
  /** Positions with their values, in base units. */
  readonly holdings: readonly {
    readonly strategyId: number
    readonly value: bigint
    readonly isUnsettled?: boolean | undefined
  }[]
  /** A smaller rest is worth no transaction. */
  readonly dust: bigint
}

/**
 * What ends it; absent: it continues. Dust counts as fetched only after something was fetched: a request for less than
 * that is still paid. Pure.
 */
export function endOf(
  awaited: AwaitedWithdrawal,
  { holdings, dust }: Pick<AwaitingWallet, 'holdings' | 'dust'>,
): AwaitedEvent | undefined {
  const holding = holdings.find(({ strategyId }) => strategyId === awaited.strategyId)
  const value = holding?.value ?? 0n
  const rest = restOf(awaited, value)
  // A node may lag behind the deposit: a position is empty once the ledger says so.
  if ((rest === 0n && !holding?.isUnsettled) || (awaited.fetched > 0n && rest < dust && rest < value)) return 'fetched'
  return awaited.isRejected ? 'rejected' : undefined
}

/** Ends what is fetched and what somebody rejected. Returns what is still to be fetched. */
export async function endAwaited(
  parts: { readonly db: Database; readonly clock: Clock },
  { organizationId, awaited, holdings, dust }: AwaitingWallet,
): Promise<AwaitedWithdrawal[]> {
  const open: AwaitedWithdrawal[] = []
  for (const one of awaited) {
    const event = endOf(one, { holdings, dust })
    if (event === undefined) open.push(one)
    else {
      const { awaitedId } = one
      await inTransaction(parts.db, (tx) => advanceAwaited(tx, { organizationId, awaitedId }, event, parts.clock.now()))
    }
  }
  return open
}
