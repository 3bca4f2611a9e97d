import { mkdtempSync, rmSync } from 'node:fs'
import { chmod } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase } from '../src/database/index.ts'
import { silentLog, systemClock } from '../src/kernel/index.ts'
import { connectChains } from '../src/sandbox/index.ts'
import { type Bars, barsOf } from './bars.ts'
import { findDifferences, waitUntilSettled } from './books.ts'
import { type DatabaseCluster, startDatabaseCluster } from './database-cluster.ts'
import type { Fault } from './faults.ts'
import { createJournal } from './journal.ts'
import { type Load, startLoad } from './load.ts'
import { observe } from './observe.ts'
import type { ClusterPrograms } from './programs.ts'
import { type Findings, verify } from './verify.ts'
import { startWebhookReceiver } from './webhook-receiver.ts'
import { startWeirCluster, type WeirCluster } from './weir-cluster.ts'

/** What one fault did. */
export interface FaultOutcome extends Findings {
  readonly fault: string
  /** The longest time in milliseconds without an acknowledged write, and without a settled operation on some chain. */
  readonly writesMs: number
  readonly settlementMs: number
  readonly bars: Bars
  /** What is not equal between the ledger and the chains. */
  readonly differences: readonly string[]
}

export interface ClusterOptions {
  readonly programs: ClusterPrograms
  readonly faults: readonly Fault[]
  readonly say: (line: string) => void
  readonly apis: number
  readonly workers: number
  readonly chains: readonly ('ethereum' | 'polygon' | 'base')[]
  readonly settlersPerChain: number
  /** How long a fault is watched at least, in milliseconds. */
  readonly watchMs: number
  /** Leaves the folder with the logs. */
  readonly keep: boolean
}

export interface ClusterRun {
  readonly outcomes: readonly FaultOutcome[]
  /** Processes of Weir that ended, failed operations and unexpected responses. */
  readonly problems: readonly string[]
  readonly acknowledged: number
}

/** Starts a deployment, puts it under load, and tries each fault in turn. Stops all that it started. */
export async function runCluster(options: ClusterOptions): Promise<ClusterRun> {
  const { say, programs } = options
  const root = mkdtempSync(join(tmpdir(), 'weir-cluster-'))
  // The user of the database must be able to traverse it.
  await chmod(root, 0o711)
  const stops: (() => Promise<unknown> | unknown)[] = [
    () => options.keep || rmSync(root, { recursive: true, force: true }),
  ]
  const halt = async () => {
    for (const stop of stops.splice(0).reverse()) await stop()
  }
  const interrupt = () => void halt().then(() => process.exit(130))
  process.once('SIGINT', interrupt)
  process.once('SIGTERM', interrupt)
  try {
    say('starting etcd, two PostgreSQL servers under Patroni, and HAProxy')
    const database = await startDatabaseCluster(root, programs)
    stops.push(database.stop)
    say(`starting the chains, ${options.apis} API and ${options.workers} worker processes`)
    const problems: string[] = []
    const onUnexpectedEnd = (what: string) => void problems.push(what)
    const weir = await startWeirCluster({ root, databaseUrl: database.url, onUnexpectedEnd, ...options })
    stops.push(weir.stop)
    const run = await tryFaults(options, { database, weir, stops })
    return { ...run, problems: [...problems, ...run.problems] }
  } finally {
    process.off('SIGINT', interrupt)
    process.off('SIGTERM', interrupt)
    await halt()
    if (options.keep) say(`logs: ${join(root, 'logs')}`)
  }
}

interface Running {
  readonly database: DatabaseCluster
  readonly weir: WeirCluster
  readonly stops: (() => Promise<unknown> | unknown)[]
}

async function tryFaults(options: ClusterOptions, { database, weir, stops }: Running): Promise<ClusterRun> {
  const { say, chains: names } = options
  const receiver = await startWebhookReceiver(weir)
  stops.push(receiver.stop)
  const { db, close } = openDatabase({ url: database.url, log: silentLog, max: 2 })
  stops.push(close)
  const embedded = await connectChains({
    file: weir.chainsFile,
    blockchains: names,
    clock: systemClock,
    log: silentLog,
    isRegistered: async () => false,
  })
  const chains = [...embedded.chains.values()]
  const journal = createJournal(names)
  const load: Load = await startLoad({
    urls: weir.apis.map(({ url }) => url),
    apiKey: weir.credentials.profileApiKey,
    chains: names,
    settlersPerChain: options.settlersPerChain,
    journal,
  })
  stops.push(load.end)
  const outcomes: FaultOutcome[] = []
  for (const fault of options.faults) {
    const reason = fault.missing?.({ database, weir })
    if (reason !== undefined) {
      say(`LEFT OUT: ${fault.name}: ${reason}`)
      continue
    }
    const gaps = await observe(fault, { database, weir, journal, watchMs: options.watchMs })
    await load.drain()
    await waitUntilSettled(db, chains, 60_000)
    const findings = await verify(db, journal, receiver)
    const differences = await findDifferences(db, chains)
    const outcome = { fault: fault.name, ...gaps, bars: barsOf(fault), ...findings, differences }
    outcomes.push(outcome)
    say(
      `${fault.name}: writes ${seconds(gaps.writesMs)}, settlement ${seconds(gaps.settlementMs)}; ` +
        `${findings.lost.length} lost, ${findings.twice.length} twice, ${differences.length} differences`,
    )
    for (const line of [...findings.lost, ...findings.twice, ...differences]) say(`  ${line}`)
    load.resume()
  }
  const { wallets, operations, submitted, gifts, problems } = journal
  say(`${load.repetitions()} requests were repeated, ${receiver.deliveries()} webhooks delivered`)
  return { outcomes, problems, acknowledged: wallets.size + operations.size + submitted.size + gifts.size }
}

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1_000).toFixed(1)} s`
}
