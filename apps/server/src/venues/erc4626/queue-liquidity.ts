import type { Chain, ContractRead } from '../../chains/index.ts'
import { minAmount, mulDivDown, WITHDRAW_QUEUE_MAX } from '../../kernel/index.ts'
import { erc20Abi } from '../evm/erc20.ts'
import { requireEvmChain } from '../evm/reader.ts'
import type { Strategy } from '../port.ts'
import { queueAbi } from './abi.ts'

/** A vault that tells where it lends: MetaMorpho, and others with its interface (ADR 157). */
export interface VaultQueue {
  readonly strategy: Strategy
  /** The contract of all its markets. */
  readonly markets: string
  readonly length: number
}

/** Virtual assets and shares, with which the markets' contract rounds against the first depositor. */
const VIRTUAL_ASSETS = 1n
const VIRTUAL_SHARES = 1_000_000n

/** The reads that tell whether a vault has a queue. */
export function queueCalls({ params }: Strategy): readonly [ContractRead, ContractRead] {
  const read = (functionName: string) => ({ address: params.vault!, abi: queueAbi, functionName, args: [] })
  return [read('MORPHO'), read('withdrawQueueLength')]
}

/** The queue in the results of {@link queueCalls}; `undefined`: the vault tells none, or one that is too long to read. */
export function queueFrom(strategy: Strategy, [markets, length]: readonly unknown[]): VaultQueue | undefined {
  if (typeof markets !== 'string' || typeof length !== 'bigint' || length > WITHDRAW_QUEUE_MAX) return undefined
  return { strategy, markets, length: Number(length) }
}

/**
 * What all depositors of each vault could withdraw together, by the strategy's id: of each market in the queue what the
 * vault has there, as far as borrowers left it. Markets tell their totals as of their last movement; interest since then
 * is missing. A vault is omitted where a market is unreadable. Two requests, none without a queue.
 */
export async function readQueueLiquidity(
  chain: Chain,
  queues: readonly VaultQueue[],
  at?: number,
): Promise<ReadonlyMap<number, bigint>> {
  if (queues.length === 0) return new Map()
  const evm = requireEvmChain(chain)
  const entries = queues.flatMap((queue) => Array.from({ length: queue.length }, (_, index) => ({ queue, index })))
  const ids = await evm.multicall(
    entries.map(({ queue, index }) => idCall(queue, index)),
    at,
  )
  const held = queues.map(heldCall)
  const reads = entries.flatMap(({ queue }, i) => marketCalls(queue, ids[i]))
  const results = await evm.multicall([...held, ...reads], at)
  const parts = entries.map(({ queue }, i) => {
    const [market, position] = results.slice(held.length + 2 * i, held.length + 2 * i + 2)
    return { queue, payable: ids[i] === undefined ? undefined : payableFrom(market, position) }
  })
  return new Map(
    queues.flatMap((queue, i) => {
      const own = parts.filter((part) => part.queue === queue).map(({ payable }) => payable)
      const balance = results[i]
      if (typeof balance !== 'bigint' || !own.every((payable) => payable !== undefined)) return []
      return [
        [
          queue.strategy.id,
          minAmount(
            own.reduce((sum, payable) => sum + payable, 0n),
            balance,
          ),
        ],
      ]
    }),
  )
}

function idCall({ strategy }: VaultQueue, index: number): ContractRead {
  return { address: strategy.params.vault!, abi: queueAbi, functionName: 'withdrawQueue', args: [BigInt(index)] }
}

function heldCall({ strategy, markets }: VaultQueue): ContractRead {
  return { address: strategy.tokenAddress, abi: erc20Abi, functionName: 'balanceOf', args: [markets] }
}

const NO_ID = `0x${'0'.repeat(64)}`

function marketCalls({ strategy, markets }: VaultQueue, id: unknown): [ContractRead, ContractRead] {
  const read = (functionName: string, ...args: readonly unknown[]): ContractRead => {
    return { address: markets, abi: queueAbi, functionName, args: [id ?? NO_ID, ...args] }
  }
  return [read('market'), read('position', strategy.params.vault!)]
}

/** What one market pays the vault; `undefined`: it does not report it. */
function payableFrom(market: unknown, position: unknown): bigint | undefined {
  const [supplied, supplyShares, borrowed] = Array.isArray(market) ? (market as unknown[]) : []
  const [shares] = Array.isArray(position) ? (position as unknown[]) : []
  if (typeof supplied !== 'bigint' || typeof supplyShares !== 'bigint') return undefined
  if (typeof borrowed !== 'bigint' || typeof shares !== 'bigint') return undefined
  const owned = mulDivDown(shares, supplied + VIRTUAL_ASSETS, supplyShares + VIRTUAL_SHARES)
  return minAmount(owned, supplied - borrowed)
}
