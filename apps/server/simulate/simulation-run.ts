import { isDatabaseUnavailable } from '../src/database/index.ts'
import { Failure, ManualClock } from '../src/kernel/index.ts'
import type { LostEvents } from './checks/lost-events.ts'
import type { WalletAccount } from './clients/wallet-account.ts'
import type { SimulationDatabase } from './database.ts'
import { type Random, randomFrom } from './random.ts'
import type { NodeFaults } from './service/node.ts'
import { isCrash, type RequestOutcome, type Service } from './service/service.ts'
import { Violation } from './violation.ts'

/** A transaction as the chain reports it. */
export interface LandedTransaction {
  readonly hash: string
  readonly succeeded: boolean
}

/** Where the chain allows it: a different fee than planned, and a different signature for the same bytes. */
export interface SignOptions {
  readonly feePercent?: bigint
  readonly salt?: number | undefined
}

/** One seed's state on any chain: a service, its database and clock, and what has happened. */
export abstract class SimulationRun {
  readonly seed: number
  readonly database: SimulationDatabase
  readonly random: Random
  readonly clock = new ManualClock()
  abstract readonly service: Service
  readonly organizations: number[] = []
  /** What happened, one line per step. */
  readonly log: string[] = []
  /** Whether the database may have changed since the last check. */
  isDirty = true
  readonly violations: string[] = []
  /** Transactions that a client has submitted once. */
  readonly submitted = new Set<number>()
  /** States of operations and transactions at the last check. */
  readonly states = new Map<number, string>()
  readonly settled = new Set<number>()
  /** Operations that clients have received. */
  readonly promised = new Set<number>()
  /** Wallets that a check has seen in quarantine. */
  readonly quarantined = new Set<number>()
  /** Once the database went back in time: the events that it lost. */
  lostEvents: LostEvents | undefined
  /** The last settled block of each chain at the last check. */
  readonly cursors = new Map<string, number>()
  readonly #stored = new Set<string>()

  constructor(seed: number, database: SimulationDatabase) {
    this.seed = seed
    this.database = database
    this.random = randomFrom(`weir ${seed}`)
  }

  abstract readonly faults: NodeFaults
  abstract readonly holders: readonly { readonly accounts: readonly WalletAccount[] }[]
  /** Whether every read reaches a node that has the block and its state. */
  abstract readonly readsAreExact: boolean
  /** Whether this step evaluates a page of wallets beside others, on sums that it read before them (ADR 184). */
  pagesOverlap = false

  /** The transactions of a block; `undefined` if it is not final or does not exist. */
  abstract landedIn(block: number): readonly LandedTransaction[] | undefined

  /** An address's balance of a token in the newest block. */
  abstract balanceOf(token: string, owner: string): bigint
  /** Mines until the next block's transactions are final. */
  abstract mineToFinal(): void
  /** Mines until bytes with a limited lifetime have expired; does nothing on other chains. */
  abstract letBytesDie(): void
  /** Signs unsigned bytes as the holder of an address. */
  abstract signed(bytes: string, sender: string, how?: SignOptions): { readonly raw: string; readonly hash: string }
  /** Sends signed bytes through a healthy node; returns its response. */
  abstract send(raw: string): string

  /** Runs all checks, unless nothing was written since the last time. */
  async check(at: (run: this) => Promise<void>): Promise<void> {
    if (this.violations.length > 0) throw new Violation(this.violations[0]!)
    if (!this.isDirty) return
    this.isDirty = false
    await at(this)
  }

  record(line: string): void {
    this.log.push(line)
  }

  /** Sends one request to the service. A refusal is a valid response; any other error is a defect. */
  async request<T>(what: string, work: () => Promise<T>): Promise<T | undefined> {
    const [answer] = await this.requests([[what, work]])
    return answer
  }

  /** Sends requests concurrently. */
  async requests<T>(works: readonly (readonly [string, () => Promise<T>])[]): Promise<(T | undefined)[]> {
    const { outcomes, ended } = await this.service.run(works.map(([, work]) => work))
    if (ended !== undefined) this.record(`  the process ended ${ended}`)
    return outcomes.map((outcome, index) => this.#answerOf(works[index]![0], outcome))
  }

  #answerOf<T>(what: string, outcome: RequestOutcome<T>): T | undefined {
    if (outcome.ok) {
      this.onAnswered(what)
      this.record(`  ${what}: ok`)
      return outcome.value
    }
    const { error } = outcome
    if (isCrash(error)) return undefined
    if (isDatabaseUnavailable(error)) {
      this.record(`  ${what}: the database is away`)
      return undefined
    }
    if (error instanceof Violation) throw error
    if (!(error instanceof Failure) || error.code === 'INTERNAL_ERROR') {
      throw new Violation(`${what} threw an unexpected error: ${error instanceof Error ? error.stack : String(error)}`)
    }
    this.record(`  ${what}: ${error.code}`)
    return undefined
  }

  /** Called after a request succeeded. */
  protected onAnswered(_what: string): void {}

  /**
   * Rule 5: hash and bytes are committed before any node sees them. Checked on another connection. The same bytes may
   * be sent again just after another request withdrew them because a node had refused them.
   */
  protected async requireStored(hash: string): Promise<void> {
    if (this.#stored.has(hash)) return
    const { rowCount } = await this.database.reader.query(
      'select 1 from transaction_hashes where tx_hash = $1 and raw is not null',
      [hash],
    )
    if (rowCount === 0) this.violations.push(`store, then send: ${hash} was sent before it was stored`)
    this.#stored.add(hash)
  }
}
