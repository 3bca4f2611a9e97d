import type { Block, Chain, Heads } from '../chains/index.ts'
import { type Parts, type ReconciliationTurns, reconcileNewWallets } from '../operations/index.ts'
import type { RampParts } from '../ramp/index.ts'
import { type ChainMaintenance, createChainMaintenance } from './chain-maintenance.ts'
import type { Cursor } from './cursor.ts'
import { type FollowRun, followBlocks } from './follow-blocks.ts'
import { followWallets } from './follow-wallets.ts'
import { requirePlausibleHead } from './require-plausible-head.ts'
import { resumeChain } from './resume-chain.ts'

export interface FollowerOptions {
  readonly isDevelopment: boolean
  /** Shows the operator a message that would be lost in the log. */
  readonly print: (line: string) => void
  /** Called when a development chain lost its history, after its operations and balances were reset. */
  readonly onReset?: (blockchain: string) => Promise<void>
  /** The ramp, which waits for tokens at deposit addresses. */
  readonly ramp?: RampParts
}

/**
 * One follower per chain across all processes: it settles block after block, each exactly once (rule 7), whether it
 * reads every block or queries the activity of known wallets.
 */
export interface Follower {
  /** Follows to the current head. Throws CHAIN_UNAVAILABLE and changes nothing. */
  round(signal: AbortSignal): Promise<void>
  progress(): FollowProgress
}

export interface FollowProgress {
  /** When the last block was settled. */
  readonly at?: Date
  /** Final blocks that are not settled; absent before the first round. */
  readonly blocksBehind?: number
  /** The time of the latest block that a node reported, in ISO 8601; absent before the first round. */
  readonly latestBlockAt?: string
}

export function createFollower(parts: Parts, chain: Chain, options: FollowerOptions): Follower {
  const upkeep = createChainMaintenance(parts, chain, options.ramp)
  let heads: Heads | undefined
  let settled: { readonly number: number; readonly at: Date } | undefined
  const maintenance: ChainMaintenance = {
    ...upkeep,
    async processDeposits(block) {
      await upkeep.processDeposits(block)
      settled = { number: block.number, at: parts.clock.now() }
    },
  }
  const follow = chain.walletActivity
    ? (run: FollowRun) => followWallets(parts, chain, run)
    : (run: FollowRun) => followBlocks(parts, chain, run)
  let cursor: Cursor | undefined
  let turns: ReconciliationTurns | undefined

  return {
    async round(signal) {
      try {
        cursor ??= await resumeChain(parts, chain, options)
        const reported = await chain.heads()
        if (!options.isDevelopment) requirePlausibleHead(cursor, reported, parts.clock.now())
        heads = reported
        cursor = await follow({ from: cursor, heads, signal, maintenance })
        if (!signal.aborted) turns = await reconcileNewWalletsAt(parts, chain, cursor, turns)
      } catch (error) {
        // Whatever the error, the database is the truth: the next round starts from it.
        cursor = undefined
        maintenance.onRoundFailed()
        throw error
      }
      if (signal.aborted) return
      try {
        await maintenance.afterRound(cursor.final, signal)
      } catch (error) {
        cursor = undefined
        throw error
      }
    },
    progress() {
      const number = Math.max(cursor?.final.number ?? 0, settled?.number ?? 0)
      return {
        ...(settled && { at: settled.at }),
        ...(heads && number > 0 && { blocksBehind: Math.max(0, heads.final.number - number) }),
        ...(heads && { latestBlockAt: heads.latest.time.toISOString() }),
      }
    },
  }
}

async function reconcileNewWalletsAt(
  parts: Parts,
  chain: Chain,
  cursor: Cursor,
  turns: ReconciliationTurns | undefined,
): Promise<ReconciliationTurns> {
  const { number, hash, time } = cursor.final
  const block: Block = { number, hash, time, parentHash: '', transactions: [] }
  return reconcileNewWallets(parts, chain, block, turns)
}
