import type { Pool } from 'pg'
import { createTransactionPolls, type PollTransactions } from '../../src/agents/index.ts'
import type { Chain, EvmChain, SvmChain } from '../../src/chains/index.ts'
import {
  createDatabaseHealth,
  type Database,
  type DatabaseHealth,
  isDatabaseUnavailable,
} from '../../src/database/index.ts'
import { JobBackoff } from '../../src/database/leases/job-backoff.ts'
import { type Log, type ManualClock, silentLog } from '../../src/kernel/index.ts'
import { baseUnitsOf, limitReasonFor, type RebalanceParts } from '../../src/rebalancing/index.ts'
import { createFollower, type Follower } from '../../src/watch/index.ts'
import type { Random } from '../random.ts'
import type { World } from '../world/world.ts'
import { Crash, CrashSchedule } from './crash-points.ts'
import { Failover } from './failover.ts'
import { takeFollowerLease } from './follower-lease.ts'
import { openInstrumentedDatabase } from './instrumented-database.ts'
import type { Rewrite } from './rewrite.ts'
import { Schedule, type Turns } from './schedule.ts'
import { isUnsettleable, SettlementFaults } from './settlement-faults.ts'

/** What decides which jobs a process leaves to others. */
type Backoff = Pick<JobBackoff, 'update' | 'at'>

/** A deliberate defect, to prove that the simulation finds it. */
export interface Sabotage {
  readonly chain?: (chain: EvmChain, world: World) => EvmChain
  /** On Solana: wraps the engine's chain, or changes a node's response. */
  readonly svm?: (chain: SvmChain) => SvmChain
  readonly rpc?: (method: string, result: unknown) => unknown
  readonly statement?: Rewrite
  /** Like `statement`, but only while an agent claims work. */
  readonly claim?: Rewrite
  /** Changes the database after each step, unknown to the service. */
  readonly afterStep?: (db: Pool) => Promise<void>
  /** The standby lacks commits that were acknowledged just before a failover. */
  readonly losesCommits?: boolean
  readonly backoff?: (backoff: Backoff) => Backoff
  readonly rebalancing?: (settings: RebalanceParts['rebalancing']) => RebalanceParts['rebalancing']
}

/** The chain's nodes, as one process reaches them. */
interface ReachedNodes {
  areAway: boolean
}

/** What one process's chain connection depends on: its nodes, its randomness, its turns and its crash. */
export interface ProcessConnection {
  readonly nodes: Readonly<ReachedNodes>
  readonly random: Random
  readonly schedule: Turns
  readonly crashes: CrashSchedule
}

interface ServiceParts {
  readonly pool: Pool
  readonly clock: ManualClock
  readonly random: Random
  readonly sabotage: Sabotage
  /** Whether its processes hold leases, so that one can take over while another hangs. */
  readonly hasLeases: boolean
  /** Connects a process to the chain. */
  readonly connect: (connection: ProcessConnection) => Chain
  readonly onWrite: () => void
  /** Called for errors that no caller sees. */
  readonly onError: (what: string) => void
}

/** The configuration's defaults. */
const REBALANCING: RebalanceParts['rebalancing'] = {
  floor: { digits: 1n, scale: 0 },
  dust: { digits: 1n, scale: 2 },
  horizonDays: 30,
  withdrawHoldMs: 3_600_000,
  nativeUsd: {},
}

/** One process with its memory. */
export interface ServiceProcess {
  readonly number: number
  readonly parts: RebalanceParts
  readonly poll: PollTransactions
  /** While they are away, this process alone does not reach the chain. */
  readonly nodes: ReachedNodes
  /** Its own check of the database, which remembers what it found. */
  readonly health: DatabaseHealth
  /** Its session that holds leases ended: the next round takes the lease again, and starts from the database. */
  loseLease(): void
  /** Whether it has taken the lease of the follower at some time. */
  readonly hasFollowed: boolean
  /** Runs the follower's round, under a lease that it takes before its first. The signal stops it midway. */
  round(signal: AbortSignal): Promise<void>
  /** Its next round begins from the database, and takes the lease before. */
  beginLease(): void
}

/** A process that shares periodic jobs, with its memory of what stalled there. */
export interface SharingWorker {
  readonly process: ServiceProcess
  readonly backoff: Backoff
}

/** The outcome of a piece of work: its value or its error. */
export type RequestOutcome<T> = { ok: true; value: T } | { ok: false; error: unknown }

/**
 * The service as a sequence of processes: the engine's own verbs and follower, on the real database and the simulated
 * chain. When a process dies, its memory is lost, and the next one starts from the database alone. One that hangs comes
 * back with its memory when others have done its work.
 */
export class Service {
  readonly #parts: ServiceParts
  readonly #schedule: Schedule
  #crashes = new CrashSchedule()
  readonly #failover = new Failover()
  /** The wallets whose settlements fail. */
  readonly settlements = new SettlementFaults()
  #started = 0
  #process: ServiceProcess
  processes = 1

  constructor(parts: ServiceParts) {
    this.#parts = parts
    this.#schedule = new Schedule(parts.random.fork('turns'))
    this.#process = this.#start()
  }

  get parts(): RebalanceParts {
    return this.#process.parts
  }

  /** Claims work for an agent, if there is any; never waits for work. */
  get poll(): PollTransactions {
    return this.#process.poll
  }

  /** The process that serves requests at present. */
  get process(): ServiceProcess {
    return this.#process
  }

  /** Runs the follower's round. The signal stops it midway, as a shutdown does. */
  round(signal: AbortSignal): Promise<void> {
    return this.#process.round(signal)
  }

  /** Another process takes over while this one hangs, and does `work`. Then the first goes on, wherever it was. */
  takeOver<T>(work: () => Promise<T>): Promise<T> {
    const hung = this.#process
    this.restart()
    return this.#schedule.whileHung(hung.number, work)
  }

  /** The current process, and others that were started beside it, to share periodic jobs. */
  sharing(count: number): readonly SharingWorker[] {
    const { backoff: wrap = (backoff) => backoff } = this.#parts.sabotage
    const processes = [this.#process]
    while (processes.length < count) {
      this.processes += 1
      processes.push(this.#start())
    }
    return processes.map((process) => ({ process, backoff: wrap(new JobBackoff()) }))
  }

  /** The database fails over, this many points into the next work, and refuses that many connections afterwards. */
  failOver(points: number, refusals: number): void {
    this.#failover.begin(points, refusals)
  }

  /** The database no longer fails over, although no work met the last failover. */
  healDatabase(): void {
    this.#failover.end()
  }

  /** Yields this many turns to others. */
  async wait(turns: number): Promise<void> {
    for (let turn = 0; turn < turns; turn += 1) await this.#schedule.turn()
  }

  /** Makes the process die this many points into the next work. */
  endAfter(points: number): void {
    this.#crashes.crashAfter(points)
  }

  restart(): void {
    this.#crashes = new CrashSchedule()
    this.#process = this.#start()
    this.processes += 1
  }

  /**
   * Runs work concurrently on one process. If the process dies, starts the next one; `ended` says where it died.
   */
  async run<T>(
    works: readonly (() => Promise<T>)[],
  ): Promise<{ outcomes: RequestOutcome<T>[]; ended: string | undefined }> {
    const settled = await this.#schedule.run(works)
    this.#failover.end()
    const ended = this.#crashes.crashedAt
    this.#crashes.cancel()
    if (ended !== undefined) this.restart()
    const outcomes = settled.map(
      (result): RequestOutcome<T> =>
        result.status === 'fulfilled' ? { ok: true, value: result.value } : { ok: false, error: result.reason },
    )
    return { outcomes, ended }
  }

  #start(): ServiceProcess {
    const { clock, random, sabotage, hasLeases, connect, onError } = this.#parts
    this.#started += 1
    const number = this.#started
    const crashes = this.#crashes
    const schedule = this.#schedule.turnsOf(number)
    const open = (rewrite: Rewrite = (query) => query): Database => this.#open(schedule, rewrite)
    const db = open(sabotage.statement)
    const nodes: ReachedNodes = { areAway: false }
    const chain = connect({ nodes, random: random.fork(`node ${this.processes}`), schedule, crashes })
    const chains = new Map([[chain.network.blockchain, chain]])
    const rebalancing = sabotage.rebalancing?.(REBALANCING) ?? REBALANCING
    const parts: RebalanceParts = {
      db,
      clock,
      log: listeningLog(onError),
      chains,
      dustOf: (decimals) => baseUnitsOf(REBALANCING.dust, decimals),
      limitReason: limitReasonFor({ db, clock, rebalancing }),
      rebalancing,
    }
    const tokens = random.fork(`tokens ${this.processes}`)
    const poll = createTransactionPolls({
      ...parts,
      db: sabotage.claim ? open(sabotage.claim) : db,
      random: (bytes) => Uint8Array.from({ length: bytes }, () => tokens.int(256)),
    })
    const options = { isDevelopment: false, print: () => {} }
    let follower: Follower | undefined
    return {
      number,
      parts,
      poll,
      nodes,
      // What it reports is judged, not what it logs.
      health: createDatabaseHealth({ db, log: silentLog, clock, freshMs: 0 }),
      loseLease() {
        follower = undefined
      },
      get hasFollowed() {
        return follower !== undefined
      },
      async round(signal) {
        follower ??= createFollower(
          hasLeases ? { ...parts, db: await takeFollowerLease(db, number) } : parts,
          chain,
          options,
        )
        await follower.round(signal)
      },
      beginLease() {
        follower = undefined
      },
    }
  }

  #open(schedule: Turns, rewrite: Rewrite): Database {
    const { pool, onWrite, sabotage } = this.#parts
    const { losesCommits = false } = sabotage
    const crashes = this.#crashes
    return openInstrumentedDatabase({
      pool,
      schedule,
      crashes,
      failover: this.#failover,
      settlements: this.settlements,
      onWrite,
      rewrite,
      losesCommits,
    })
  }
}

export const isCrash = (error: unknown): boolean => error instanceof Crash

/** A log that writes nothing and passes on errors that would otherwise go unseen. */
function listeningLog(onError: (what: string) => void): Log {
  const log = Object.create(silentLog) as { -readonly [K in keyof Log]: Log[K] }
  log.error = ({ err }: { err?: unknown }, message = '') => {
    if (!isCrash(err) && !isDatabaseUnavailable(err) && !isUnsettleable(err))
      onError(`${message}: ${err instanceof Error ? err.stack : String(err)}`)
  }
  return log as Log
}
