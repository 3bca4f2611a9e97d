import type { Random } from '../../random.ts'
import { addressNamed } from './keys.ts'
import { MARKETS, type VaultMarket } from './market.ts'
import { type ExecutionContext, execute, Fault } from './programs.ts'
import { State, type TokenAccount, type Vault } from './state.ts'
import { type DecodedTransaction, decodeTransaction } from './transaction.ts'

/** What a vault holds while nothing is lent, more than it owes: the budget for yield included. */
const FUNDS = 10n ** 16n
const OPEN = { paused: false, cap: null }

/** A transaction in a block, with its result. */
export interface Landed {
  readonly sent: DecodedTransaction
  readonly hash: string
  readonly succeeded: boolean
  readonly err: unknown
  readonly logs: readonly string[]
  readonly units: bigint
  /** The token accounts that it references, before and after. */
  readonly before: readonly (TokenAccount | undefined)[]
  readonly after: readonly (TokenAccount | undefined)[]
}

/** A block with the state after it, as any node would report it at any time. */
export interface ClusterBlock {
  readonly slot: number
  readonly height: number
  readonly hash: string
  /** Unix seconds. */
  readonly time: number
  readonly landed: readonly Landed[]
  readonly state: State
}

/** A transaction on its way to the leaders. */
export interface Queued {
  readonly sent: DecodedTransaction
  /** No block includes it before this slot. */
  heldUntil: number
}

/** The cluster's current conditions, as probabilities. */
export interface Conditions {
  /** A transaction waits for a later block. */
  leave: number
  /** An accepted transaction never reaches a leader. */
  drop: number
  /** A transaction that a fork removed from the chain is dropped. */
  forget: number
  /** A slot has no block. */
  skip: number
}

/**
 * The true state of the cluster: one history of slots, some without a block, and a queue to the leaders. Models
 * expiring blockhashes, fees, programs and forks above the final block. Knows nothing about the service.
 */
export class Cluster {
  /** Addresses that strangers mention so often that nodes list nothing else of them. */
  readonly spammed = new Set<string>()
  /** A transaction can land up to this many blocks after the block of its blockhash. */
  readonly lifetime: number
  /** A block is final with this many blocks on top. */
  readonly depth: number
  readonly conditions: Conditions = { leave: 0, drop: 0, forget: 0, skip: 0 }
  /** By height. */
  readonly blocks: ClusterBlock[] = []
  /** Blocks of forks, which nodes served before they were abandoned. */
  readonly abandoned: ClusterBlock[] = []
  /** By signature, oldest first. */
  readonly queue = new Map<string, Queued>()
  readonly closed = new Set<string>()
  unitsPercent = 100n
  /** What others offer per compute unit, in millionths of a lamport. */
  priorityFee = 0
  readonly #random: Random
  readonly #now: () => number
  readonly #landed = new Map<string, ClusterBlock>()
  readonly #hashes = new Map<string, number>()
  #finalHeight = 0
  /** Seconds by which the cluster's clock was advanced. */
  #passed = 0
  #slot = 0
  #made = 0

  /** `now`: the shared clock, in milliseconds. */
  constructor(parts: {
    lifetime: number
    depth: number
    rates: readonly bigint[]
    now: () => number
    random: Random
    /** Whether nodes report what circuit breakers watch. */
    hasFacts: boolean
  }) {
    this.lifetime = parts.lifetime
    this.depth = parts.depth
    this.#random = parts.random
    this.#now = parts.now
    const state = new State()
    for (const [index, { vault, liquidity, token }] of MARKETS.entries()) {
      const first = { assets: 0n, shares: 0n, yieldLeft: 10n ** 15n, rate: parts.rates[index]!, ...OPEN }
      state.vaults.set(vault, { ...first, accruedAt: BigInt(this.#seconds) })
      state.tokens.set(liquidity, { mint: token, owner: vault, amount: FUNDS })
    }
    if (parts.hasFacts) state.facts = { usd: 10n ** 8n, deployedIn: 0 }
    this.#append([], state)
  }

  get latest(): ClusterBlock {
    return this.blocks.at(-1)!
  }

  get final(): ClusterBlock {
    return this.blocks[this.#finalHeight]!
  }

  /** Changes the state of the newest block directly; used for the initial state. */
  give(gift: (state: State) => void): void {
    gift(this.latest.state)
  }

  /** The block of a slot on the current chain. */
  blockOf(slot: number): ClusterBlock | undefined {
    const near = this.#before(slot)
    return near?.slot === slot ? near : undefined
  }

  /** The state after the last block up to a slot. */
  stateAt(slot: number): State {
    return this.#before(slot)!.state
  }

  landedIn(signature: string): ClusterBlock | undefined {
    return this.#landed.get(signature)
  }

  /** The height of the block with this hash; `undefined` if the chain has none. */
  heightOf(blockhash: string): number | undefined {
    return this.#hashes.get(blockhash)
  }

  /** Whether a block of that height could include a transaction with this blockhash. */
  isAlive(blockhash: string, height: number): boolean {
    const own = this.#hashes.get(blockhash)
    return own !== undefined && own < height && height <= own + this.lifetime
  }

  /** Sends a transaction to the leaders regardless of the node's result; some never arrive. */
  enqueue(raw: string): void {
    const sent = decodeTransaction(raw)
    if (this.queue.has(sent.signature) || this.#random.chance(this.conditions.drop)) return
    this.queue.set(sent.signature, { sent, heldUntil: 0 })
  }

  pass(seconds: number): void {
    this.#passed += seconds
  }

  /** Others change accounts in the next block, before everything else there. A fork may undo it. */
  change(what: (state: State, slot: number) => void): void {
    this.#changes.push(what)
  }

  readonly #changes: ((state: State, slot: number) => void)[] = []

  /** A vault loses part of its funds: its shares are worth less from the next block on. */
  lose(vault: string, percent: bigint): void {
    this.change((state) => {
      const before = state.vaults.get(vault)!
      state.vaults.set(vault, { ...before, assets: (before.assets * (100n - percent)) / 100n })
    })
  }

  /** A vault lends out what it holds, down to `left`; `undefined`: all of it returns. */
  lend({ liquidity }: VaultMarket, left: bigint | undefined): void {
    this.change((state) => {
      const before = state.tokens.get(liquidity)!
      if (left === undefined || left < before.amount) state.tokens.set(liquidity, { ...before, amount: left ?? FUNDS })
    })
  }

  /** Pauses a vault or caps its assets. */
  govern({ vault }: VaultMarket, terms: Partial<Pick<Vault, 'paused' | 'cap'>>): void {
    this.change((state) => state.vaults.set(vault, { ...state.vaults.get(vault)!, ...terms }))
  }

  /** Mines the next block: ready transactions that are not left for later, in any order. */
  mine(): void {
    do this.#slot += 1
    while (this.#random.chance(this.conditions.skip))
    const state = this.latest.state.copy()
    for (const change of this.#changes.splice(0)) change(state, this.#slot)
    const height = this.latest.height + 1
    const landed: Landed[] = []
    for (const { sent, heldUntil } of this.#random.shuffled([...this.queue.values()])) {
      const { signature, blockhash, sender, fee } = sent
      const isOver = !this.isAlive(blockhash, height) || this.#landed.has(signature) || state.native(sender) < fee
      if (isOver) this.queue.delete(signature)
      if (isOver || heldUntil > this.#slot || this.#random.chance(this.conditions.leave)) continue
      this.queue.delete(signature)
      landed.push(this.#land(state, sent))
    }
    this.#append(landed, state)
  }

  /** Abandons the last blocks as a fork; their transactions wait again or are dropped. */
  fork(depth: number, more: number, isSameSlots: boolean): void {
    const most = Math.min(depth, this.latest.height - this.#finalHeight)
    if (most <= 0) return
    const gone = this.blocks.splice(this.blocks.length - most)
    if (isSameSlots) this.#slot = this.latest.slot
    this.abandoned.push(...gone)
    for (const { hash } of gone) this.#hashes.delete(hash)
    for (const { sent } of gone.flatMap(({ landed }) => landed)) {
      this.#landed.delete(sent.signature)
      if (!this.#random.chance(this.conditions.forget)) this.queue.set(sent.signature, { sent, heldUntil: 0 })
    }
    for (let count = 0; count < most + more; count += 1) this.mine()
  }

  /** Simulates a transaction on the state after a block; returns the units used. Throws {@link Fault}. */
  simulate(at: ClusterBlock, sent: DecodedTransaction): bigint {
    return execute(at.state.copy(), sent, this.#contextAt(at.time))
  }

  #contextAt(time: number): ExecutionContext {
    return { time, unitsPercent: this.unitsPercent, closed: this.closed }
  }

  #land(state: State, sent: DecodedTransaction): Landed {
    state.lamports.set(sent.sender, state.native(sent.sender) - sent.fee)
    const tried = state.copy()
    const accountsOf = ({ tokens }: State) => sent.accounts.map((account) => tokens.get(account))
    const common = { sent, hash: sent.signature, before: accountsOf(state) }
    try {
      const units = execute(tried, sent, this.#contextAt(this.#seconds))
      for (const name of ['lamports', 'tokens', 'vaults'] as const) replace<unknown>(state[name], tried[name])
      return { ...common, succeeded: true, err: null, logs: [], units, after: accountsOf(state) }
    } catch (error) {
      if (!(error instanceof Fault)) throw error
      const { err, logs } = error
      // A transaction that ran out of units used them all.
      const units = logs.length === 0 ? sent.units : sent.units / 2n
      return { ...common, succeeded: false, err, logs, units, after: common.before }
    }
  }

  get #seconds(): number {
    return Math.floor(this.#now() / 1_000) + this.#passed
  }

  #append(landed: readonly Landed[], state: State): void {
    this.#made += 1
    const height = this.blocks.length
    // The order of creation distinguishes two blocks of the same slot.
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
