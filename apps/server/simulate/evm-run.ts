import { inTransaction } from '../src/database/index.ts'
import { createOrganization } from '../src/identity/organizations/create-organization.ts'
import type { IssuedBytes } from '../src/operations/index.ts'
import { seedCatalogue, strategiesOnChain } from '../src/venues/index.ts'
import type { SeenBreaker } from './checks/breaker-row.ts'
import { checkIssuedBytes } from './checks/issued-bytes.ts'
import { checkLimits, type SeenLimits } from './checks/limits.ts'
import { PaidClaims } from './checks/paid-claims.ts'
import { checkRequests } from './checks/requests-of-covered-money.ts'
import { checkRooms } from './checks/rooms.ts'
import { checkStaleBalances } from './checks/stale-balances.ts'
import type { MarketLimitsOfWallets } from './checks/treasury-quiescence.ts'
import { WalletClient } from './clients/wallet-client.ts'
import type { SimulationDatabase } from './database.ts'
import type { EvmRunState } from './evm-run-state.ts'
import type { Random } from './random.ts'
import { createNode, GOOD_NODES, type NodeFaults, type NodeParts } from './service/node.ts'
import { type Sabotage, Service } from './service/service.ts'
import { type LandedTransaction, type SignOptions, SimulationRun } from './simulation-run.ts'
import { nameStrategies } from './treasury/name-strategies.ts'
import { Treasury } from './treasury/treasury.ts'
import { payableBy, worth } from './world/contracts.ts'
import { isSlow } from './world/exits.ts'
import {
  addressOf,
  GENESIS_TIME,
  hideLimits,
  isOpen,
  type Market,
  type MarketLimits,
  marketsOf,
  networkOf,
  seedsOf,
  slowMarketsOf,
  takeFees,
  USDC,
  USDT,
} from './world/market.ts'
import { hashOf, sign } from './world/raw.ts'
import { seconds, World } from './world/world.ts'

export interface EvmRunSettings {
  readonly sabotage: Sabotage
  readonly faults: Partial<NodeFaults>
  /** The probability of a treasury. */
  readonly hasTreasury?: number | undefined
  readonly signerFailure?: number | undefined
  /** Whether the treasury may have circuit breakers, and whether markets are unkind; drawn like `exits` by default. */
  readonly breakers?: boolean | undefined
  readonly unkind?: boolean | undefined
  /** Whether agents refuse one market at a time; drawn like `breakers` by default. */
  readonly refusing?: boolean | undefined
  /** Whether the treasury limits deposits; drawn like `breakers` by default. */
  readonly limits?: boolean | undefined
  /** Whether vaults that pay later are among the markets; by default where the treasury was drawn. */
  readonly exits?: boolean | undefined
  /** Whether fees leave agents' transactions behind; drawn like `breakers` by default. */
  readonly stuck?: boolean | undefined
  /** Whether people withdraw in parts what a market cannot pay; drawn where markets are unkind by default. */
  readonly awaited?: boolean | undefined
  /** Whether every vault that can lose money does so within three days; drawn by default. */
  readonly losses?: boolean | undefined
  /** Whether a vault takes a fee of deposits; drawn like `breakers` by default. */
  readonly fees?: boolean | undefined
  /** Whether a vault reports no limit; drawn like `breakers` by default. */
  readonly silent?: boolean | undefined
  /** Whether markets say less than they do, and nodes give up on them; drawn like `breakers` by default. */
  readonly odd?: boolean | undefined
  readonly workers: boolean
}

/** A seed on an EVM chain: its world, its wallet holders, and the nonces seen. */
export class EvmRun extends SimulationRun implements EvmRunState {
  readonly world: World
  readonly faults: NodeFaults
  readonly service: Service
  readonly holders: WalletClient[] = []
  /** A holder whom the service does not know. */
  readonly stranger: WalletClient
  /** Three of five seeds have one, in addition to clients who sign for themselves. */
  readonly treasury: Treasury | undefined
  /** The latest block when a transaction's bytes were issued. */
  readonly issuedAt = new Map<number, number>()
  /** By address: the highest count that a committed plan has seen, and the count that a node returned last. */
  readonly nonces = new Map<string, number>()
  /** Blocks have been replaced since the follower was last at the head: counts have to be learned again. */
  isReorganized = false
  readonly nodeCounts = new Map<string, { pending: number; latest: number; highest: number }>()
  /** Whether its treasury may have circuit breakers. */
  readonly hasBreakers: boolean
  /** Whether its markets run dry, close and refuse. */
  readonly isUnkind: boolean
  /** Whether its agents refuse one market at a time. */
  readonly hasRefusing: boolean
  /** The market of each strategy, by the strategy's id. */
  readonly #marketOf = new Map<number, Market>()
  /** Whether its treasury limits deposits. */
  readonly hasLimits: boolean
  /** Whether one of its vaults reports no limit. */
  readonly hasSilent: boolean
  /** Whether its markets say less than they do, nodes give up on them, and strangers give crumbs. */
  readonly isOdd: boolean
  /** What final blocks paid for claims. */
  readonly paidClaims: PaidClaims
  /** The rebalancer's requests that were checked. */
  readonly requestsSeen = new Set<number>()
  /** The last ledger entry and event that the check of losses has seen. */
  readonly lossesSeen = { entry: 0, event: 0 }
  /** The rebalancer's last deposit that was checked, and the last plan whose balance was. */
  readonly roomsSeen = { operation: 0 }
  readonly balancesSeen = { operation: 0 }
  /** The last operation whose amount was compared with what is worth a transaction. */
  readonly crumbsSeen = { operation: 0 }
  /** What the last check of deposit limits has seen. */
  readonly limitsSeen: SeenLimits = { deposit: 0, facts: undefined }
  /** The circuit breakers at the last check. */
  readonly breakersSeen = new Map<string, SeenBreaker>()
  /** Whether vaults that pay later are among its markets. */
  readonly hasExits: boolean
  /** Whether every read reaches a node that has the block and its state. */
  readonly readsAreExact: boolean
  /** Whether fees leave agents' transactions behind. */
  readonly hasStuck: boolean
  /** Whether people withdraw in parts what a market cannot pay at once. */
  readonly hasAwaited: boolean
  readonly #drawn: NodeFaults
  /** Whether the treasury's own deposits may go to vaults that pay later. */
  readonly allowsExits: boolean

  constructor(
    seed: number,
    database: SimulationDatabase,
    {
      sabotage,
      faults,
      hasTreasury,
      signerFailure,
      breakers,
      unkind,
      refusing,
      limits,
      exits,
      stuck,
      awaited,
      losses,
      fees,
      silent,
      odd,
      workers,
    }: EvmRunSettings,
  ) {
    super(seed, database)
    const settings = this.random.fork('settings')
    const confirmations = settings.between(1, 5)
    const treasury = this.random.fork('treasury')
    const drawsTreasury = treasury.chance(hasTreasury ?? 0.6)
    // A search for one broken rule names its treasury, and keeps the course that it had before these were drawn.
    const draws = hasTreasury === undefined && drawsTreasury
    this.hasExits = exits ?? draws
    this.hasBreakers = breakers ?? (draws && this.random.fork('breakers').chance(0.4))
    this.isUnkind = unkind ?? (draws && this.random.fork('unkind').chance(0.4))
    this.hasRefusing = refusing ?? (draws && this.random.fork('refusing').chance(0.3))
    this.hasLimits = limits ?? (draws && this.random.fork('limits').chance(0.4))
    this.hasAwaited = awaited ?? (draws && this.isUnkind && this.random.fork('awaited').chance(0.5))
    this.hasStuck = stuck ?? (draws && this.random.fork('stuck').chance(0.4))
    const network = networkOf(confirmations, this.hasBreakers)
    this.allowsExits = this.hasExits && (exits === true || this.random.fork('allow-list').chance(0.7))
    const losesAt = losses ? GENESIS_TIME + this.random.fork('losses').between(3_600, 3 * 86_400) : undefined
    const usual = marketsOf(settings, losesAt)
    if (fees ?? (draws && this.random.fork('fees').chance(0.3))) takeFees(usual)
    this.hasSilent = silent ?? (draws && this.random.fork('silent').chance(0.3))
    if (this.hasSilent) hideLimits(usual)
    this.isOdd = odd ?? (draws && this.random.fork('odd').chance(0.4))
    this.world = new World({
      markets: this.hasExits ? [...usual, ...slowMarketsOf(this.random.fork('slow markets'), losesAt)] : usual,
      confirmations,
      chainId: network.chainId!,
      random: this.random.fork('world'),
    })
    this.paidClaims = new PaidClaims(this.world)
    this.faults = { ...GOOD_NODES }
    const drawn = { ...drawFaults(settings), ...faults }
    const { refuse, lag, retainedBlocks } = drawn
    this.#drawn = drawn
    this.readsAreExact = refuse === 0 && lag === 0 && retainedBlocks === Number.POSITIVE_INFINITY
    this.stranger = new WalletClient(this, addressOf(0x5bad))
    if (settings.chance(0.6)) {
      this.world.conditions.leave = settings.next() * 0.4
      this.world.conditions.forget = settings.next() * 0.5
    }
    const recordCounts: NodeParts['onResponse'] = (address, counts) => {
      const highest = Math.max(counts.latest, this.nodeCounts.get(address)?.highest ?? 0)
      this.nodeCounts.set(address, { ...counts, highest })
    }
    this.service = new Service({
      pool: database.pool,
      clock: this.clock,
      random: this.random.fork('service'),
      sabotage,
      hasLeases: workers,
      connect: (process) => {
        const { world, faults } = this
        const onSend = (_raw: string, hash: string) => this.requireStored(hash)
        const node = createNode({ world, network, faults, ...process, onSend, onResponse: recordCounts })
        return sabotage.chain?.(node, world) ?? node
      },
      onWrite: () => {
        this.isDirty = true
      },
      onError: (what) => this.violations.push(what),
    })
    this.treasury = drawsTreasury
      ? new Treasury(this, treasury, {
          checkIssuedBytes: (...issued) => checkIssuedBytes(this, ...issued),
          signerFailure,
          refuses: (issued) => this.#areAgentsUnwilling(issued),
        })
      : undefined
  }

  /** Creates the initial organizations, wallets and funds. */
  async setUp(): Promise<void> {
    const { database, world, clock } = this
    await database.clear()
    await seedCatalogue(database.db, seedsOf(world.markets))
    for (const { id, key } of await strategiesOnChain(database.db, 'polygon'))
      this.#marketOf.set(id, world.markets.find((market) => market.key === key)!)
    for (const name of ['Acme', 'Globex']) {
      const owner = { email: `${name}@example.org`, name: null, passwordHash: 'nobody logs in' }
      const created = await inTransaction(database.db, (tx) => createOrganization(tx, { clock }, { name, owner }))
      this.organizations.push(created.organization.id)
    }
    // The third belongs to the treasury; clients use it rarely.
    for (const number of this.treasury ? [1, 2, 3] : [1, 2])
      this.holders.push(new WalletClient(this, addressOf(0x1000 + number)))
    world.give(
      [...this.holders, this.stranger].flatMap(({ address }) => [
        { to: address, token: 'native' as const, amount: 10n ** 20n },
        { to: address, token: USDC.address, amount: 5_000_000_000n },
        { to: address, token: USDT.address, amount: 3_000_000_000n },
      ]),
    )
    // Worth 2,000 tokens each: requests need positions, and deposits take many steps.
    for (const { share } of world.markets.filter(isSlow))
      world.give(this.holders.map(({ address }) => ({ to: address, token: share, amount: 2n * 10n ** 18n })))
    // A service follows before it serves its first request: nothing can land behind the cursor.
    await this.request('follow', () => this.service.round(new AbortController().signal))
    await this.holders[0]!.register(this.organizations[0]!)
    await this.holders[1]!.register(this.organizations[0]!)
    await this.holders[2]?.register(this.organizations[0]!)
    if (this.random.chance(0.5)) await this.holders[0]!.register(this.organizations[1]!)
    await this.treasury?.setUp(this.random.fork('set up of the treasury'))
    if (this.treasury && this.hasExits) await nameStrategies(this, this.allowsExits)
    Object.assign(this.faults, this.#drawn)
  }

  readonly marketLimits: MarketLimitsOfWallets = {
    payable: (token, owner) => {
      const { state, time } = this.world.latest
      return this.world.markets
        .filter(({ token: of, limits }) => of === token && isWilling(limits))
        .map((market) => {
          const value = worth(market, state.balance(market.share, owner), market.price(seconds(time)))
          if (isSlow(market)) return value
          const idle = payableBy(state, market)
          if (value <= idle) return value
          // What one that reports nothing pays is found by trying, and may be too low by a hundredth of the position.
          const unfound = market.limits.isSilent ? value / 100n : 0n
          return idle > unfound ? idle - unfound : 0n
        })
    },
    accept: (token, paying) => {
      const signed = this.world.markets.filter(
        ({ token: of, limits: { isUnlisted, isHeavy } }) => of === token && !isUnlisted && !isHeavy,
      )
      return (
        signed.some((market) => !isSlow(market) && paying.has(market.key)) &&
        signed.every(({ limits }) => isOpen(limits))
      )
    },
  }

  get refusedByAgents(): readonly string[] {
    return this.world.markets.filter(({ limits }) => limits.isUnlisted).map(({ key }) => key)
  }

  /** Taking an allowance back is safe with any contract. */
  #areAgentsUnwilling({ operation: { type, strategyId } }: IssuedBytes): boolean {
    return type !== 'REVOKE' && this.#marketOf.get(strategyId)!.limits.isUnlisted
  }

  balanceOf(token: string, owner: string): bigint {
    return this.world.latest.state.balance(token, owner)
  }

  mineToFinal(): void {
    for (let count = 0; count < this.world.confirmations; count += 1) this.world.mine()
  }

  letBytesDie(): void {}

  async checkPlans(): Promise<void> {
    await checkStaleBalances(this)
    if (this.hasExits) await checkRequests(this)
    if (this.isUnkind) await checkRooms(this)
    if (this.hasLimits || this.hasExits) await checkLimits(this)
  }

  /** Lets everything that waits at present become claimable; false where no market pays later. */
  letExitsMature(): boolean {
    const waits = this.world.markets.map(({ exit }) => exit?.seconds ?? 0)
    const longest = Math.max(...waits)
    if (longest === 0) return false
    this.world.pass(longest)
    this.mineToFinal()
    return true
  }

  signed(bytes: string, sender: string, { feePercent, salt }: SignOptions = {}) {
    const raw = sign(bytes, sender, feePercent, salt)
    return { raw, hash: hashOf(raw) }
  }

  send(raw: string): string {
    return this.world.send(raw).outcome
  }

  landedIn(block: number): readonly LandedTransaction[] | undefined {
    return block > this.world.final.number ? undefined : this.world.blocks[block]!.transactions
  }

  protected override onAnswered(what: string): void {
    if (what === 'follow') this.isReorganized = false
  }
}

/** Whether it pays what it says, and the rebalancer and its agents can ask it. */
const isWilling = ({ refuses, isUnlisted, isHeavy, hiddenBps }: MarketLimits): boolean =>
  !refuses && !isUnlisted && !isHeavy && hiddenBps === 0n

function drawFaults(random: Random): NodeFaults {
  if (random.chance(0.25)) return { ...GOOD_NODES }
  return {
    refuse: random.chance(0.5) ? random.next() * 0.06 : 0,
    lag: random.chance(0.5) ? random.next() * 0.3 : 0,
    lostBefore: random.chance(0.5) ? random.next() * 0.3 : 0,
    lostAfter: random.chance(0.5) ? random.next() * 0.3 : 0,
    retainedBlocks: random.chance(0.2) ? random.between(4, 12) : Number.POSITIVE_INFINITY,
  }
}
