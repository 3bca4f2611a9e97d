import type { SvmIncludedTransaction } from '../port/chain.ts'
import type { SvmBlock } from '../port/families.ts'
import { type Rpc, requestRejected } from '../rpc/rpc.ts'
import { type SolanaWireBlock, toBlockRef, toIncluded } from './wire.ts'

/** Blocks that were read a moment ago are asked for again: to be settled, and to tell balances of their past. */
const CACHED_BLOCKS_MAX = 64
/** The highest transaction version that a node may show; what cannot be read is passed over. */
export const MAX_SUPPORTED_TRANSACTION_VERSION = 255

const BLOCK_NOT_AVAILABLE = -32_004
const SKIPPED = new Set([-32_007, -32_009])

export interface BlockCache {
  /** Everything up to this slot is final: no fork takes its place. */
  recordFinalized(slot: number): void
  /** The first block whose slot is this one or a later one; `undefined` when the node has none (yet). */
  block(slot: number): Promise<SvmBlock | undefined>
  /** A block without its transactions; `undefined` when the slot has none, or the node has it not (yet). */
  header(slot: number): Promise<BlockHeader | undefined>
  /** As a header, with the order of the signatures in it. */
  signatures(slot: number): Promise<(BlockHeader & { readonly order: readonly string[] }) | undefined>
}

/** Of a slot; `height` is there. */
export type BlockHeader = ReturnType<typeof toBlockRef>

/**
 * Blocks by slot. `confirmed` ones are read: the follower itself knows which are final. Only full ones that are final
 * are kept, and only while they may still be looked at again: a fork may be given up with any other.
 */
export function createBlockCache(rpc: Rpc): BlockCache {
  const kept = new Map<number, SvmBlock>()
  let final = -1

  async function ask(slot: number, details: 'full' | 'none' | 'signatures') {
    const answer = await rpc.tryRequest('getBlock', [slot, optionsFor(details)])
    if (answer.ok) return answer.result === null ? 'skipped' : (answer.result as SolanaWireBlock)
    if (SKIPPED.has(answer.error.code)) return 'skipped'
    if (answer.error.code === BLOCK_NOT_AVAILABLE) return undefined
    throw requestRejected('getBlock', answer.error.message)
  }

  async function at(slot: number): Promise<SvmBlock | 'skipped' | undefined> {
    const wire = await ask(slot, 'full')
    return wire === undefined || wire === 'skipped' ? wire : keep(slot, wire)
  }

  function keep(slot: number, wire: SolanaWireBlock): SvmBlock {
    const transactions = (wire.transactions ?? []).flatMap((transaction) => toIncluded(slot, transaction) ?? [])
    const block = { ...toBlockRef(slot, wire), transactions }
    if (slot <= final) kept.set(slot, block)
    if (kept.size > CACHED_BLOCKS_MAX) kept.delete(kept.keys().next().value!)
    return block
  }

  return {
    recordFinalized(slot) {
      final = Math.max(final, slot)
    },
    async block(slot) {
      const known = kept.get(slot)
      if (known) return known
      const block = await at(slot)
      if (block !== 'skipped') return block
      const [next] = await rpc.request<number[]>('getBlocksWithLimit', [slot, 1, { commitment: 'confirmed' }])
      if (next === undefined) return undefined
      const found = kept.get(next) ?? (await at(next))
      return found === 'skipped' ? undefined : found
    },
    async header(slot) {
      const known = kept.get(slot)
      if (known) return { ...known, height: known.height ?? 0 }
      const wire = await ask(slot, 'none')
      return wire === undefined || wire === 'skipped' ? undefined : toBlockRef(slot, wire)
    },
    async signatures(slot) {
      const wire = await ask(slot, 'signatures')
      if (wire === undefined || wire === 'skipped') return undefined
      return { ...toBlockRef(slot, wire), order: wire.signatures ?? [] }
    },
  }
}

function optionsFor(transactionDetails: 'full' | 'none' | 'signatures') {
  return {
    commitment: 'confirmed',
    encoding: 'base64',
    transactionDetails,
    maxSupportedTransactionVersion: MAX_SUPPORTED_TRANSACTION_VERSION,
    rewards: false,
  }
}

type BlockTransactions = Pick<SvmBlock, 'transactions'>

/** The last thing that a block says about a token account; `undefined` when it says nothing. */
export function balanceAfter(block: BlockTransactions, account: string): bigint | undefined {
  return changesOf(block, account).at(-1)?.after
}

/** What a token account held before a block; `undefined` when the block says nothing about it. */
export function balanceBefore(block: BlockTransactions, account: string): bigint | undefined {
  return changesOf(block, account)[0]?.before
}

function changesOf({ transactions }: BlockTransactions, account: string): SvmIncludedTransaction['tokens'][number][] {
  return transactions.flatMap(({ tokens }) => tokens.filter((change) => change.account === account))
}
