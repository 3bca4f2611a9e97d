import { accruePositions } from '../allocations/index.ts'
import type { Block, Chain } from '../chains/index.ts'
import { addMilliseconds } from '../kernel/index.ts'
import {
  checkPendingTransactions,
  expireBlockhashes,
  type Parts,
  retryQuarantinedWallets,
} from '../operations/index.ts'
import { processInboundDeposits, type RampParts } from '../ramp/index.ts'
import { readPrices, refreshRates } from '../venues/index.ts'
import type { BlockLike } from './follow-chain.ts'

/** Yield that nobody's transaction touches is posted at most this often, by the chain's clock. */
const ACCRUE_INTERVAL_MS = 3_600_000
/** Rates are read for each block, but where blocks come by the second: there this often, by the chain's clock. */
const RATES_INTERVAL_MS = { evm: 0, svm: 10_000 } as const
/** Pending transactions are asked after this often, by the service's clock. */
const CHECK_PENDING_INTERVAL_MS = 3_000

export interface ChainMaintenance {
  /** A final block was settled: tokens may have arrived at deposit addresses in it. */
  processDeposits(block: Block): Promise<void>
  /** The last block of a UTC day was settled: yield up to it, and the day's snapshot of every open position. */
  onDayEnd(last: BlockLike): Promise<void>
  /** Rates and prices of a new block, and hourly yield. Does nothing for a block that it was called for before. */
  updateValues(final: BlockLike): Promise<void>
  /** After a round: values, where no new block brought them, and pending transactions that no block has. */
  afterRound(final: BlockLike): Promise<void>
  /** A round was not finished, perhaps because no node answered: what is missing may have been there meanwhile. */
  onRoundFailed(): void
}

/** What goes with following a chain, each at its own pace. */
export function createChainMaintenance(parts: Parts, chain: Chain, ramp: RampParts | undefined): ChainMaintenance {
  let ratesOf: BlockLike | undefined
  const ratesEvery = RATES_INTERVAL_MS[chain.network.family]
  let accruedAt: Date | undefined
  let checkedAt: Date | undefined
  let answeredSince: Date | undefined

  const accrue = async (block: BlockLike, snapshot: boolean, postedBefore: Date): Promise<void> => {
    const prices = await readAtBlockOrLatest(chain, block, ({ number }) => readPrices(parts.db, chain, number))
    await accruePositions(
      parts,
      { blockNumber: block.number, blockHash: block.hash, chainTime: block.time, prices },
      { snapshot, postedBefore },
    )
  }

  const updateValues = async (final: BlockLike): Promise<void> => {
    const passed = ratesOf ? final.time.getTime() - ratesOf.time.getTime() : -1
    // A chain that started anew may be earlier than its predecessor was.
    if (ratesOf?.hash !== final.hash && (passed < 0 || passed >= ratesEvery)) {
      await readAtBlockOrLatest(chain, final, (block) => refreshRates(parts, chain, block))
      ratesOf = final
    }
    if (accruedAt === undefined || addMilliseconds(accruedAt, ACCRUE_INTERVAL_MS) <= final.time) {
      await accrue(final, false, addMilliseconds(final.time, -ACCRUE_INTERVAL_MS))
      accruedAt = final.time
    }
  }

  return {
    async processDeposits(block) {
      if (ramp) await processInboundDeposits(ramp, chain, block)
    },
    onDayEnd: (last) => accrue(last, true, last.time),
    updateValues,
    async afterRound(final) {
      await updateValues(final)
      const now = parts.clock.now()
      answeredSince ??= now
      if (checkedAt === undefined || addMilliseconds(checkedAt, CHECK_PENDING_INTERVAL_MS) <= now) {
        await retryQuarantinedWallets(parts, chain)
        await checkPendingTransactions(parts, chain, answeredSince)
        await expireBlockhashes(parts, chain, final)
        checkedAt = now
      }
    },
    onRoundFailed() {
      answeredSince = undefined
    },
  }
}

/** A reading at a block; where no node keeps its state any more, the latest block's stands in for it. */
async function readAtBlockOrLatest<T>(
  chain: Chain,
  block: BlockLike,
  read: (block: BlockLike) => Promise<T>,
): Promise<T> {
  try {
    return await read(block)
  } catch (error) {
    const { latest } = await chain.heads()
    if (latest.number <= block.number) throw error
    return read(latest)
  }
}
