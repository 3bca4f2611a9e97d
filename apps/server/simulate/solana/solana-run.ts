import { createSolanaChain, type Network } from '../../src/chains/index.ts'
import { inTransaction } from '../../src/database/index.ts'
import { createOrganization } from '../../src/identity/organizations/create-organization.ts'
import { BLOCKHASH_MARGIN_BLOCKS, silentLog } from '../../src/kernel/index.ts'
import { seedCatalogue } from '../../src/venues/index.ts'
import { SHARE_VAULT_ERRORS } from '../../src/venues/share-vault/errors.ts'
import type { SeenBreaker } from '../checks/breaker-row.ts'
import type { MarketLimitsOfWallets } from '../checks/treasury-quiescence.ts'
import type { SimulationDatabase } from '../database.ts'
import type { Random } from '../random.ts'
import { GOOD_NODES, type NodeFaults } from '../service/node.ts'
import { type ProcessConnection, type Sabotage, Service } from '../service/service.ts'
import { type LandedTransaction, SimulationRun } from '../simulation-run.ts'
import { Treasury } from '../treasury/treasury.ts'
import { checkIssuedBytes } from './checks/issued-bytes.ts'
import { checkMoves, termsIn } from './checks/payable.ts'
import { SolanaWalletClient } from './clients/wallet-client.ts'
import { answer } from './node/methods.ts'
import { createTransport } from './node/transport.ts'
import { Refusal, View } from './node/view.ts'
import type { SolanaRunState } from './solana-run-state.ts'
import { Cluster } from './world/cluster.ts'
import { keyOf } from './world/keys.ts'
import { Accounts, MARKETS, networkOf, seedsOfVaults, USDC, USDT, VAULT_PROGRAM } from './world/market.ts'
import { RENT } from './world/programs.ts'
import { decodeTransaction, sign } from './world/transaction.ts'

const SOL = 1_000_000_000n
const SLOT_MS = 400

export interface SolanaRunSettings {
  readonly sabotage: Sabotage
  readonly faults: Partial<NodeFaults>
  /** The probability of a treasury. */
  readonly hasTreasury?: number | undefined
  readonly signerFailure?: number | undefined
  /** Whether vaults lend, are full, pause and lose; drawn by default. */
  readonly unkind?: boolean | undefined
  /** Whether the treasury may have circuit breakers; drawn by default where a treasury is drawn. */
  readonly breakers?: boolean | undefined
  /** Whether nodes list too many transactions of some wallets to be read; drawn by default. */
  readonly spam?: boolean | undefined
  readonly workers: boolean
}

/** A seed on Solana: its cluster and its wallet holders. */
export class SolanaRun extends SimulationRun implements SolanaRunState {
  readonly cluster: Cluster
  readonly network: Network
  readonly faults: NodeFaults = { ...GOOD_NODES }
  readonly service: Service
  readonly holders: SolanaWalletClient[]
  readonly treasury: Treasury | undefined
  readonly readsAreExact: boolean
  /** A holder whom the service does not know. */
  readonly stranger: SolanaWalletClient
  readonly accounts = new Accounts()
  /** Transactions of which two versions may land: their client broke its promise or signed with two fees. */
  readonly doubled = new Set<number>()
  readonly movesSeen = { operation: 0 }
  readonly readingsSeen = new Map<number, string>()
  readonly snapshotsSeen = new Map<string, string>()
  /** The last ledger entry and event that the check of losses has seen. */
  readonly lossesSeen = { entry: 0, event: 0 }
  /** The circuit breakers at the last check. */
  readonly breakersSeen = new Map<string, SeenBreaker>()
  /** Whether its vaults lend, are full, pause and lose. */
  readonly isUnkind: boolean
  /** Whether its treasury may have circuit breakers. */
  readonly hasBreakers: boolean
  /** Whether nodes may list too many transactions of a wallet to be read. */
  readonly isSpammed: boolean
  /** Whether the service reads the activity of wallets, instead of every block. */
  readonly followsWallets: boolean
  readonly #sabotage: Sabotage
  readonly #drawn: NodeFaults

  constructor(
    seed: number,
    database: SimulationDatabase,
    { sabotage, faults, hasTreasury, signerFailure, unkind, breakers, spam, workers }: SolanaRunSettings,
  ) {
    super(seed, database)
    this.#sabotage = sabotage
    const settings = this.random.fork('solana')
    const follow = settings.chance(0.6) ? 'wallets' : 'blocks'
    const finality = follow === 'wallets' || settings.chance(0.6) ? 'tag' : 'depth'
    const treasury = this.random.fork('treasury')
    const drawsTreasury = treasury.chance(hasTreasury ?? 0.4)
    // A search for one broken rule names its treasury, and keeps the course that it had before these were drawn.
    const isOrdinary = hasTreasury === undefined
    this.isUnkind = unkind ?? (isOrdinary && this.random.fork('unkind').chance(0.4))
    this.hasBreakers = breakers ?? (isOrdinary && drawsTreasury && this.random.fork('breakers').chance(0.4))
    this.followsWallets = follow === 'wallets'
    this.isSpammed = follow === 'wallets' && (spam ?? (isOrdinary && this.random.fork('spam').chance(0.3)))
    this.network = networkOf({ finality, follow, hasFeed: this.hasBreakers })
    this.cluster = new Cluster({
      // Reading every block is slow, so there are fewer of them.
      lifetime: follow === 'wallets' ? settings.pick([20, 60, 150]) : settings.between(8, 25),
      depth: finality === 'depth' ? 0 : settings.chance(0.2) ? 31 : settings.between(1, 6),
      rates: MARKETS.map(() => BigInt(settings.between(200, 4_000))),
      now: () => this.clock.now().getTime(),
      random: this.random.fork('cluster'),
      hasFacts: this.hasBreakers,
    })
    if (settings.chance(0.7)) Object.assign(this.cluster.conditions, drawConditions(settings))
    this.#drawn = { ...drawFaults(settings, this.cluster), ...faults }
    const { refuse, lag, retainedBlocks } = this.#drawn
    // What is compared instead of read is valued at a later price.
    this.readsAreExact = refuse === 0 && lag === 0 && retainedBlocks === Number.POSITIVE_INFINITY && !this.isSpammed
    this.holders = [1, 2, 3].map((number) => new SolanaWalletClient(this, keyOf(number)))
    this.stranger = new SolanaWalletClient(this, keyOf(99))
    this.service = new Service({
      pool: database.pool,
      clock: this.clock,
      random: this.random.fork('service'),
      sabotage,
      hasLeases: workers,
      connect: (connection) => this.#connect(connection),
      onWrite: () => {
        this.isDirty = true
      },
      onError: (what) => this.violations.push(what),
    })
    this.treasury = drawsTreasury
      ? new Treasury(this, treasury, {
          checkIssuedBytes: (...issued) => checkIssuedBytes(this, ...issued),
          signerFailure,
        })
      : undefined
  }

  /** Creates the initial organizations, wallets and funds. */
  async setUp(): Promise<void> {
    const { database, clock } = this
    const everybody = [...this.holders, this.stranger].map(({ address }) => address)
    await this.accounts.derive(everybody)
    await database.clear()
    await seedCatalogue(database.db, seedsOfVaults())
    for (const name of ['Acme', 'Globex']) {
      const owner = { email: `${name}@example.org`, name: null, passwordHash: 'nobody logs in' }
      const created = await inTransaction(database.db, (tx) => createOrganization(tx, { clock }, { name, owner }))
      this.organizations.push(created.organization.id)
    }
    this.cluster.give((state) => {
      for (const owner of everybody) {
        state.lamports.set(owner, 10n * SOL)
        for (const [mint, amount] of [
          [USDC.address, 5_000_000_000n] as const,
          [USDT.address, 3_000_000_000n] as const,
        ]) {
          state.lamports.set(this.accounts.of(owner, mint), RENT)
          state.tokens.set(this.accounts.of(owner, mint), { mint, owner, amount })
        }
      }
    })
    // A service follows before it serves its first request: nothing can land behind the cursor.
    await this.request('follow', () => this.service.round(new AbortController().signal))
    for (const holder of this.holders) await holder.register(this.organizations[0]!)
    if (this.random.chance(0.5)) await this.holders[0]!.register(this.organizations[1]!)
    await this.treasury?.setUp(this.random.fork('set up of the treasury'))
    Object.assign(this.faults, this.#drawn)
  }

  /** Mines blocks, each at its own time. */
  mine(count: number): void {
    for (let made = 0; made < count; made += 1) {
      this.clock.advance(SLOT_MS)
      this.cluster.mine()
    }
  }

  mineToFinal(): void {
    this.mine(this.cluster.depth + 1)
  }

  letBytesDie(): void {
    this.mine(this.cluster.lifetime + BLOCKHASH_MARGIN_BLOCKS + this.cluster.depth + 1)
  }

  readonly marketLimits: MarketLimitsOfWallets = {
    payable: (token, owner) =>
      this.#marketsOf(token).map((market) => termsIn(this, this.cluster.latest, market).payableTo(owner)),
    accept: (token) =>
      MARKETS.every((market) => market.token !== token || termsIn(this, this.cluster.latest, market).room === null),
  }

  #marketsOf(token: string) {
    return MARKETS.filter((market) => market.token === token && !this.cluster.closed.has(market.vault))
  }

  async checkPlans(): Promise<void> {
    if (this.isUnkind) await checkMoves(this)
  }

  balanceOf(token: string, owner: string): bigint {
    return this.cluster.latest.state.amount(this.accounts.of(owner, token))
  }

  /** Signs deterministically and with the planned fee: another fee would make another transaction. */
  signed(bytes: string, sender: string) {
    const raw = sign(this.holders.find(({ address }) => address === sender)!.key, bytes)
    return { raw, hash: decodeTransaction(raw).signature }
  }

  send(raw: string): string {
    try {
      answer(new View(this.cluster, 0, Number.POSITIVE_INFINITY), 'sendTransaction', [raw])
      return 'accepted'
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      return (error.data as { err: unknown }).err === 'AlreadyProcessed' ? 'known' : error.message
    }
  }

  landedIn(slot: number): readonly LandedTransaction[] | undefined {
    const block = this.cluster.blockOf(slot)
    return block && block.height <= this.cluster.final.height ? block.landed : undefined
  }

  /** The service's own adapter on simulated nodes. */
  #connect(connection: ProcessConnection) {
    const { cluster, network, faults, clock } = this
    const { svm = (chain) => chain, rpc } = this.#sabotage
    const onSend = (signature: string) => this.requireStored(signature)
    const chain = createSolanaChain({
      network,
      rpcUrls: ['http://node.simulated'],
      log: silentLog,
      clock,
      programErrors: new Map([[VAULT_PROGRAM, SHARE_VAULT_ERRORS]]),
      fault: { fetch: createTransport({ cluster, faults, ...connection, onSend, rewrite: rpc }) },
    })
    // Threads verify signatures, which takes an unpredictable time.
    const { schedule } = connection
    return svm({ ...chain, checkSigned: (text, plan) => schedule.during(() => chain.checkSigned(text, plan)) })
  }
}

function drawConditions(random: Random) {
  return {
    leave: random.next() * 0.4,
    drop: random.next() * 0.3,
    forget: random.next() * 0.5,
    skip: random.next() * 0.4,
  }
}

function drawFaults(random: Random, { lifetime, depth }: Cluster): NodeFaults {
  if (random.chance(0.25)) return { ...GOOD_NODES }
  return {
    refuse: random.chance(0.5) ? random.next() * 0.06 : 0,
    lag: random.chance(0.5) ? random.next() * 0.3 : 0,
    lostBefore: random.chance(0.5) ? random.next() * 0.3 : 0,
    lostAfter: random.chance(0.5) ? random.next() * 0.3 : 0,
    retainedBlocks: random.chance(0.2)
      ? lifetime + BLOCKHASH_MARGIN_BLOCKS + depth + random.between(10, 60)
      : Number.POSITIVE_INFINITY,
  }
}
