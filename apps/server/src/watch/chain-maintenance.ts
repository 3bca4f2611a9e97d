import {
  type AccrualPlace,
  accruePositions,
  followExits,
  type PriceReading,
  postEndedDays,
  refreshWithdrawable,
  saveEndedDay,
} from '../allocations/index.ts'
import { type Block, type BlockRef, type Chain, PastStateMissingError } from '../chains/index.ts'
import { isDatabaseUnavailable, LeaseLostError, runItems } from '../database/index.ts'
import {
  ACCRUE_CHECK_INTERVAL_MS,
  ACCRUE_OVERDUE_MS,
  ACCRUE_STEP,
  addMilliseconds,
  CHECK_PENDING_INTERVAL_MS,
  DAY_END_RETRIES_MS,
  Failure,
  havePassed,
  RATES_INTERVAL_MS,
  RISK_FACTS_INTERVAL_MS,
  WITHDRAWABLE_INTERVAL_MS,
} from '../kernel/index.ts'
import {
  checkPendingTransactions,
  expireBlockhashes,
  newExpiryProgress,
  newSendingProgress,
  type Parts,
  retryQuarantinedWallets,
} from '../operations/index.ts'
import { handleWaitingDeposits, type RampParts, recordInboundDeposits, retryDeferredDeposits } from '../ramp/index.ts'
import { readPrices, refreshRates, refreshRiskFacts } from '../venues/index.ts'

export type BlockPosition = Pick<BlockRef, 'number' | 'hash' | 'time'>

export interface ChainMaintenance {
  /** A final block was settled: records the tokens that arrived at deposit addresses in it. */
  processDeposits(block: Block): Promise<void>
  /**
   * The last block of a UTC day was settled: saves the prices at it, up to which the yield of every open position is
   * posted, with the day's snapshot. Whatever prevents it fails the round, which is repeated; something that persists
   * for `DAY_END_RETRIES_MS` must not hold up the chain, so its yield then counts for the next day. A database that is
   * away does hold it up.
   */
  onDayEnd(last: BlockPosition): Promise<void>
  /**
   * Refreshes rates and prices for a new block, and accrues the yield of positions that the end of a day left out. Does
   * nothing when called again for a block.
   */
  updateValues(final: BlockPosition, signal: AbortSignal): Promise<void>
  /**
   * After a round: posts the yield of some more positions up to the ends of their days, of all where there are few;
   * refreshes values if no new block did, and now and then what positions could withdraw, the prices of tokens and the
   * code of contracts; passes some waiting deposits on; checks pending transactions that are in no block.
   */
  afterRound(final: BlockPosition, signal: AbortSignal): Promise<void>
  /**
   * Following failed, perhaps because no node responded: a missing transaction may have been there meanwhile. The jobs
   * after a round know by themselves what their failures mean.
   */
  onRoundFailed(): void
}

/** The jobs that accompany following a chain, each at its own pace. */
export function createChainMaintenance(parts: Parts, chain: Chain, ramp: RampParts | undefined): ChainMaintenance {
  const { blockchain } = chain.network
  let ratesBlock: BlockPosition | undefined
  const ratesEvery = chain.hasFrequentBlocks ? RATES_INTERVAL_MS : 0
  let hasEndedDays = true
  let unsavedDay: { readonly hash: string; readonly since: Date } | undefined
  let overdueCheckedAt: Date | undefined
  let overdueAfter: AccrualPlace | undefined
  let checkedAt: Date | undefined
  let availableSince: Date | undefined
  let riskFactsAt: Date | undefined
  let exitsBlock: string | undefined
  let mayDepositsWait = true
  let withdrawable: { readonly at: Date; readonly after: number } | undefined
  const expiry = newExpiryProgress()
  const sending = newSendingProgress()

  const readAt = async (block: BlockPosition, { needsAll }: { needsAll: boolean }): Promise<PriceReading> => {
    const prices = await readAtBlockOrLatest(chain, block, async ({ number, time }) => {
      const read = await readPrices(parts.db, chain, number, { needsAll })
      return number === block.number ? read : read.map((one) => ({ ...one, readAt: time }))
    })
    return { blockNumber: block.number, blockHash: block.hash, chainTime: block.time, prices }
  }

  const saveDay = async (last: BlockPosition, needsAll: boolean): Promise<void> => {
    await saveEndedDay(parts.db, blockchain, await readAt(last, { needsAll }))
    hasEndedDays = true
  }

  const endDay = async (last: BlockPosition): Promise<void> => {
    const now = parts.clock.now()
    const isKnown = unsavedDay?.hash === last.hash && unsavedDay.since <= now
    const since = isKnown ? unsavedDay!.since : now
    const isOverdue = addMilliseconds(since, DAY_END_RETRIES_MS) <= now
    try {
      // A strategy that stays unreadable must not hold up the chain either: the others end their day without it.
      await saveDay(last, !isOverdue)
    } catch (error) {
      // Nothing else of the chain can be written here either: no day ends without its positions for that.
      if (isDatabaseUnavailable(error) || error instanceof LeaseLostError) throw error
      unsavedDay = { hash: last.hash, since }
      const isUnavailable = error instanceof Failure && error.code === 'CHAIN_UNAVAILABLE'
      if (isUnavailable || !isOverdue) throw error
      parts.log.error({ err: error, blockchain, block: last.number }, 'failed to record the end of a day')
    }
  }

  const postDays = async (signal: AbortSignal): Promise<void> => {
    if (hasEndedDays) hasEndedDays = await postEndedDays(parts, blockchain, { limit: ACCRUE_STEP, signal })
  }

  /** The end of the day posts every position; this finds those that it left out, because something was unavailable. */
  const postOverdue = async (final: BlockPosition, signal: AbortSignal): Promise<void> => {
    // Yield up to the end of a day is posted before any later yield.
    if (hasEndedDays) return
    if (!havePassed(ACCRUE_CHECK_INTERVAL_MS, overdueCheckedAt, final.time)) return
    const { next } = await accruePositions(parts, await readAt(final, { needsAll: false }), {
      snapshot: false,
      postedBefore: addMilliseconds(final.time, -ACCRUE_OVERDUE_MS),
      after: overdueAfter,
      limit: ACCRUE_STEP,
      signal,
    })
    overdueAfter = next
    if (!next) overdueCheckedAt = final.time
  }

  /** Runs jobs. One that fails delays neither the others nor the chain. Throws CHAIN_UNAVAILABLE at the end. */
  const runJobs = async (jobs: Readonly<Record<string, () => Promise<void>>>): Promise<void> => {
    let unavailable: Failure | undefined
    await runItems(parts, Object.entries(jobs), {
      job: `maintain ${blockchain}`,
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

  const refreshValues = async (final: BlockPosition, signal: AbortSignal): Promise<void> => {
    const passed = ratesBlock ? final.time.getTime() - ratesBlock.time.getTime() : -1
    // A chain that was reset may be earlier than its predecessor.
    if (ratesBlock?.hash !== final.hash && (passed < 0 || passed >= ratesEvery)) {
      await readAtBlockOrLatest(chain, final, (block) => refreshRates(parts, chain, block))
      ratesBlock = final
    }
    await postOverdue(final, signal)
  }

  const updateRiskFacts = async (): Promise<void> => {
    const now = parts.clock.now()
    if (!havePassed(RISK_FACTS_INTERVAL_MS, riskFactsAt, now)) return
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
    if (!havePassed(WITHDRAWABLE_INTERVAL_MS, withdrawable?.at, now)) return
    withdrawable = { at: now, after: await refreshWithdrawable(parts, chain, withdrawable?.after ?? 0) }
  }

  return {
    async processDeposits(block) {
      if (ramp && (await recordInboundDeposits(ramp, chain, block))) mayDepositsWait = true
    },
    onDayEnd: endDay,
    updateValues: (final, signal) => runJobs({ values: () => refreshValues(final, signal) }),
    async afterRound(final, signal) {
      const now = parts.clock.now()
      if (availableSince === undefined || availableSince > now) availableSince = now
      const since = availableSince
      const isCheckDue = havePassed(CHECK_PENDING_INTERVAL_MS, checkedAt, now)
      const checks = {
        'quarantined wallets': () => retryQuarantinedWallets(parts, chain),
        'deferred deposits': async () => {
          if (ramp) await retryDeferredDeposits(ramp, chain, signal)
        },
        'pending transactions': async () => {
          try {
            await checkPendingTransactions(parts, chain, { availableSince: since, signal, sending })
          } catch (error) {
            // Only here are nodes asked what they know of transactions: other reads that fail delay no decision.
            availableSince = undefined
            throw error
          }
        },
        'expired blockhashes': () => expireBlockhashes(parts, chain, final, expiry),
      }
      await runJobs({
        'yield of ended days': () => postDays(signal),
        values: () => refreshValues(final, signal),
        exits: () => updateExits(final),
        withdrawable: updateWithdrawable,
        'risk facts': updateRiskFacts,
        ...(isCheckDue ? checks : {}),
        deposits: async () => {
          if (ramp && (mayDepositsWait || isCheckDue))
            mayDepositsWait = await handleWaitingDeposits(ramp, chain, signal)
        },
      })
      if (isCheckDue) checkedAt = now
    },
    onRoundFailed() {
      availableSince = undefined
    },
  }
}

/**
 * Reads at a block; only if no node has its state any longer, reads at the latest block instead. What a node could not
 * serve just now is read in the next round (rule 12): the latest state is that of another block.
 */
async function readAtBlockOrLatest<T>(
  chain: Chain,
  block: BlockPosition,
  read: (block: BlockPosition) => Promise<T>,
): Promise<T> {
  try {
    return await read(block)
  } catch (error) {
    if (!(error instanceof PastStateMissingError)) throw error
    const { latest } = await chain.heads()
    if (latest.number <= block.number) throw error
    return read(latest)
  }
}
