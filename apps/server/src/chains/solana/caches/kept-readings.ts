import { SOLANA_UNSETTLED_READINGS_MAX } from '../../../kernel/index.ts'
import type { TokenReading } from './balance-history.ts'

/** A final slot, and what token accounts held at it or soon after it. */
export interface ReadRound {
  readonly upTo: number
  readonly readings: readonly TokenReading[]
}

/**
 * What token accounts held at the slots that rounds did not settle, because a list was late. Lists of every account reach
 * each of these slots some time later, although there are always accounts whose newest change is in no list: so the chain
 * is settled up to the newest of them that all lists explain.
 *
 * The oldest ones stay, because lists reach those first.
 */
export function createKeptReadings() {
  let kept: ReadRound[] = []

  return {
    /**
     * The rounds after a slot up to the newest one, newest first. The newest one is kept for later calls; it has read
     * all of the accounts, which need not be those of earlier rounds.
     */
    *rounds(accounts: readonly string[], after: number, newest: ReadRound): Generator<ReadRound> {
      // A head that went back was false: nothing that was read there counts.
      kept = kept.filter(({ upTo }) => upTo > after && upTo <= newest.upTo)
      const isKept = kept.some(({ upTo }) => upTo === newest.upTo)
      if (kept.length < SOLANA_UNSETTLED_READINGS_MAX && !isKept) kept.push(newest)
      yield newest
      // Of each account, the first reading at the slot or later.
      const first = new Map(newest.readings.map((reading) => [reading.account, reading]))
      for (const { upTo, readings } of kept.toReversed()) {
        for (const reading of readings) first.set(reading.account, reading)
        if (upTo < newest.upTo) yield { upTo, readings: accounts.map((account) => first.get(account)!) }
      }
    },
  }
}
