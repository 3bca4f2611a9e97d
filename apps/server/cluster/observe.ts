import { setTimeout as pause } from 'node:timers/promises'
import { until } from '../testing/until.ts'
import type { DatabaseCluster } from './database-cluster.ts'
import type { Fault } from './faults.ts'
import type { Journal } from './journal.ts'
import type { WeirCluster } from './weir-cluster.ts'

interface ObserveParts {
  readonly database: DatabaseCluster
  readonly weir: WeirCluster
  readonly journal: Journal
  readonly watchMs: number
}

interface Gaps {
  readonly writesMs: number
  readonly settlementMs: number
}

/** Within this time everything must have happened before a deployment counts as going on. */
const STEADY_MS = 8_000
const LIMIT_MS = 180_000

/**
 * Strikes while all goes well, watches until writes and settlement go on, lets the broken part come back, and watches
 * until the deployment is whole. Returns the longest gaps of the whole time.
 */
export async function observe(fault: Fault, { database, weir, journal, watchMs }: ObserveParts): Promise<Gaps> {
  const settlements = [...journal.settlements.values()]
  const goesOn = () => {
    const since = performance.now() - STEADY_MS
    return journal.writes.since(since) && settlements.every((moments) => moments.since(since))
  }
  const wholeAgain = async () => {
    await database.waitUntilHealthy()
    await weir.waitUntilReady()
    await until(goesOn, LIMIT_MS)
  }
  await wholeAgain()
  const from = performance.now()
  const heal = await fault.strike({ database, weir })
  await pause(fault.backAfterMs ?? watchMs)
  try {
    if (fault.backAfterMs === undefined) await until(goesOn, LIMIT_MS)
  } finally {
    await heal()
  }
  await pause(STEADY_MS)
  await wholeAgain()
  const to = performance.now()
  return {
    writesMs: journal.writes.longestGap(from, to),
    settlementMs: Math.max(...settlements.map((moments) => moments.longestGap(from, to))),
  }
}
