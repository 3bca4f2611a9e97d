import type { SvmBlock } from '../port/families.ts'
import { requestRejected } from '../rpc/rpc.ts'
import { type BlockCache, balanceAfter, balanceBefore } from './block-cache.ts'

/** What transactions did to token accounts, by which the past of a balance is told: no node reads a past slot. */
export interface BalanceHistory {
  /** What the block of that slot left in these accounts; `undefined` where it says nothing, or is not known. */
  balancesAfter(slot: number, accounts: readonly string[]): Promise<(bigint | undefined)[]>
  /**
   * What an account held before the first change after one slot, up to another; `undefined` when there was none. Throws
   * CHAIN_UNAVAILABLE where that cannot be told.
   */
  balanceBefore(account: string, after: number, upTo: number): Promise<bigint | undefined>
}

/** So far back it is told by blocks: further, those in between would be too many to ask for. */
const SLOTS_BACK_MAX = 150

/** Told by whole blocks: for a chain of our own, whose blocks are small and were read a moment ago. */
export function createBlockBalanceHistory(blocks: BlockCache): BalanceHistory {
  async function between(after: number, upTo: number): Promise<SvmBlock[]> {
    if (upTo - after > SLOTS_BACK_MAX) throw requestRejected('getBlock', `slot ${after} is too long ago`)
    const found: SvmBlock[] = []
    for (let slot = after + 1; slot <= upTo; ) {
      const block = await blocks.block(slot)
      if (!block) throw requestRejected('getBlock', `the block of slot ${slot} is not there yet`)
      if (block.number <= upTo) found.push(block)
      slot = block.number + 1
    }
    return found
  }

  return {
    async balancesAfter(slot, accounts) {
      const block = await blocks.block(slot)
      if (block?.number !== slot) throw requestRejected('getBlock', `there is no block in slot ${slot}`)
      return accounts.map((account) => balanceAfter(block, account))
    },
    async balanceBefore(account, after, upTo) {
      for (const block of await between(after, upTo)) {
        const before = balanceBefore(block, account)
        if (before !== undefined) return before
      }
      return undefined
    },
  }
}
