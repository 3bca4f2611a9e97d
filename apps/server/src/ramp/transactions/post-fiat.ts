import type { Tx } from '../../database/index.ts'
import { assert } from '../../kernel/index.ts'
import { FIAT_POSTINGS, type FiatEntryKind } from './ramp-transaction-states.ts'
import type { RampTransaction } from './transaction.ts'

/**
 * Posts one movement of a ramp transaction to the fiat ledger: cents, double-entry, append-only. Each kind is posted once
 * per transaction; a second posting violates a unique key and rolls everything back.
 */
export async function postFiat(
  tx: Tx,
  transaction: Pick<RampTransaction, 'organizationId' | 'transactionId' | 'direction' | 'usdCents' | 'feeCents'>,
  kind: FiatEntryKind,
  at: Date,
): Promise<void> {
  const { organizationId, transactionId, direction, usdCents, feeCents } = transaction
  const shares = { usd: usdCents, net: usdCents - feeCents, fee: feeCents }
  const lines = FIAT_POSTINGS[direction][kind]
    .map(([account, sign, share]) => ({ account, cents: sign * shares[share] }))
    .filter(({ cents }) => cents !== 0n)
  assert(lines.reduce((sum, { cents }) => sum + cents, 0n) === 0n, 'the postings of an entry sum to zero')
  const { id } = await tx
    .insertInto('fiat_entries')
    .values({ organization_id: organizationId, transaction_id: transactionId, kind, created_at: at })
    .returning('id')
    .executeTakeFirstOrThrow()
  if (lines.length === 0) return
  await tx
    .insertInto('fiat_postings')
    .values(lines.map((line) => ({ organization_id: organizationId, entry_id: id, ...line })))
    .execute()
}
