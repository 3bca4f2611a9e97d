import { maxAmount, minAmount } from '../../kernel/index.ts'
import { type Balance, balancesOf, type LedgerEntry, post, postings, recordBreak } from '../../ledger/index.ts'
import { type EvaluationTarget, scheduleEvaluation } from '../../wallets/index.ts'
import { abortUnissued, isUnissued } from '../lifecycle/abort-unissued.ts'
import { unfinishedOnToken } from '../lifecycle/read-operations.ts'
import type { SettlementContext } from './settle-wallet.ts'

type ReconciliationContext = Pick<SettlementContext, 'tx' | 'block' | 'snapshot' | 'at'>

/**
 * Brings `available` to what the chain shows at this block, after everything known is settled: what is left came or
 * went outside and is posted as external (rule 8). New money first covers reservations that were made of it
 * before it was final. What `available` cannot give up is an open break.
 */
export async function reconcileBalances({ tx, block, snapshot, at }: SettlementContext): Promise<void> {
  const { organizationId, walletId } = snapshot.wallet
  const held = new Map((await balancesOf(tx, snapshot.wallet)).map((balance) => [balance.tokenAddress, balance]))
  const entries: LedgerEntry[] = []
  const changed: EvaluationTarget[] = []
  for (const { tokenAddress, balance } of snapshot.balances) {
    const books = held.get(tokenAddress)
    if (!books) continue
    const difference = balance - books.available - books.reserved
    const where = { organizationId, blockNumber: block.number, at }
    const available =
      books.available + (await abortUnissuedUntilCovered({ tx, block, snapshot, at }, tokenAddress, books, difference))
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
    await recordBreak(tx, { ...where, walletId, tokenAddress, reason: 'balance', amount: missing })
    if (moved > 0n)
      entries.push(...(await coverReservations({ tx, block, snapshot, at }, tokenAddress, available + moved)))
  }
  await post(tx, entries)
  await scheduleEvaluation(tx, changed, at)
}

/**
 * `available` never goes below zero: operations of which nothing is out give back what they hold, the newest first,
 * until it fits (rule 8). Returns what came back, in base units.
 */
async function abortUnissuedUntilCovered(
  { tx, snapshot, at }: ReconciliationContext,
  tokenAddress: string,
  books: Pick<Balance, 'available'>,
  difference: bigint,
): Promise<bigint> {
  let freed = 0n
  if (books.available + difference >= 0n) return freed
  for (const operation of (await unfinishedOnToken(tx, snapshot.wallet, tokenAddress)).filter(isUnissued)) {
    if (operation.type !== 'SUPPLY') continue
    freed += await abortUnissued(tx, [operation], 'The money that it was to move left the wallet.', at)
    if (books.available + freed + difference >= 0n) break
  }
  return freed
}

/** Moves newly final money to the reservations that were waiting for it, oldest first. */
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
  let left = available
  for (const { operation_id, amount, covered } of waiting) {
    const more = minAmount(amount - covered, left)
    if (more === 0n) break
    left -= more
    await tx
      .updateTable('reservations')
      .set({ covered: covered + more })
      .where('organization_id', '=', organizationId)
      .where('operation_id', '=', operation_id)
      .execute()
    entries.push({
      organizationId,
      kind: 'cover',
      source: `cover:${operation_id}:${covered + more}`,
      operationId: operation_id,
      blockNumber: block.number,
      at,
      postings: postings(walletId, tokenAddress, { available: -more, reserved: more }),
    })
  }
  return entries
}
