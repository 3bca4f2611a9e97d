import { Failure, ManualClock } from '../src/kernel/index.ts'
import type { IssuedBytes as AgentsBytes } from '../src/operations/index.ts'
import type { WalletAccount } from './clients/wallet-client.ts'
import type { SimulationDatabase } from './database.ts'
import { type Random, randomFrom } from './random.ts'
import type { NodeFaults } from './service/node.ts'
import { isCrash, type RequestOutcome, type Service } from './service/service.ts'
import type { Treasury } from './treasury/treasury.ts'
import { Violation } from './violation.ts'

/** What a chain says of one of its transactions. */
export interface LandedTransaction {
  readonly hash: string
  readonly succeeded: boolean
}

/** Where a chain allows it: another fee than the planned one, and a signature of its own for the same bytes. */
export interface SignOptions {
  readonly feePercent?: bigint
  readonly salt?: number | undefined
}

/** One seed's stage, whatever chain it plays on: a service, its books and its clock, and what has happened. */
export abstract class SimulationRun {
  readonly seed: number
  readonly books: SimulationDatabase
  readonly random: Random
  readonly clock = new ManualClock()
  abstract readonly service: Service
  readonly organizations: number[] = []
  /** What happened, one line a step. */
  readonly log: string[] = []
  /** Whether the database may hold something else than when it was checked last. */
  isDirty = true
  readonly violations: string[] = []
  /** Transactions that a client has submitted once. */
  readonly submitted = new Set<number>()
  /** By operation and transaction: what was seen of them before. */
  readonly states = new Map<number, string>()
  readonly settled = new Set<number>()
  readonly #stored = new Set<string>()

  constructor(seed: number, books: SimulationDatabase) {
    this.seed = seed
    this.books = books
    this.random = randomFrom(`weir ${seed}`)
  }

  abstract readonly faults: NodeFaults
  abstract readonly holders: readonly { readonly accounts: readonly WalletAccount[] }[]
  /** Some seeds have one, beside clients who sign for themselves. */
  abstract readonly treasury: Treasury | undefined
  /** Whether every read is answered by a node that has the block and its state. */
  abstract readonly readsAreExact: boolean

  /** What landed in a block; `undefined` where it is not final, or not there. */
  abstract landedIn(block: number): readonly LandedTransaction[] | undefined

  /** What an address holds of a token in the newest block. */
  abstract balanceOf(token: string, owner: string): bigint
  /** Blocks until what is in the next one is final. */
  abstract mineToFinal(): void
  /** Blocks until bytes that die of age have died; elsewhere nothing. */
  abstract letBytesDie(): void
  /** Signs unsigned bytes as the holder of an address does. */
  abstract signed(bytes: string, sender: string, how?: SignOptions): { readonly raw: string; readonly hash: string }
  /** Sends signed bytes through a healthy node; what it says. */
  abstract send(raw: string): string
  /** Looks at what an agent is given, at that moment. */
  abstract checkIssuedBytes(treasury: Treasury, handedOut: AgentsBytes, to: string): Promise<void>

  /** Looks at everything, unless nothing was written since. */
  async check(at: (play: this) => Promise<void>): Promise<void> {
    if (this.violations.length > 0) throw new Violation(this.violations[0]!)
    if (!this.isDirty) return
    this.isDirty = false
    await at(this)
  }

  record(line: string): void {
    this.log.push(line)
  }

  /** One request to the service. A refusal is an answer; any other error is a defect. */
  async request<T>(what: string, work: () => Promise<T>): Promise<T | undefined> {
    const [answer] = await this.requests([[what, work]])
    return answer
  }

  /** Requests at the same time. */
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
    if (error instanceof Violation) throw error
    if (!(error instanceof Failure) || error.code === 'INTERNAL_ERROR') {
      throw new Violation(`${what} threw what is no answer: ${error instanceof Error ? error.stack : String(error)}`)
    }
    this.record(`  ${what}: ${error.code}`)
    return undefined
  }

  /** A request was answered, and not refused. */
  protected onAnswered(_what: string): void {}

  /**
   * Rule 5: hash and bytes are committed before any node sees them. Asked on another connection. The same bytes
   * may go out once more just after another request took them back, because a node had refused them.
   */
  protected async requireStored(hash: string): Promise<void> {
    if (this.#stored.has(hash)) return
    const { rowCount } = await this.books.reader.query(
      'select 1 from transaction_hashes where tx_hash = $1 and raw is not null',
      [hash],
    )
    if (rowCount === 0) this.violations.push(`store, then send: ${hash} was sent before it was stored`)
    this.#stored.add(hash)
  }
}
