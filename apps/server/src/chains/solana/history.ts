import type { SvmBlock } from '../families.ts'
import { refused } from '../rpc/rpc.ts'
import { type Blocks, heldBefore, lastChange } from './blocks.ts'

/** What transactions did to token accounts, by which the past of a balance is told: no node reads a past slot. */
export interface History {
  /** What the block of that slot left in these accounts; `undefined` where it says nothing, or is not known. */
  leftBy(slot: number, accounts: readonly string[]): Promise<(bigint | undefined)[]>
  /**
   * What an account held before the first change after one slot, up to another; `undefined` when there was none. Throws
   * CHAIN_UNAVAILABLE where that cannot be told.
   */
  heldBefore(account: string, after: number, upTo: number): Promise<bigint | undefined>
}

/** So far back it is told by blocks: further, those in between would be too many to ask for. */
const SLOTS_BACK_MAX = 150

/** Told by whole blocks: for a chain of our own, whose blocks are small and were read a moment ago. */
export function historyOfBlocks(blocks: Blocks): History {
  async function between(after: number, upTo: number): Promise<SvmBlock[]> {
    if (upTo - after > SLOTS_BACK_MAX) throw refused('getBlock', `slot ${after} is too long ago`)
    const found: SvmBlock[] = []
    for (let slot = after + 1; slot <= upTo; ) {
      const block = await blocks.from(slot)
      if (!block) throw refused('getBlock', `the block of slot ${slot} is not there yet`)
      if (block.number <= upTo) found.push(block)
      slot = block.number + 1
    }
    return found
  }

  return {
    async leftBy(slot, accounts) {
      const block = await blocks.from(slot)
      if (block?.number !== slot) throw refused('getBlock', `there is no block in slot ${slot}`)
      return accounts.map((account) => lastChange(block, account))
    },
    async heldBefore(account, after, upTo) {
      for (const block of await between(after, upTo)) {
        const before = heldBefore(block, account)
        if (before !== undefined) return before
      }
      return undefined
    },
  }
}
