import { MINED_CHECKS } from '../../kernel/index.ts'
import type { DevNode } from './dev-node.ts'

/**
 * Until a transaction that the node accepted is in a block. One that waits for an earlier nonce, or that the node dropped,
 * is not waited for; nor is one that stays pending for longer, because the node does not mine at once.
 */
export async function untilIncluded(node: DevNode, hash: string): Promise<void> {
  for (let check = 0; check < MINED_CHECKS.max; check++) {
    const found = await node.request<{ blockNumber: string | null; from: string; nonce: string } | null>(
      'eth_getTransactionByHash',
      hash,
    )
    if (found === null || found.blockNumber !== null) return
    const next = Number(await node.request<string>('eth_getTransactionCount', found.from, 'latest'))
    if (Number(found.nonce) > next) return
    await new Promise((resolve) => setTimeout(resolve, MINED_CHECKS.intervalMs))
  }
}
