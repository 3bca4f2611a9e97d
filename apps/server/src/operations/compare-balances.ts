import { greatest, least } from '../kernel/index.ts'
import { balancesOf, type Entry, post, postings, recordBreak } from '../ledger/index.ts'
import type { Settlement } from './settle-wallet.ts'

/**
 * Brings `available` to what the chain shows at this block, after everything known is settled: what is left came or
 * went outside and is posted as external (money-rules 8). New money first covers reservations that were made of it
 * before it was final. What `available` cannot give up is an open break.
 */
export async function compareBalances({ tx, block, reading, at }: Settlement): Promise<void> {
  const { organizationId, walletId } = reading.wallet
  const held = new Map((await balancesOf(tx, reading.wallet)).map((balance) => [balance.tokenAddress, balance]))
  const entries: Entry[] = []
  for (const { tokenAddress, balance } of reading.balances) {
    const books = held.get(tokenAddress)
    if (!books) continue
    const difference = balance - books.available - books.reserved
    const moved = greatest(difference, -books.available)
    const missing = moved - difference
    const where = { organizationId, blockNumber: block.number, at }
    if (moved !== 0n) {
      entries.push({
        ...where,
        kind: 'external_balance',
        source: `balance:${block.hash}:${walletId}:${tokenAddress}:${at.getTime()}:${books.available}`,
        postings: postings(walletId, tokenAddress, { available: moved, external: -moved }),
      })
    }
    await recordBreak(tx, { ...where, walletId, tokenAddress, reason: 'balance', amount: missing })
    if (moved > 0n)
      entries.push(...(await coverReservations({ tx, block, reading, at }, tokenAddress, books.available + moved)))
  }
  await post(tx, entries)
}

/** Moves newly final money to the reservations that were waiting for it, oldest first. */
async function coverReservations(
  { tx, block, reading, at }: Pick<Settlement, 'tx' | 'block' | 'reading' | 'at'>,
  tokenAddress: string,
  available: bigint,
): Promise<Entry[]> {
  const { organizationId, walletId } = reading.wallet
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
  const entries: Entry[] = []
  let left = available
  for (const { operation_id, amount, covered } of waiting) {
    const more = least(amount - covered, left)
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
