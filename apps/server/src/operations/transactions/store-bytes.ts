import { callToJson } from '../../chains/index.ts'
import type { Tx } from '../../database/index.ts'
import type { TransactionBytes } from './build-bytes.ts'

/** Stores bytes that are about to be handed out; the follower watches them from here on (rule 1 and 2). */
export async function storeBytes(
  tx: Tx,
  organizationId: number,
  transactionId: number,
  bytes: TransactionBytes,
): Promise<void> {
  await tx
    .updateTable('transactions')
    .set({
      call: callToJson(bytes.call),
      nonce: bytes.nonce,
      unsigned_bytes: bytes.unsignedBytes,
      valid_until: bytes.validUntil,
      blockhash: bytes.blockhash,
      last_valid_block_height: bytes.lastValidBlockHeight,
      can_still_land: true,
    })
    .where('organization_id', '=', organizationId)
    .where('id', '=', transactionId)
    .execute()
}
