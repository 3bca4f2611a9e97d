import { SOLANA_STATUSES_BATCH } from '../../../kernel/index.ts'
import type { ObservedTransaction } from '../../port/included-transaction.ts'
import { decodeResult } from '../../rpc/decode-result.ts'
import { requestRejected } from '../../rpc/rpc.ts'
import type { SolanaContext, SolanaRpcResponse } from '../context.ts'
import { toIncluded } from '../wire.ts'
import { readTransaction } from './fetch-transactions.ts'
import { inBatches } from './in-batches.ts'

interface WireStatus {
  readonly slot: number
}

/**
 * What nodes know of these signatures, in order, including their history. A transaction is known once it is in a block;
 * before that, no node reports it. One with a status whose content the node does not have yet counts as unknown; one
 * that is unreadable is known, and matches no plan. Two HTTP calls, one when none is known.
 */
export async function findTransactions(
  { rpc }: SolanaContext,
  hashes: readonly string[],
): Promise<(ObservedTransaction | undefined)[]> {
  const parts: string[][] = []
  for (let from = 0; from < hashes.length; from += SOLANA_STATUSES_BATCH)
    parts.push(hashes.slice(from, from + SOLANA_STATUSES_BATCH))
  const statuses = await Promise.all(
    parts.map((part) =>
      rpc.request<SolanaRpcResponse<(WireStatus | null)[]>>('getSignatureStatuses', [
        part,
        { searchTransactionHistory: true },
      ]),
    ),
  )
  const statusList = decodeResult('getSignatureStatuses', () => statuses.flatMap(({ value }) => [...value]))
  if (statusList.length !== hashes.length) throw requestRejected('getSignatureStatuses', 'statuses are missing')
  return inBatches(
    hashes.map((hash, index) => ({ hash, slot: statusList[index]?.slot })),
    async ({ hash, slot }) => {
      if (slot === undefined) return undefined
      const found = await readTransaction({ rpc }, hash, 'confirmed')
      if (found === null || found.meta === null) return undefined
      const { sender, instructions } = toIncluded(slot, found) ?? { sender: '', instructions: [] }
      return { family: 'svm', hash, sender, nonce: null, instructions, blockNumber: slot }
    },
  )
}
