import { maxAmount } from '../../../kernel/index.ts'
import {
  type Balance,
  type BreakChange,
  type LedgerBreak,
  type LedgerEntry,
  POST,
  postings,
} from '../../../ledger/index.ts'
import { type EvaluationTarget, SCHEDULE_EVALUATION } from '../../../wallets/index.ts'
import { UNFINISHED_ON_TOKEN } from '../../lifecycle/reads/read-operations.ts'
import { abortUnissued, isUnissued } from '../../lifecycle/transitions/abort-unissued.ts'
import { BALANCES, RECORD_BREAKS } from '../shared/settlement-calls.ts'
import type { SettlementContext } from '../shared/settlement-context.ts'
import { coverReservations } from './cover-reservations.ts'

/**
 * Brings `available` to the chain's balance at this block, after our transactions in it are settled: the remaining
 * difference moved outside Weir and is posted as external (rule 8). New money first covers reservations that were made
 * of it before it was final. A shortfall that `available` cannot cover is an open break. Returns the breaks that it
 * opened or closed.
 */
export async function reconcileBalances(settlement: SettlementContext): Promise<readonly BreakChange[]> {
  const { batcher, block, snapshot, at } = settlement
  const { organizationId, walletId } = snapshot.wallet
  const balances = new Map(
    (await batcher.call(BALANCES, snapshot.wallet)).map((balance) => [balance.tokenAddress, balance]),
  )
  const entries: LedgerEntry[] = []
  const changed: EvaluationTarget[] = []
  const breaks: LedgerBreak[] = []
  for (const { tokenAddress, balance } of snapshot.balances) {
    const posted = balances.get(tokenAddress)
    if (!posted) continue
    const difference = balance - posted.available - posted.reserved
    const where = { organizationId, blockNumber: block.number, at }
    const released = await abortUnissuedUntilCovered(settlement, tokenAddress, posted, difference)
    const available = posted.available + released
    const moved = maxAmount(difference, -available)
    const missing = moved - difference
    if (moved !== 0n) {
      changed.push({ organizationId, walletId, tokenAddress })
      entries.push({
        ...where,
        kind: 'external_balance',
        source: `balance:${block.hash}:${walletId}:${tokenAddress}:${at.getTime()}:${available}`,
        postings: postings(walletId, tokenAddress, { available: moved, external: -moved }),
      })
    }
    breaks.push({ ...where, walletId, tokenAddress, reason: 'balance', amount: missing })
    if (moved > 0n) entries.push(...(await coverReservations(settlement, tokenAddress, available + moved)))
  }
  const changes = breaks.length > 0 ? await batcher.call(RECORD_BREAKS, breaks) : []
  if (entries.length > 0) await batcher.call(POST, entries)
  if (changed.length > 0) await batcher.call(SCHEDULE_EVALUATION, { changed, at })
  return changes
}

/**
 * Keeps `available` from going below zero: aborts operations without issued bytes, the newest first, until their
 * released reservations cover the shortfall (rule 8). Returns the released amount in base units.
 */
async function abortUnissuedUntilCovered(
  { batcher, snapshot: { wallet }, at }: SettlementContext,
  tokenAddress: string,
  posted: Pick<Balance, 'available'>,
  difference: bigint,
): Promise<bigint> {
  let released = 0n
  if (posted.available + difference >= 0n) return released
  const unfinished = await batcher.call(UNFINISHED_ON_TOKEN, { wallet, tokenAddress })
  for (const operation of unfinished.filter(isUnissued)) {
    if (operation.type !== 'SUPPLY') continue
    released += await abortUnissued(batcher, [operation], 'The reserved money left the wallet.', at)
    if (posted.available + released + difference >= 0n) break
  }
  return released
}
