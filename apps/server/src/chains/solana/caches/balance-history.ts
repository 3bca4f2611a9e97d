import { BALANCE_SLOTS_BACK_MAX } from '../../../kernel/index.ts'
import type { SvmBlock } from '../../port/families.ts'
import { PastStateMissingError } from '../../port/past-state-missing.ts'
import { requestRejected } from '../../rpc/rpc.ts'
import { type BlockCache, balanceAfter, balanceBefore } from './block-cache.ts'

/** Of a token account, at the final slot at which a node read it. */
export interface TokenReading {
  readonly account: string
  readonly slot: number
  readonly amount: bigint
}

/** What transactions did to token accounts; past balances are computed from it, since no node reads a past slot. */
export interface BalanceHistory {
  /**
   * The balances after the block of that slot; `undefined` where neither it nor what is known of later ones says them.
   */
  balancesAfter(slot: number, accounts: readonly string[]): Promise<(bigint | undefined)[]>
  /**
   * The balance of an account before its first change after a slot, up to the reading; `undefined` if there was none.
   * Throws CHAIN_UNAVAILABLE when it cannot be determined.
   */
  balanceBefore(reading: TokenReading, after: number): Promise<bigint | undefined>
}

/** Computed from whole blocks: for our own chains, whose blocks are small and were read recently. */
export function createBlockBalanceHistory(blocks: BlockCache): BalanceHistory {
  async function between(after: number, upTo: number): Promise<SvmBlock[]> {
    if (upTo - after > BALANCE_SLOTS_BACK_MAX)
      throw new PastStateMissingError('getBlock', `slot ${after} is too long ago`)
    const found: SvmBlock[] = []
    for (let slot = after + 1; slot <= upTo; ) {
      const block = await blocks.block(slot)
      if (!block) throw requestRejected('getBlock', `the block of slot ${slot} is not available yet`)
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
    async balanceBefore({ account, slot }, after) {
      for (const block of await between(after, slot)) {
        const before = balanceBefore(block, account)
        if (before !== undefined) return before
      }
      return undefined
    },
  }
}
