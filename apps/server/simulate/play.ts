import { inTransaction } from '../src/database/index.ts'
import { createOrganization } from '../src/identity/create-organization.ts'
import { Failure, ManualClock } from '../src/kernel/index.ts'
import { seedCatalogue } from '../src/venues/index.ts'
import { Holder } from './clients/holder.ts'
import type { Books } from './database.ts'
import { type Random, randomFrom } from './random.ts'
import { GOOD_NODES, type NodeFaults } from './service/node.ts'
import { isCrash, type Outcome, type Sabotage, Service } from './service/service.ts'
import { Treasury } from './treasury/treasury.ts'
import { addressOf, marketsOf, networkOf, seedsOf, USDC, USDT } from './world/market.ts'
import { World } from './world/world.ts'

/** Something that must never be. Names the rule, with what was found. */
export class Violation extends Error {
  override readonly name = 'Violation'
}

export interface Setting {
  readonly sabotage: Sabotage
  readonly faults: Partial<NodeFaults>
  /** How likely there is a treasury. */
  readonly hasTreasury?: number | undefined
}

/** One seed's stage: a world, a service, those who hold wallets, and what has happened. */
export class Play {
  readonly seed: number
  readonly books: Books
  readonly random: Random
  readonly world: World
  readonly clock = new ManualClock()
  readonly faults: NodeFaults
  readonly service: Service
  readonly sabotage: Sabotage
  readonly organizations: number[] = []
  readonly holders: Holder[] = []
  /** Somebody whom the service does not know. */
  readonly stranger: Holder
  /** Three of five seeds have one, beside clients who sign for themselves. */
  readonly treasury: Treasury | undefined
  /** What happened, one line a step. */
  readonly log: string[] = []
  /** Whether the database may hold something else than when it was checked last. */
  written = true
  readonly violations: string[] = []
  /** Transactions that a client has submitted once. */
  readonly submitted = new Set<number>()
  /** By operation and transaction: what was seen of them before. */
  readonly states = new Map<number, string>()
  readonly settled = new Set<number>()
  /** The block that was the latest when a transaction's bytes were handed out. */
  readonly handedOutAt = new Map<number, number>()
  /** By address: the highest count that a committed plan has seen, and what a node told last. */
  readonly nonces = new Map<string, number>()
  /** Since the follower was last at the head, blocks have been replaced: counts are learned anew. */
  isReorganized = false
  readonly told = new Map<string, { pending: number; latest: number; highest: number }>()
  /** Whether every read is answered by a node that has the block and its state. */
  readonly readsAreExact: boolean
  readonly #drawn: NodeFaults
  readonly #stored = new Set<string>()

  constructor(seed: number, books: Books, { sabotage, faults, hasTreasury = 0.6 }: Setting) {
    this.seed = seed
    this.books = books
    this.sabotage = sabotage
    this.random = randomFrom(`weir ${seed}`)
    const settings = this.random.fork('settings')
    const confirmations = settings.between(1, 5)
    const network = networkOf(confirmations)
    this.world = new World({
      markets: marketsOf(settings),
      confirmations,
      chainId: network.chainId!,
      random: this.random.fork('world'),
    })
    this.faults = { ...GOOD_NODES }
    const drawn = { ...drawFaults(settings), ...faults }
    const { refuse, lag, keeps } = drawn
    this.#drawn = drawn
    this.readsAreExact = refuse === 0 && lag === 0 && keeps === Number.POSITIVE_INFINITY
    this.stranger = new Holder(this, addressOf(0x5bad))
    if (settings.chance(0.6)) {
      this.world.weather.leave = settings.next() * 0.4
      this.world.weather.forget = settings.next() * 0.5
    }
    this.service = new Service({
      pool: books.pool,
      world: this.world,
      network,
      clock: this.clock,
      random: this.random.fork('service'),
      faults: this.faults,
      sabotage,
      onSend: (_raw, hash) => this.#requireStored(hash),
      onTold: (address, counts) => {
        const highest = Math.max(counts.latest, this.told.get(address)?.highest ?? 0)
        this.told.set(address, { ...counts, highest })
      },
      onWrite: () => {
        this.written = true
      },
      onError: (what) => this.violations.push(what),
    })
    const treasury = this.random.fork('treasury')
    this.treasury = treasury.chance(hasTreasury) ? new Treasury(this, treasury) : undefined
  }

  /** Organizations, wallets, money: where every seed begins. */
  async setUp(): Promise<void> {
    const { books, world, clock } = this
    await books.clear()
    await seedCatalogue(books.db, seedsOf(world.markets))
    for (const name of ['Acme', 'Globex']) {
      const owner = { email: `${name}@example.org`, name: null, passwordHash: 'nobody logs in' }
      const created = await inTransaction(books.db, (tx) => createOrganization(tx, { clock }, { name, owner }))
      this.organizations.push(created.organization.id)
    }
    // The third is the treasury's, which clients use now and then only.
    for (const number of this.treasury ? [1, 2, 3] : [1, 2])
      this.holders.push(new Holder(this, addressOf(0x1000 + number)))
    world.give(
      [...this.holders, this.stranger].flatMap(({ address }) => [
        { to: address, token: 'native' as const, amount: 10n ** 20n },
        { to: address, token: USDC.address, amount: 5_000_000_000n },
        { to: address, token: USDT.address, amount: 3_000_000_000n },
      ]),
    )
    // A service follows before it answers its first request, so that nothing can land behind the cursor.
    await this.request('follow', () => this.service.round(new AbortController().signal))
    await this.holders[0]!.register(this.organizations[0]!)
    await this.holders[1]!.register(this.organizations[0]!)
    await this.holders[2]?.register(this.organizations[0]!)
    if (this.random.chance(0.5)) await this.holders[0]!.register(this.organizations[1]!)
    await this.treasury?.setUp(this.random.fork('set up of the treasury'))
    Object.assign(this.faults, this.#drawn)
  }

  note(line: string): void {
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
    if (ended !== undefined) this.note(`  the process ended ${ended}`)
    return outcomes.map((outcome, index) => this.#answerOf(works[index]![0], outcome))
  }

  #answerOf<T>(what: string, outcome: Outcome<T>): T | undefined {
    if (outcome.ok) {
      if (what === 'follow') this.isReorganized = false
      this.note(`  ${what}: ok`)
      return outcome.value
    }
    const { error } = outcome
    if (isCrash(error)) return undefined
    if (error instanceof Violation) throw error
    if (!(error instanceof Failure) || error.code === 'INTERNAL_ERROR') {
      throw new Violation(`${what} threw what is no answer: ${error instanceof Error ? error.stack : String(error)}`)
    }
    this.note(`  ${what}: ${error.code}`)
    return undefined
  }

  /**
   * Money-rules 5: hash and bytes are committed before any node sees them. Asked on another connection. The same bytes
   * may go out once more just after another request took them back, because a node had refused them.
   */
  async #requireStored(hash: string): Promise<void> {
    if (this.#stored.has(hash)) return
    const { rowCount } = await this.books.look.query(
      'select 1 from transaction_hashes where tx_hash = $1 and raw is not null',
      [hash],
    )
    if (rowCount === 0) this.violations.push(`store, then send: ${hash} was sent before it was stored`)
    this.#stored.add(hash)
  }
}

function drawFaults(random: Random): NodeFaults {
  if (random.chance(0.25)) return { ...GOOD_NODES }
  return {
    refuse: random.chance(0.5) ? random.next() * 0.06 : 0,
    lag: random.chance(0.5) ? random.next() * 0.3 : 0,
    lostBefore: random.chance(0.5) ? random.next() * 0.3 : 0,
    lostAfter: random.chance(0.5) ? random.next() * 0.3 : 0,
    keeps: random.chance(0.2) ? random.between(4, 12) : Number.POSITIVE_INFINITY,
  }
}
