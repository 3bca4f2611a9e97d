import { SOLANA_BLOCKS_CACHED_MAX } from '../../../kernel/index.ts'
import type { SvmBlock } from '../../port/families.ts'
import type { SvmIncludedTransaction } from '../../port/included-transaction.ts'
import { decodeResult } from '../../rpc/decode-result.ts'
import { safeIntegerFrom } from '../../rpc/integer-from.ts'
import { type Rpc, requestRejected } from '../../rpc/rpc.ts'
import { type BlockAge, type SolanaWireBlock, toBlockAge, toBlockRef, toIncluded } from '../wire.ts'

/** The highest transaction version that a node may return; unreadable transactions are skipped. */
export const MAX_SUPPORTED_TRANSACTION_VERSION = 255

/** The node does not have the block yet, or has not written it yet, although it reports its slot. */
const NOT_YET = new Set([-32_004, -32_014])
const SKIPPED = new Set([-32_007, -32_009])

export interface BlockCache {
  /** Everything up to this slot is final: no fork can replace it. */
  recordFinalized(slot: number): void
  /** The first block at this slot or a later one; `undefined` when the node has none (yet). */
  block(slot: number): Promise<SvmBlock | undefined>
  /**
   * A block without its transactions; `undefined` when the slot has none, or the node does not have it, its time or its
   * height (yet).
   */
  header(slot: number): Promise<BlockHeader | undefined>
  /** What the node knows of the time and height of a block, which may be so old that it knows neither. */
  age(slot: number): Promise<BlockAge | undefined>
  /** Like a header, with the signatures of the block in order. */
  signatures(slot: number): Promise<(BlockHeader & { readonly order: readonly string[] }) | undefined>
  /**
   * Whether a final block after the slot has its parent before it. That a node calls the slot skipped proves nothing: it
   * says the same of slots that it lacks.
   */
  isSkipped(slot: number): Promise<boolean>
}

/** The header of a slot; `height` is always set. */
export type BlockHeader = ReturnType<typeof toBlockRef>

/**
 * Blocks by slot. Reads `confirmed` blocks; the follower itself knows which are final. Caches only full, final blocks,
 * and only while they may be read again: any other block may still be lost with its fork.
 */
export function createBlockCache(rpc: Rpc): BlockCache {
  const cached = new Map<number, SvmBlock>()
  let final = -1

  async function fetchBlock(slot: number, details: 'full' | 'none' | 'signatures') {
    const response = await rpc.tryRequest('getBlock', [slot, optionsFor(details)])
    if (response.ok) return response.result === null ? 'skipped' : (response.result as SolanaWireBlock)
    if (SKIPPED.has(response.error.code)) return 'skipped'
    if (NOT_YET.has(response.error.code)) return undefined
    throw requestRejected('getBlock', response.error.message)
  }

  async function at(slot: number): Promise<SvmBlock | 'skipped' | undefined> {
    const wire = await fetchBlock(slot, 'full')
    return wire === undefined || wire === 'skipped' ? wire : cache(slot, wire)
  }

  function cache(slot: number, wire: SolanaWireBlock): SvmBlock {
    const transactions = (wire.transactions ?? []).flatMap((transaction) => toIncluded(slot, transaction) ?? [])
    const block = { ...toBlockRef(slot, wire), transactions }
    if (slot <= final) cached.set(slot, block)
    if (cached.size > SOLANA_BLOCKS_CACHED_MAX) cached.delete(cached.keys().next().value!)
    return block
  }

  return {
    recordFinalized(slot) {
      // A false head was forgotten: blocks up to it may not be final.
      for (const number of slot < final ? [...cached.keys()] : []) if (number > slot) cached.delete(number)
      final = slot
    },
    async block(slot) {
      const hit = cached.get(slot)
      if (hit) return hit
      const block = await at(slot)
      if (block !== 'skipped') return block
      const listed = await rpc.request<number[]>('getBlocksWithLimit', [slot, 1, { commitment: 'confirmed' }])
      const [next] = decodeResult('getBlocksWithLimit', () => [...listed])
      if (next === undefined) return undefined
      const found = cached.get(next) ?? (await at(next))
      return found === 'skipped' ? undefined : found
    },
    async header(slot) {
      const hit = cached.get(slot)
      if (hit) return { ...hit, height: hit.height ?? 0 }
      const wire = await fetchBlock(slot, 'none')
      if (wire === undefined || wire === 'skipped') return undefined
      const { time, height } = toBlockAge(wire)
      return time === undefined || height === undefined ? undefined : toBlockRef(slot, wire)
    },
    async age(slot) {
      const wire = await fetchBlock(slot, 'none')
      return wire === undefined || wire === 'skipped' ? undefined : toBlockAge(wire)
    },
    async isSkipped(slot) {
      const options = { commitment: 'finalized' }
      const listed = await rpc.request<number[]>('getBlocksWithLimit', [slot, 1, options])
      const [next] = decodeResult('getBlocksWithLimit', () => [...listed])
      if (next === undefined || next <= slot) return false
      const block = await rpc.request<SolanaWireBlock | null>('getBlock', [next, { ...optionsFor('none'), ...options }])
      return block !== null && safeIntegerFrom('parentSlot', block.parentSlot) < slot
    },
    async signatures(slot) {
      const wire = await fetchBlock(slot, 'signatures')
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
