import type { Ledger } from '../ledger.ts'
import type { Block, Landed } from '../store.ts'
import { accountKeys, readWire } from '../wire.ts'
import { encodeTransaction } from './encode-transaction.ts'
import { RpcError } from './json.ts'
import type { Methods } from './method.ts'
import { type Options, refuse } from './params.ts'

const BLOCK_CLEANED_UP = -32_001
const BLOCK_NOT_AVAILABLE = -32_004
const SLOT_SKIPPED = -32_007
const MAX_RANGE = 500_000

/** Blocks by slot. Not every slot has one. */
export const blockMethods: Methods = {
  getBlockTime: (params, { ledger }) => blockAt(ledger, params.integer(0)).time,
  getFirstAvailableBlock: (_params, { ledger }) => oldestSlot(ledger),
  getBlocks(params, { ledger }) {
    const from = params.integer(0)
    const to = params.integer(1, ledger.head().slot)
    if (to - from > MAX_RANGE) refuse(`Slot range too large; max ${MAX_RANGE}`)
    return ledger.store.blocks(from, to, MAX_RANGE).map(({ slot }) => slot)
  },
  getBlocksWithLimit(params, { ledger }) {
    const limit = params.integer(1)
    if (limit > MAX_RANGE) refuse(`Limit too large; max ${MAX_RANGE}`)
    return ledger.store.blocks(params.integer(0), ledger.head().slot, limit).map(({ slot }) => slot)
  },
  getBlock(params, { ledger }) {
    const block = blockAt(ledger, params.integer(0))
    const options = params.options(1)
    return {
      blockHeight: block.height,
      blockTime: block.time,
      blockhash: block.hash,
      parentSlot: block.parentSlot,
      previousBlockhash: block.parentHash,
      ...(options.rewards === false ? {} : { rewards: [] }),
      ...contents(ledger.store.transactionsOf(block.slot), options),
    }
  },
}

function contents(landed: readonly Landed[], options: Options) {
  switch (options.transactionDetails) {
    case 'none':
      return {}
    case 'signatures':
      return { signatures: landed.map(({ signature }) => signature) }
    case 'accounts':
      return { transactions: landed.map(accountsOnly) }
    case undefined:
    case 'full':
      return { transactions: landed.map((transaction) => encodeTransaction(transaction, options)) }
    default:
      return refuse(`transactionDetails ${String(options.transactionDetails)} is not offered here`)
  }
}

function accountsOnly({ bytes, meta, signature }: Landed) {
  const { err, fee, postBalances, postTokenBalances, preBalances, preTokenBalances, status } = JSON.parse(meta)
  const { message } = readWire(bytes)
  return {
    meta: { err, fee, postBalances, postTokenBalances, preBalances, preTokenBalances, status },
    transaction: {
      accountKeys: accountKeys(message).map(({ address, signer, writable }) => ({
        pubkey: address,
        signer,
        source: 'transaction',
        writable,
      })),
      signatures: [signature],
    },
    version: message.version,
  }
}

function blockAt(ledger: Ledger, slot: number): Block {
  const block = ledger.store.block(slot)
  if (block !== null) return block
  if (slot > ledger.head().slot) throw new RpcError(BLOCK_NOT_AVAILABLE, `Block not available for slot ${slot}`)
  const first = oldestSlot(ledger)
  if (slot < first) {
    throw new RpcError(
      BLOCK_CLEANED_UP,
      `Block ${slot} cleaned up, does not exist on node. First available block: ${first}`,
    )
  }
  throw new RpcError(SLOT_SKIPPED, `Slot ${slot} was skipped, or missing due to ledger jump to recent snapshot`)
}

function oldestSlot(ledger: Ledger): number {
  return ledger.store.oldestBlock()?.slot ?? ledger.head().slot
}
