import { getAddress, zeroAddress } from 'viem'
import { assert } from '../../../kernel/index.ts'
import type { IncludedTransaction, IncludedTransfer } from '../../port/included-transaction.ts'

/** keccak-256 of `Transfer(address,address,uint256)`, which both tokens and shares emit. */
const TRANSFER_TOPIC = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'

/** 32 bytes, in hexadecimal text. */
const WORD = 2 + 64

/** The Transfer events of a transaction. Their position is the index of the log. */
export function transfers(transaction: IncludedTransaction, tokens?: ReadonlySet<string>): IncludedTransfer[] {
  assert(transaction.family === 'evm', 'an EVM transaction')
  return transaction.logs.flatMap(({ address: token, topics, data }, position) => {
    const [event, from, to, more] = topics
    // A fourth topic is the id of a token that is not fungible. More than a word of data is no amount.
    if (event !== TRANSFER_TOPIC || !from || !to || more !== undefined || data.length > WORD) return []
    if (tokens && !tokens.has(token)) return []
    const sender = addressFromTopic(from)
    return {
      token,
      from: sender === zeroAddress ? undefined : sender,
      to: addressFromTopic(to),
      amount: BigInt(data === '0x' ? 0 : data),
      position,
    }
  })
}

const addressFromTopic = (topic: string): string => getAddress(`0x${topic.slice(-40)}`)
