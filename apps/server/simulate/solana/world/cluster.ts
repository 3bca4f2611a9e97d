import type { Random } from '../../random.ts'
import { addressNamed } from './keys.ts'
import { MARKETS } from './market.ts'
import { execute, Fault, type Weather } from './programs.ts'
import { State, type TokenAccount } from './state.ts'
import { type DecodedTransaction, decodeTransaction } from './transaction.ts'

/** A transaction in a block, with what became of it. */
export interface Landed {
  readonly sent: DecodedTransaction
  readonly hash: string
  readonly succeeded: boolean
  readonly err: unknown
  readonly logs: readonly string[]
  readonly units: bigint
  /** The token accounts that it names, before and after. */
  readonly before: readonly (TokenAccount | undefined)[]
  readonly after: readonly (TokenAccount | undefined)[]
}

/** A block with the state after it: what any node would tell about it, however late. */
export interface ClusterBlock {
  readonly slot: number
  readonly height: number
  readonly hash: string
  /** Unix seconds. */
  readonly time: number
  readonly landed: readonly Landed[]
  readonly state: State
}

/** What is on its way to the leaders. */
export interface Queued {
  readonly sent: DecodedTransaction
  /** No block takes it before this slot. */
  heldUntil: number
}

/** How the cluster is at the moment. Likelihoods. */
export interface Climate {
  /** A transaction is left for a later block. */
  leave: number
  /** What a node took never reaches a leader. */
  drop: number
  /** What a fork took out of the chain is forgotten. */
  forget: number
  /** A slot has no block. */
  skip: number
}

/**
 * The cluster as it really is: one history of slots, some of them without a block, and a queue to the leaders. It knows
 * blockhashes that die of age, fees, programs and forks above the final block, and nothing of the service.
 */
export class Cluster {
  /** So many blocks after its own a blockhash can still be landed with. */
  readonly lifetime: number
  /** So many blocks on top make one final. */
  readonly depth: number
  readonly climate: Climate = { leave: 0, drop: 0, forget: 0, skip: 0 }
  /** By height. */
  readonly blocks: ClusterBlock[] = []
  /** By signature, oldest first. */
  readonly queue = new Map<string, Queued>()
  readonly closed = new Set<string>()
  unitsPercent = 100n
  /** Millionths of a lamport that others offer for a compute unit. */
  priorityFee = 0
  readonly #random: Random
  readonly #now: () => number
  readonly #landed = new Map<string, ClusterBlock>()
  readonly #hashes = new Map<string, number>()
  #finalHeight = 0
  /** Seconds by which the cluster's clock was put forward. */
  #passed = 0
  #slot = 0
  #made = 0

  /** `now`: everybody's clock, in milliseconds. */
  constructor(parts: {
    lifetime: number
    depth: number
    rates: readonly bigint[]
    now: () => number
    random: Random
  }) {
    this.lifetime = parts.lifetime
    this.depth = parts.depth
    this.#random = parts.random
    this.#now = parts.now
    const state = new State()
    for (const [index, { vault, liquidity, token }] of MARKETS.entries()) {
      const first = { assets: 0n, shares: 0n, yieldLeft: 10n ** 15n, rate: parts.rates[index]! }
      state.vaults.set(vault, { ...first, accruedAt: BigInt(this.#seconds) })
      state.tokens.set(liquidity, { mint: token, owner: vault, amount: 10n ** 16n })
    }
    this.#append([], state)
  }

  get latest(): ClusterBlock {
    return this.blocks.at(-1)!
  }

  get final(): ClusterBlock {
    return this.blocks[this.#finalHeight]!
  }

  /** What the newest block leaves besides, as the first one begins with it. */
  give(gift: (state: State) => void): void {
    gift(this.latest.state)
  }

  /** The block of a slot, on the chain as it stands. */
  blockOf(slot: number): ClusterBlock | undefined {
    const near = this.#before(slot)
    return near?.slot === slot ? near : undefined
  }

  /** The state that the last block up to a slot left. */
  stateAt(slot: number): State {
    return this.#before(slot)!.state
  }

  landedIn(signature: string): ClusterBlock | undefined {
    return this.#landed.get(signature)
  }

  /** The height of the block with this hash; `undefined` where none on the chain has it. */
  heightOf(blockhash: string): number | undefined {
    return this.#hashes.get(blockhash)
  }

  /** Whether a block of that height could take a transaction with this blockhash. */
  isAlive(blockhash: string, height: number): boolean {
    const own = this.#hashes.get(blockhash)
    return own !== undefined && own < height && height <= own + this.lifetime
  }

  /** On its way to the leaders, whatever a node thought of it; some never get there. */
  enqueue(raw: string): void {
    const sent = decodeTransaction(raw)
    if (this.queue.has(sent.signature) || this.#random.chance(this.climate.drop)) return
    this.queue.set(sent.signature, { sent, heldUntil: 0 })
  }

  pass(seconds: number): void {
    this.#passed += seconds
  }

  /** Somebody takes money out of a vault that was never lent: a share is worth less from the next block on. */
  lose(vault: string, percent: bigint): void {
    this.#losses.push([vault, percent])
  }

  readonly #losses: [string, bigint][] = []

  /** The next block, with what is ready and not left behind, in any order. */
  mine(): void {
    do this.#slot += 1
    while (this.#random.chance(this.climate.skip))
    const state = this.latest.state.copy()
    for (const [vault, percent] of this.#losses.splice(0)) {
      const before = state.vaults.get(vault)!
      state.vaults.set(vault, { ...before, assets: (before.assets * (100n - percent)) / 100n })
    }
    const height = this.latest.height + 1
    const landed: Landed[] = []
    for (const { sent, heldUntil } of this.#random.shuffled([...this.queue.values()])) {
      const { signature, blockhash, sender, fee } = sent
      const isOver = !this.isAlive(blockhash, height) || this.#landed.has(signature) || state.native(sender) < fee
      if (isOver) this.queue.delete(signature)
      if (isOver || heldUntil > this.#slot || this.#random.chance(this.climate.leave)) continue
      this.queue.delete(signature)
      landed.push(this.#land(state, sent))
    }
    this.#append(landed, state)
  }

  /** The last blocks were of a fork that is given up; what was in them waits again or is forgotten. */
  fork(depth: number, more: number, isSameSlots: boolean): void {
    const most = Math.min(depth, this.latest.height - this.#finalHeight)
    if (most <= 0) return
    const gone = this.blocks.splice(this.blocks.length - most)
    if (isSameSlots) this.#slot = this.latest.slot
    for (const { hash } of gone) this.#hashes.delete(hash)
    for (const { sent } of gone.flatMap(({ landed }) => landed)) {
      this.#landed.delete(sent.signature)
      if (!this.#random.chance(this.climate.forget)) this.queue.set(sent.signature, { sent, heldUntil: 0 })
    }
    for (let count = 0; count < most + more; count += 1) this.mine()
  }

  /** What a transaction would do on the state after a block; the units that it would use. Throws {@link Fault}. */
  simulate(at: ClusterBlock, sent: DecodedTransaction): bigint {
    return execute(at.state.copy(), sent, this.#weatherAt(at.time))
  }

  #weatherAt(time: number): Weather {
    return { time, unitsPercent: this.unitsPercent, closed: this.closed }
  }

  #land(state: State, sent: DecodedTransaction): Landed {
    state.lamports.set(sent.sender, state.native(sent.sender) - sent.fee)
    const tried = state.copy()
    const accountsOf = ({ tokens }: State) => sent.accounts.map((account) => tokens.get(account))
    const told = { sent, hash: sent.signature, before: accountsOf(state) }
    try {
      const units = execute(tried, sent, this.#weatherAt(this.#seconds))
      for (const name of ['lamports', 'tokens', 'vaults'] as const) replace<unknown>(state[name], tried[name])
      return { ...told, succeeded: true, err: null, logs: [], units, after: accountsOf(state) }
    } catch (error) {
      if (!(error instanceof Fault)) throw error
      const { err, logs } = error
      // What ran out of units used them all.
      const units = logs.length === 0 ? sent.units : sent.units / 2n
      return { ...told, succeeded: false, err, logs, units, after: told.before }
    }
  }

  get #seconds(): number {
    return Math.floor(this.#now() / 1_000) + this.#passed
  }

  #append(landed: readonly Landed[], state: State): void {
    this.#made += 1
    const height = this.blocks.length
    // Two blocks of one slot are told apart by the order in which they were made.
    const hash = addressNamed(`block ${this.blocks.at(-1)?.hash} ${this.#made}`)
    const block = { slot: this.#slot, height, hash, time: this.#seconds, landed, state }
    this.blocks.push(block)
    this.#hashes.set(hash, height)
    for (const { hash: signature } of landed) this.#landed.set(signature, block)
    this.#finalHeight = Math.max(this.#finalHeight, height - this.depth)
  }

  #before(slot: number): ClusterBlock | undefined {
    return this.blocks.findLast((block) => block.slot <= slot)
  }
}

function replace<V>(map: Map<string, V>, by: ReadonlyMap<string, unknown>): void {
  map.clear()
  for (const [key, value] of by) map.set(key, value as V)
}
