import { maxAmount, minAmount } from '../../kernel/index.ts'
import { type Balance, type LedgerBreak, type LedgerEntry, postings } from '../../ledger/index.ts'
import type { EvaluationTarget } from '../../wallets/index.ts'
import { abortUnissued, isUnissued } from '../lifecycle/abort-unissued.ts'
import { unfinishedOnToken } from '../lifecycle/read-operations.ts'
import { BALANCES, POST, RECORD_BREAKS, SCHEDULE_EVALUATION } from './settlement-calls.ts'
import type { SettlementContext } from './settlement-context.ts'

type ReconciliationContext = Pick<SettlementContext, 'tx' | 'block' | 'snapshot' | 'at'>

/**
 * Brings `available` to the chain's balance at this block, after our transactions in it are settled: the remaining
 * difference moved outside Weir and is posted as external (rule 8). New money first covers reservations that were made
 * of it before it was final. A shortfall that `available` cannot cover is an open break. Returns the tokens whose
 * breaks it opened.
 */
export async function reconcileBalances({
  tx,
  batcher,
  block,
  snapshot,
  at,
}: SettlementContext): Promise<readonly string[]> {
  const { organizationId, walletId } = snapshot.wallet
  const balances = new Map(
    (await batcher.call(BALANCES, snapshot.wallet)).map((balance) => [balance.tokenAddress, balance]),
  )
  const entries: LedgerEntry[] = []
  const changed: EvaluationTarget[] = []
  const breaks: LedgerBreak[] = []
  for (const { tokenAddress, balance } of snapshot.balances) {
    const booked = balances.get(tokenAddress)
    if (!booked) continue
    const difference = balance - booked.available - booked.reserved
    const where = { organizationId, blockNumber: block.number, at }
    const available =
      booked.available +
      (await abortUnissuedUntilCovered({ tx, block, snapshot, at }, tokenAddress, booked, difference))
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
    if (moved > 0n)
      entries.push(...(await coverReservations({ tx, block, snapshot, at }, tokenAddress, available + moved)))
  }
  const opened = breaks.length > 0 ? await batcher.call(RECORD_BREAKS, breaks) : []
  if (entries.length > 0) await batcher.call(POST, entries)
  if (changed.length > 0) await batcher.call(SCHEDULE_EVALUATION, { changed, at })
  return opened
}

/**
 * Keeps `available` from going below zero: aborts operations without issued bytes, the newest first, until their
 * released reservations cover the shortfall (rule 8). Returns the released amount in base units.
 */
async function abortUnissuedUntilCovered(
  { tx, snapshot, at }: ReconciliationContext,
  tokenAddress: string,
  booked: Pick<Balance, 'available'>,
  difference: bigint,
): Promise<bigint> {
  let released = 0n
  if (booked.available + difference >= 0n) return released
  for (const operation of (await unfinishedOnToken(tx, snapshot.wallet, tokenAddress)).filter(isUnissued)) {
    if (operation.type !== 'SUPPLY') continue
    released += await abortUnissued(tx, [operation], 'The reserved money left the wallet.', at)
    if (booked.available + released + difference >= 0n) break
  }
  return released
}

/** Covers waiting reservations with newly final money, the oldest first. */
async function coverReservations(
  { tx, block, snapshot, at }: ReconciliationContext,
  tokenAddress: string,
  available: bigint,
): Promise<LedgerEntry[]> {
  const { organizationId, walletId } = snapshot.wallet
  const waiting = await tx
    .selectFrom('reservations')
    .select(['operation_id', 'amount', 'covered'])
    .where('organization_id', '=', organizationId)
    .where('wallet_id', '=', walletId)
    .where('token_address', '=', tokenAddress)
    .where('released_at', 'is', null)
    .whereRef('covered', '<', 'amount')
    .orderBy('operation_id')
    .execute()
  const entries: LedgerEntry[] = []
  let remaining = available
  for (const { operation_id, amount, covered } of waiting) {
    const added = minAmount(amount - covered, remaining)
    if (added === 0n) break
    remaining -= added
    await tx
      .updateTable('reservations')
      .set({ covered: covered + added })
      .where('organization_id', '=', organizationId)
      .where('operation_id', '=', operation_id)
      .execute()
    entries.push({
      organizationId,
      kind: 'cover',
      source: `cover:${operation_id}:${covered + added}`,
      operationId: operation_id,
      blockNumber: block.number,
      at,
      postings: postings(walletId, tokenAddress, { available: -added, reserved: added }),
    })
  }
  return entries
}
