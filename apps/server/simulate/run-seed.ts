import type { SimulationDatabase } from './database.ts'
import { createEvmScenario } from './evm-scenario.ts'
import type { ChainKind, Emphasis, Scenario } from './scenario.ts'
import { watchReplacements } from './service/rewrite.ts'
import type { Sabotage } from './service/service.ts'
import type { SimulationRun } from './simulation-run.ts'
import { createSolanaScenario } from './solana/solana-scenario.ts'
import { Violation } from './violation.ts'

export interface SeedReport {
  readonly seed: number
  readonly steps: number
  /** `undefined`: no violation. */
  readonly violation: string | undefined
  /** One line per event. */
  readonly log: readonly string[]
  /** The operations and transactions in the database at the end, one line each. */
  readonly rows: readonly string[]
}

export interface SeedOptions {
  readonly seed: number
  readonly steps: number
  readonly sabotage?: Sabotage
  readonly emphasis?: Emphasis
}

/** One seed in four runs on Solana. */
const chainOf = (seed: number): ChainKind => (seed % 4 === 0 ? 'solana' : 'evm')

/** Runs one seed to its end and runs all checks after each step. */
export function runSeed(
  database: SimulationDatabase,
  { seed, steps, sabotage = {}, emphasis = {} }: SeedOptions,
): Promise<SeedReport> {
  const run = { seed, steps, sabotage, emphasis }
  return (emphasis.chain ?? chainOf(seed)) === 'solana'
    ? runScenario(createSolanaScenario(seed, database, sabotage, emphasis), run)
    : runScenario(createEvmScenario(seed, database, sabotage, emphasis), run)
}

async function runScenario<P extends SimulationRun>(
  scenario: Scenario<P>,
  { seed, steps, sabotage, emphasis }: Required<SeedOptions>,
): Promise<SeedReport> {
  const { run } = scenario
  const { workers = true, failover = 0.05 } = emphasis
  const unmatched = watchReplacements([sabotage.statement, sabotage.claim])
  let step = 0
  try {
    await scenario.setUp()
    const drawn = scenario.actions()
    const random = run.random.fork('steps')
    const failovers = run.random.fork('failovers')
    for (step = 1; step <= steps; step += 1) {
      const action = random.weighted(drawn)
      const ending = random.chance(0.04) ? random.between(1, 40) : undefined
      run.record(`step ${step}: ${action.name}${ending ? `, and the process ends after ${ending} points` : ''}`)
      if (ending !== undefined) run.service.endAfter(ending)
      if (workers && failovers.chance(failover)) {
        const points = failovers.between(1, 60)
        run.record(`  the database fails over after ${points} points`)
        run.service.failOver(points, failovers.between(0, 6))
      }
      run.pagesOverlap = false
      await action.act(run, random.fork(`${step}`))
      await sabotage.afterStep?.(run.database.reader)
      await run.check(scenario.check)
    }
    run.record('the chain is healed, and everything settles')
    run.service.healDatabase()
    await scenario.quiesce()
    const [text] = unmatched()
    const violation = text === undefined ? undefined : `the sabotage replaced nothing: no statement has ${text}`
    return { seed, steps, violation, log: run.log, rows: [] }
  } catch (error) {
    const violation = error instanceof Violation ? error.message : `the simulation failed: ${(error as Error).stack}`
    return { seed, steps: step, violation, log: run.log, rows: await rowsOf(run.database) }
  }
}

async function rowsOf(database: SimulationDatabase): Promise<string[]> {
  const { rows } = await database.reader.query<{ line: string }>(
    `select concat_ws(' ', 'operation', o.id, 'wallet', o.wallet_id, o.type, o.state, o.failure_reason, '| transaction', t.id,
      t.kind, 'nonce', t.nonce, t.state, t.failure_code, 'hash', left(t.tx_hash, 10), 'block', t.block_number,
      case when t.finalized_at is not null then 'final' end, case when t.can_still_land then 'watched' end) as line
    from operations o join transactions t on t.operation_id = o.id order by o.id, t.position`,
  )
  return rows.map(({ line }) => line)
}
