import type { Pool } from 'pg'
import type { EvmChain, Network } from '../../src/chains/index.ts'
import type { Database } from '../../src/database/index.ts'
import { type ManualClock, silentLog } from '../../src/kernel/index.ts'
import type { Parts } from '../../src/operations/index.ts'
import { createFollower, type Follower } from '../../src/watch/index.ts'
import type { Random } from '../random.ts'
import type { World } from '../world/world.ts'
import { Crash, Fate } from './crash.ts'
import { openGate, type Rewrite } from './database.ts'
import { createNode, type NodeFaults, type NodeParts } from './node.ts'
import { Schedule } from './schedule.ts'

/** What is broken on purpose, to prove that the simulation finds it. */
export interface Sabotage {
  readonly chain?: (chain: EvmChain, world: World) => EvmChain
  readonly statement?: Rewrite
  /** After each step, behind the service's back. */
  readonly afterStep?: (db: Pool) => Promise<void>
}

interface ServiceParts {
  readonly pool: Pool
  readonly world: World
  readonly network: Network
  readonly clock: ManualClock
  readonly random: Random
  readonly faults: NodeFaults
  readonly sabotage: Sabotage
  readonly onSend: (raw: string, hash: string) => Promise<void>
  readonly onTold: NodeParts['onTold']
  readonly onWrite: () => void
}

/** What came of a piece of work: its value, what it threw, or that the process ended first. */
export type Outcome<T> = { ok: true; value: T } | { ok: false; error: unknown }

/**
 * The service as one process after another: the engine's own verbs and follower, on the real database and the simulated
 * chain. When a process ends, what it had in memory is gone, and the next one begins with the database alone.
 */
export class Service {
  readonly #given: ServiceParts
  readonly #schedule: Schedule
  #fate = new Fate()
  #parts: Parts
  #follower: Follower
  processes = 1

  constructor(given: ServiceParts) {
    this.#given = given
    this.#schedule = new Schedule(given.random.fork('turns'))
    ;[this.#parts, this.#follower] = this.#start()
  }

  get parts(): Parts {
    return this.#parts
  }

  /** The follower's round; the signal asks it to stop in the middle, as a shutdown does. */
  round(signal: AbortSignal): Promise<void> {
    return this.#follower.round(signal)
  }

  /** Lets so many turns pass to others. */
  async wait(turns: number): Promise<void> {
    for (let turn = 0; turn < turns; turn += 1) await this.#schedule.turn()
  }

  /** The next work meets the process's end after so many points. */
  endAfter(points: number): void {
    this.#fate.endAfter(points)
  }

  restart(): void {
    this.#fate = new Fate()
    ;[this.#parts, this.#follower] = this.#start()
    this.processes += 1
  }

  /**
   * Works side by side on one process. If it ended meanwhile, the next one is started; `ended` says where.
   */
  async run<T>(works: readonly (() => Promise<T>)[]): Promise<{ outcomes: Outcome<T>[]; ended: string | undefined }> {
    const settled = await this.#schedule.run(works)
    const ended = this.#fate.met
    this.#fate.spare()
    if (ended !== undefined) this.restart()
    const outcomes = settled.map(
      (result): Outcome<T> =>
        result.status === 'fulfilled' ? { ok: true, value: result.value } : { ok: false, error: result.reason },
    )
    return { outcomes, ended }
  }

  #start(): [Parts, Follower] {
    const { pool, world, network, clock, random, faults, sabotage, onSend, onTold, onWrite } = this.#given
    const fate = this.#fate
    const schedule = this.#schedule
    const db: Database = openGate({ pool, schedule, fate, onWrite, rewrite: sabotage.statement ?? ((query) => query) })
    const luck = random.fork(`node ${this.processes}`)
    const node = createNode({ world, network, random: luck, faults, schedule, fate, onSend, onTold })
    const chain = sabotage.chain?.(node, world) ?? node
    const parts: Parts = { db, clock, log: silentLog, chains: new Map([[network.blockchain, chain]]) }
    return [parts, createFollower(parts, chain, { isDevelopment: false, say: () => {} })]
  }
}

export const isCrash = (error: unknown): boolean => error instanceof Crash
