import { accruePositions, followExits, refreshWithdrawable } from '../allocations/index.ts'
import type { Block, BlockRef, Chain } from '../chains/index.ts'
import { runItems } from '../database/index.ts'
import {
  ACCRUE_CHECK_INTERVAL_MS,
  ACCRUE_OVERDUE_MS,
  addMilliseconds,
  CHECK_PENDING_INTERVAL_MS,
  Failure,
  RATES_INTERVAL_MS,
  RISK_FACTS_INTERVAL_MS,
  WITHDRAWABLE_INTERVAL_MS,
} from '../kernel/index.ts'
import {
  checkPendingTransactions,
  expireBlockhashes,
  newExpiryProgress,
  type Parts,
  retryQuarantinedWallets,
} from '../operations/index.ts'
import { processInboundDeposits, type RampParts, retryDeferredDeposits } from '../ramp/index.ts'
import { readPrices, refreshRates, refreshRiskFacts } from '../venues/index.ts'

export type BlockPosition = Pick<BlockRef, 'number' | 'hash' | 'time'>

export interface ChainMaintenance {
  /** A final block was settled: tokens may have arrived at deposit addresses in it. */
  processDeposits(block: Block): Promise<void>
  /**
   * The last block of a UTC day was settled: accrues yield up to it and writes the day's snapshot of every open
   * position.
   */
  onDayEnd(last: BlockPosition): Promise<void>
  /**
   * Refreshes rates and prices for a new block, and accrues the yield of positions that the end of a day left out. Does
   * nothing when called again for a block.
   */
  updateValues(final: BlockPosition): Promise<void>
  /**
   * After a round: refreshes values if no new block did, and now and then what positions could withdraw, the prices of
   * tokens and the code of contracts; checks pending transactions that are in no block.
   */
  afterRound(final: BlockPosition): Promise<void>
  /** A round failed, perhaps because no node responded: a missing transaction may have been there meanwhile. */
  onRoundFailed(): void
}

/** The jobs that accompany following a chain, each at its own pace. */
export function createChainMaintenance(parts: Parts, chain: Chain, ramp: RampParts | undefined): ChainMaintenance {
  let ratesBlock: BlockPosition | undefined
  const ratesEvery = chain.hasFrequentBlocks ? RATES_INTERVAL_MS : 0
  let overdueCheckedAt: Date | undefined
  let checkedAt: Date | undefined
  let availableSince: Date | undefined
  let riskFactsAt: Date | undefined
  let exitsBlock: string | undefined
  let withdrawable: { readonly at: Date; readonly after: number } | undefined
  const expiry = newExpiryProgress()

  const accrue = async (block: BlockPosition, snapshot: boolean, postedBefore: Date): Promise<void> => {
    const prices = await readAtBlockOrLatest(chain, block, ({ number }) => readPrices(parts.db, chain, number))
    await accruePositions(
      parts,
      { blockNumber: block.number, blockHash: block.hash, chainTime: block.time, prices },
      { snapshot, postedBefore },
    )
  }

  /** Runs jobs. One that fails delays neither the others nor the chain. Throws CHAIN_UNAVAILABLE at the end. */
  const runJobs = async (jobs: Readonly<Record<string, () => Promise<void>>>): Promise<void> => {
    let unavailable: Failure | undefined
    await runItems(parts, Object.entries(jobs), {
      job: `maintain ${chain.network.blockchain}`,
      keyOf: ([name]) => name,
      work: async ([, run]) => {
        try {
          await run()
        } catch (error) {
          if (!(error instanceof Failure) || error.code !== 'CHAIN_UNAVAILABLE') throw error
          unavailable ??= error
        }
      },
    })
    if (unavailable) throw unavailable
  }

  const refreshValues = async (final: BlockPosition): Promise<void> => {
    const passed = ratesBlock ? final.time.getTime() - ratesBlock.time.getTime() : -1
    // A chain that was reset may be earlier than its predecessor.
    if (ratesBlock?.hash !== final.hash && (passed < 0 || passed >= ratesEvery)) {
      await readAtBlockOrLatest(chain, final, (block) => refreshRates(parts, chain, block))
      ratesBlock = final
    }
    // The end of the day posts every position; this finds those that it left out, because something was unavailable.
    if (overdueCheckedAt === undefined || addMilliseconds(overdueCheckedAt, ACCRUE_CHECK_INTERVAL_MS) <= final.time) {
      await accrue(final, false, addMilliseconds(final.time, -ACCRUE_OVERDUE_MS))
      overdueCheckedAt = final.time
    }
  }
  const updateValues = (final: BlockPosition) => runJobs({ values: () => refreshValues(final) })

  const updateRiskFacts = async (): Promise<void> => {
    const now = parts.clock.now()
    if (riskFactsAt && addMilliseconds(riskFactsAt, RISK_FACTS_INTERVAL_MS) > now) return
    await refreshRiskFacts(parts, chain)
    riskFactsAt = now
  }

  const updateExits = async (final: BlockPosition): Promise<void> => {
    if (exitsBlock === final.hash) return
    await followExits(parts, chain, final)
    exitsBlock = final.hash
  }

  const updateWithdrawable = async (): Promise<void> => {
    const now = parts.clock.now()
    if (withdrawable && addMilliseconds(withdrawable.at, WITHDRAWABLE_INTERVAL_MS) > now) return
    withdrawable = { at: now, after: await refreshWithdrawable(parts, chain, withdrawable?.after ?? 0) }
  }

  return {
    async processDeposits(block) {
      if (ramp) await processInboundDeposits(ramp, chain, block)
    },
    onDayEnd: (last) => runJobs({ 'end of day': () => accrue(last, true, last.time) }),
    updateValues,
    async afterRound(final) {
      const now = parts.clock.now()
      availableSince ??= now
      const since = availableSince
      const isCheckDue = checkedAt === undefined || addMilliseconds(checkedAt, CHECK_PENDING_INTERVAL_MS) <= now
      const checks = {
        'quarantined wallets': () => retryQuarantinedWallets(parts, chain),
        deposits: async () => {
          if (ramp) await retryDeferredDeposits(ramp, chain)
        },
        'pending transactions': () => checkPendingTransactions(parts, chain, since),
        'expired blockhashes': () => expireBlockhashes(parts, chain, final, expiry),
      }
      await runJobs({
        values: () => refreshValues(final),
        exits: () => updateExits(final),
        withdrawable: updateWithdrawable,
        'risk facts': updateRiskFacts,
        ...(isCheckDue ? checks : {}),
      })
      if (isCheckDue) checkedAt = now
    },
    onRoundFailed() {
      availableSince = undefined
    },
  }
}

/** Reads at a block; if no node has its state any longer, reads at the latest block instead. */
async function readAtBlockOrLatest<T>(
  chain: Chain,
  block: BlockPosition,
  read: (block: BlockPosition) => Promise<T>,
): Promise<T> {
  try {
    return await read(block)
  } catch (error) {
    const { latest } = await chain.heads()
    if (latest.number <= block.number) throw error
    return read(latest)
  }
}
