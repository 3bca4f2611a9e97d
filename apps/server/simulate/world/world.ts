import { createHash } from 'node:crypto'
import type { BroadcastResult, EvmBlock, EvmIncludedTransaction } from '../../src/chains/index.ts'
import type { Random } from '../random.ts'
import { execute } from './contracts.ts'
import { GENESIS_TIME, type Market, WEALTH } from './market.ts'
import { hashOf, type RawTransaction, signedFrom } from './raw.ts'
import { returnedBy } from './returned.ts'
import { type Move, Revert, State } from './state.ts'

/** A block with the state after it, as any node would report it at any time. */
export interface WorldBlock extends EvmBlock {
  readonly state: State
  /** By hash: why a transaction reverted, or what it moved. */
  readonly reasons: ReadonlyMap<string, string>
  readonly moves: ReadonlyMap<string, readonly Move[]>
}

export interface Waiting extends RawTransaction {
  readonly hash: string
  readonly raw: string
  /** No block includes it before this one. */
  heldUntil: number
}

export interface Conditions {
  /** The probability that a transaction waits for a later block. */
  leave: number
  /** The probability that a transaction removed by a reorganization is dropped. */
  forget: number
}

const GAS = { plain: 21_000n, approve: 48_000n, market: 210_000n }
const BLOCK_SECONDS = 12

interface NewBlock {
  readonly parent: number
  readonly parentHash: string
  readonly transactions: readonly EvmIncludedTransaction[]
  readonly state: State
  readonly reasons?: WorldBlock['reasons']
  readonly moves?: WorldBlock['moves']
}

/**
 * The true state of the chain: one history, one mempool. Models the rules of an EVM chain (nonces, replacement, fees,
 * out of gas, reverts, reorganizations above the final block). Knows nothing about the service.
 */
export class World {
  readonly markets: readonly Market[]
  readonly confirmations: number
  readonly chainId: number
  readonly conditions: Conditions = { leave: 0, forget: 0 }
  readonly blocks: WorldBlock[]
  /** By hash, oldest first. */
  readonly mempool = new Map<string, Waiting>()
  /** All hashes that a node has ever shown. */
  readonly known = new Set<string>()
  /** By sender, nonce and call: the fee below which no block includes the transaction. */
  readonly #floors = new Map<string, bigint>()
  /** Contracts that currently refuse. */
  readonly closed = new Set<string>()
  /** Gas use in percent of the usual. Above 100, transactions planned earlier run out of gas. */
  gasPercent = 100n
  baseFee = 30_000_000_000n
  #time = GENESIS_TIME
  #made = 0
  readonly #random: Random

  constructor(parts: { markets: readonly Market[]; confirmations: number; chainId: number; random: Random }) {
    this.markets = parts.markets
    this.confirmations = parts.confirmations
    this.chainId = parts.chainId
    this.#random = parts.random
    const state = new State()
    for (const { token, safe, protocol, exit } of parts.markets) {
      state.add(token, safe, WEALTH)
      if (protocol === 'erc7540') state.add(token, exit!.escrow, WEALTH)
    }
    this.blocks = [this.#block({ parent: -1, parentHash: `0x${'0'.repeat(64)}`, transactions: [], state })]
  }

  get latest(): WorldBlock {
    return this.blocks.at(-1)!
  }

  get final(): WorldBlock {
    return this.blocks[Math.max(0, this.latest.number - this.confirmations + 1)]!
  }

  /** Sets the initial balances. */
  give(gifts: readonly { to: string; token: string | 'native'; amount: bigint }[]): void {
    const { state } = this.blocks[0]!
    for (const { to, token, amount } of gifts) {
      if (token === 'native') state.native.set(to, state.coins(to) + amount)
      else state.add(token, to, amount)
    }
  }

  /** A healthy node's response to a broadcast. */
  send(raw: string): BroadcastResult {
    const transaction = signedFrom(raw)
    const hash = hashOf(raw)
    if (!transaction) return { outcome: 'refused', code: 'SIMULATION_FAILED', reason: 'invalid signature' }
    if (this.mempool.has(hash) || this.included(hash)) return { outcome: 'known' }
    const { state } = this.latest
    if (transaction.nonce < state.nonce(transaction.sender)) return { outcome: 'stale', reason: 'nonce too low' }
    const cost = transaction.gas * transaction.maxFeePerGas + transaction.value
    if (state.coins(transaction.sender) < cost) {
      return { outcome: 'refused', code: 'INSUFFICIENT_GAS', reason: 'insufficient funds' }
    }
    const rival = [...this.mempool.values()].find(
      ({ sender, nonce }) => sender === transaction.sender && nonce === transaction.nonce,
    )
    if (rival) {
      const paysMore =
        transaction.maxFeePerGas * 10n >= rival.maxFeePerGas * 11n &&
        transaction.maxPriorityFeePerGas * 10n >= rival.maxPriorityFeePerGas * 11n
      if (!paysMore) return { outcome: 'refused', code: 'UNDERPRICED', reason: 'replacement transaction underpriced' }
      this.mempool.delete(rival.hash)
    }
    this.mempool.set(hash, { ...transaction, hash, raw, heldUntil: 0 })
    this.known.add(hash)
    return { outcome: 'accepted' }
  }

  /** The included transaction with this hash on the current chain. */
  included(hash: string): EvmIncludedTransaction | undefined {
    for (let at = this.blocks.length - 1; at >= 0; at -= 1) {
      const found = this.blocks[at]!.transactions.find((transaction) => transaction.hash === hash)
      if (found) return found
    }
    return undefined
  }

  /** The next nonce, counting pending transactions up to the first gap. */
  pendingNonce(address: string): number {
    let nonce = this.latest.state.nonce(address)
    const waiting = new Set(
      [...this.mempool.values()].filter(({ sender }) => sender === address).map(({ nonce }) => nonce),
    )
    while (waiting.has(nonce)) nonce += 1
    return nonce
  }

  /** Leaves a waiting transaction behind for good: only the same one with fees a tenth higher lands instead of it. */
  priceOut(waiting: Waiting): void {
    const key = effectOf(waiting)
    if (!this.#floors.has(key)) this.#floors.set(key, (waiting.maxFeePerGas * 11n) / 10n)
  }

  /** Fees fall: what was priced out can land. */
  fallFees(): void {
    this.#floors.clear()
  }

  isPricedOut(waiting: Waiting): boolean {
    return waiting.maxFeePerGas < (this.#floors.get(effectOf(waiting)) ?? 0n)
  }

  /** Lets time pass before the next block. */
  pass(seconds: number): void {
    this.#time += seconds
  }

  /** Mines the next block: ready transactions that are not left for later, in any order that nonces allow. */
  mine(): void {
    this.#time += BLOCK_SECONDS
    const state = this.latest.state.copy()
    const number = this.latest.number + 1
    const included: EvmIncludedTransaction[] = []
    const reasons = new Map<string, string>()
    const moves = new Map<string, readonly Move[]>()
    const left = new Set<string>()
    for (;;) {
      const ready = [...this.mempool.values()].filter(
        (waiting) =>
          waiting.nonce === state.nonce(waiting.sender) &&
          waiting.maxFeePerGas >= this.baseFee &&
          waiting.heldUntil <= number &&
          !left.has(waiting.hash) &&
          !this.isPricedOut(waiting),
      )
      if (ready.length === 0) break
      const next = this.#random.pick(ready)
      if (this.#random.chance(this.conditions.leave)) left.add(next.hash)
      else {
        this.mempool.delete(next.hash)
        const done = this.#include(state, number, next, reasons)
        const moved = state.takeMoves()
        if (done) included.push(done)
        if (done?.succeeded) moves.set(done.hash, moved)
      }
    }
    this.#forgetUsedNonces(state)
    this.blocks.push(
      this.#block({
        parent: this.latest.number,
        parentHash: this.latest.hash,
        transactions: included,
        state,
        reasons,
        moves,
      }),
    )
  }

  /** Replaces the last blocks, never the final one; their transactions wait again or are dropped. */
  reorganize(depth: number, more: number): void {
    const most = Math.min(depth, this.latest.number - this.final.number)
    if (most <= 0) return
    const gone = this.blocks.splice(this.blocks.length - most)
    for (const transaction of gone.flatMap(({ transactions }) => transactions)) {
      if (this.#random.chance(this.conditions.forget)) continue
      const raw = this.#raws.get(transaction.hash)!
      const waiting = { ...signedFrom(raw)!, hash: transaction.hash, raw, heldUntil: 0 }
      const rival = [...this.mempool.values()].some(
        ({ sender, nonce }) => sender === waiting.sender && nonce === waiting.nonce,
      )
      if (!rival) this.mempool.set(waiting.hash, waiting)
    }
    for (let count = 0; count < most + more; count += 1) this.mine()
  }

  readonly #raws = new Map<string, string>()

  /** Includes a transaction in the state, or drops it if its sender can no longer pay. */
  #include(
    state: State,
    number: number,
    transaction: Waiting,
    reasons: Map<string, string>,
  ): EvmIncludedTransaction | undefined {
    const { sender, to, data, nonce, value, gas, hash, raw } = transaction
    const price = transaction.maxFeePerGas < this.baseFee * 2n ? transaction.maxFeePerGas : this.baseFee * 2n
    if (state.coins(sender) < gas * price + value) return undefined
    this.#raws.set(hash, raw)
    const needed = (gasOf(data) * this.gasPercent) / 100n
    const outcome = needed > gas ? ('out of gas' as const) : this.#try(state, to, sender, data)
    const gasUsed = outcome === 'out of gas' ? gas : needed
    state.nonces.set(sender, nonce + 1)
    state.native.set(sender, state.coins(sender) - gasUsed * price)
    if (outcome instanceof Revert) reasons.set(hash, outcome.message)
    return {
      family: 'evm',
      hash,
      blockNumber: number,
      succeeded: Array.isArray(outcome),
      failureCode: Array.isArray(outcome) ? undefined : gasUsed >= gas ? 'OUT_OF_GAS' : 'REVERTED',
      gasUsed,
      gasLimit: gas,
      logs: Array.isArray(outcome) ? outcome : [],
      sender,
      to,
      nonce,
      data,
      value,
    }
  }

  #try(state: State, to: string, sender: string, data: string) {
    if (this.closed.has(to)) return new Revert('the market is closed')
    const before = state.copy()
    try {
      return execute(state, this.markets, this.#time, { sender, to, data })
    } catch (error) {
      if (!(error instanceof Revert)) throw error
      state.restore(before)
      return error
    }
  }

  /** Runs calls on a copy of a state, as a node's simulation does; returns each one's gas and result, or the first refusal. */
  simulate(at: WorldBlock, sender: string, calls: readonly { to: string; data: string }[]) {
    const state = at.state.copy()
    const gas: bigint[] = []
    const returned: (bigint | undefined)[] = []
    for (const [index, { to, data }] of calls.entries()) {
      if (this.closed.has(to)) return { ok: false as const, index, reason: 'the market is closed', code: 'REVERTED' }
      try {
        returned.push(returnedBy(data, execute(state, this.markets, seconds(at.time), { sender, to, data })))
      } catch (error) {
        if (!(error instanceof Revert)) throw error
        return { ok: false as const, index, reason: error.message, code: 'REVERTED' }
      }
      gas.push((gasOf(data) * 5n) / 4n + 15_000n)
    }
    return { ok: true as const, gas, returned }
  }

  #forgetUsedNonces(state: State): void {
    for (const { hash, sender, nonce } of this.mempool.values()) {
      if (nonce < state.nonce(sender)) this.mempool.delete(hash)
    }
  }

  #block({ parent, parentHash, transactions, state, reasons = new Map(), moves = new Map() }: NewBlock): WorldBlock {
    this.#made += 1
    // The order of creation distinguishes two blocks of the same number.
    const hash = `0x${createHash('sha256').update(`${parentHash} ${this.#made}`).digest('hex')}`
    const time = new Date(this.#time * 1_000)
    return { number: parent + 1, hash, parentHash, time, transactions, state, reasons, moves }
  }
}

export const seconds = (time: Date): number => time.getTime() / 1_000

const effectOf = ({ sender, nonce, to, data }: RawTransaction): string => [sender, nonce, to, data].join(' ')

function gasOf(data: string): bigint {
  if (data === '0x') return GAS.plain
  // 0x095ea7b3: approve; 0xa9059cbb: transfer.
  return data.startsWith('0x095ea7b3') || data.startsWith('0xa9059cbb') ? GAS.approve : GAS.market
}
