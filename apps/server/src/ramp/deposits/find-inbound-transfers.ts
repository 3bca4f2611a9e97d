import type { Block, Network } from '../../chains/index.ts'

/** A token transfer to an address in a block. */
export interface InboundTransfer {
  readonly to: string
  /** Undefined for minted tokens. */
  readonly from: string | undefined
  readonly tokenAddress: string
  readonly amount: bigint
  readonly txHash: string
  /** Index of the transfer in its transaction; stable across reads of the block. */
  readonly position: number
}

/** keccak-256 of `Transfer(address,address,uint256)`. */
const TRANSFER_TOPIC = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
const ZERO_ADDRESS = '0x0000000000000000000000000000000000000000'

/**
 * Every inbound transfer of a configured token in a block, without reading the chain. EVM addresses are lower case. Pure.
 */
export function findInboundTransfers(network: Network, block: Block): InboundTransfer[] {
  const known = new Set(network.tokens.map(({ address }) => address))
  return block.transactions.flatMap((transaction) => {
    if (!transaction.succeeded) return []
    if (transaction.family === 'evm') {
      return transaction.logs.flatMap(({ address, topics, data }, position): InboundTransfer[] => {
        const [kind, from, to, more] = topics
        if (!known.has(address) || kind !== TRANSFER_TOPIC || !from || !to || more !== undefined) return []
        const sender = addressFromTopic(from)
        const amount = BigInt(data === '0x' ? 0 : data)
        return [
          {
            to: addressFromTopic(to),
            from: sender === ZERO_ADDRESS ? undefined : sender,
            tokenAddress: address,
            amount,
            txHash: transaction.hash,
            position,
          },
        ]
      })
    }
    const changed = transaction.tokens.filter(({ token, before, after }) => known.has(token) && before !== after)
    return transaction.tokens.flatMap(({ owner, token, before, after }, position): InboundTransfer[] => {
      if (!known.has(token) || after <= before) return []
      const sender = changed.find((other) => other.token === token && other.after < other.before)
      return [
        {
          to: owner,
          from: sender?.owner,
          tokenAddress: token,
          amount: after - before,
          txHash: transaction.hash,
          position,
        },
      ]
    })
  })
}

const addressFromTopic = (topic: string): string => `0x${topic.slice(-40)}`
