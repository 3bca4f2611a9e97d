import type { Block, Chain } from '../../chains/index.ts'

/** A token transfer to an address in a block. Addresses canonical. */
export interface InboundTransfer {
  readonly to: string
  /** Undefined for minted tokens, and where the sender is not known. */
  readonly from: string | undefined
  readonly tokenAddress: string
  readonly amount: bigint
  readonly txHash: string
  /** Identifies the transfer in its transaction; stable across reads of the block. */
  readonly position: number
}

/** Every inbound transfer of a configured token in a block, without reading the chain. Pure. */
export function findInboundTransfers(chain: Chain, block: Block): InboundTransfer[] {
  const known = new Set(chain.network.tokens.map(({ address }) => address))
  return block.transactions.flatMap((transaction) => {
    if (!transaction.succeeded) return []
    return chain.transfers(transaction, known).flatMap(({ token, from, to, amount, position }): InboundTransfer[] => {
      if (to === undefined || amount === 0n) return []
      return [{ to, from, tokenAddress: token, amount, txHash: transaction.hash, position }]
    })
  })
}
