import {
  type BlockRef,
  type Call,
  CallUnfinishedError,
  type ContractRead,
  callToJson,
  EVM_CAPABILITIES,
  type EvmChain,
  type EvmTransactionContent,
  evmCall,
  type Heads,
  type Network,
  normalizeAddress,
  type ObservedTransaction,
  type OfferedFees,
} from '../../src/chains/index.ts'
import { Failure } from '../../src/kernel/index.ts'
import { hashOf, signedFrom, toUnsigned } from '../world/raw.ts'
import { readContract } from '../world/read-contract.ts'
import { simulateFunded } from '../world/simulate-funded.ts'
import { seconds, type World, type WorldBlock } from '../world/world.ts'
import type { ProcessConnection } from './service.ts'

/** The faults of the service's nodes. Probabilities per request. */
export interface NodeFaults {
  /** The node does nothing and does not respond. */
  refuse: number
  /** The response is from a node that is some blocks behind and has no mempool. */
  lag: number
  /** The connection breaks before sent bytes arrive. */
  lostBefore: number
  /** The node accepts the bytes, but its response is lost. */
  lostAfter: number
  /** State older than this many blocks is pruned. */
  retainedBlocks: number
}

export const GOOD_NODES: NodeFaults = {
  refuse: 0,
  lag: 0,
  lostBefore: 0,
  lostAfter: 0,
  retainedBlocks: Number.POSITIVE_INFINITY,
}

export interface NodeParts extends ProcessConnection {
  readonly world: World
  readonly network: Network
  readonly faults: NodeFaults
  /** Called with the bytes of a broadcast before any node sees them. */
  readonly onSend: (raw: string, hash: string) => Promise<void>
  /** Called with the transaction counts that the node returned. */
  readonly onResponse: (address: string, counts: { pending: number; latest: number }) => void
}

const unavailable = () => new Failure('CHAIN_UNAVAILABLE')

/** The Chain port on this world's nodes, which respond late, some blocks behind, or not at all, but never lie. */
export function createNode({
  world,
  network,
  random,
  faults,
  nodes,
  schedule,
  crashes,
  onSend,
  onResponse,
}: NodeParts): EvmChain {
  let highest: BlockRef | undefined
  let lastFinal: BlockRef | undefined

  /** Runs one request on its turn. The process may die before and after it. */
  async function request<T>(label: string, answer: () => T): Promise<T> {
    await schedule.turn()
    crashes.point(`before ${label}`)
    if (nodes.areAway || random.chance(faults.refuse)) throw unavailable()
    const answered = answer()
    crashes.point(`after ${label}`)
    return answered
  }

  const behind = (): number => (random.chance(faults.lag) ? random.between(1, 4) : 0)
  const headOf = (lag: number): WorldBlock => world.blocks[Math.max(0, world.latest.number - lag)]!

  /** The block to read at, from a node that has it and its state. */
  function stateAt(at: number | undefined): WorldBlock {
    const head = headOf(behind())
    const block = at === undefined ? head : world.blocks[at]
    if (!block || block.number > head.number || world.latest.number - block.number > faults.retainedBlocks)
      throw unavailable()
    return block
  }

  /** Whether a node gives up on one of these calls. */
  function areHeavy(calls: readonly Call[]): boolean {
    const heavy = world.markets.filter(({ limits }) => limits.isHeavy).map(({ contract }) => contract)
    return calls.some((call) => heavy.includes(evmCall(call).to))
  }

  function simulated(calls: readonly Call[], from: string) {
    if (areHeavy(calls)) throw new CallUnfinishedError('simulate', 'execution aborted (timeout = 5s)')
    return world.simulate(headOf(behind()), from, calls.map(evmCall))
  }

  const refOf = ({ number, hash, parentHash, time }: WorldBlock): BlockRef => ({ number, hash, parentHash, time })

  return {
    ...EVM_CAPABILITIES,
    network,
    isResting: () => nodes.areAway,
    normalizeAddress: (text) => normalizeAddress(network.blockchain, text),
    normalizeHash: (text) => (/^0x[0-9a-fA-F]{64}$/.test(text) ? text.toLowerCase() : undefined),

    heads: () =>
      request('heads', (): Heads => {
        const head = headOf(behind())
        const higher = (one: BlockRef | undefined, other: BlockRef) => (one && one.number > other.number ? one : other)
        highest = higher(highest, refOf(head))
        const depth = Math.max(0, highest.number - network.confirmations + 1)
        if (depth > head.number) throw unavailable()
        lastFinal = higher(lastFinal, depth === highest.number ? highest : refOf(world.blocks[depth]!))
        return { latest: highest, final: lastFinal }
      }),
    block: (number) =>
      request('block', () => {
        const head = headOf(behind())
        const found = world.blocks[number]
        if (!found || number > head.number) return undefined
        return { ...refOf(found), transactions: found.transactions }
      }),
    header: (number) =>
      request('block', () => {
        const head = headOf(behind())
        const found = world.blocks[number]
        return found && number <= head.number ? refOf(found) : undefined
      }),
    isSkipped: async () => false,
    walletActivity: undefined,
    genesisHash: () => request('genesis', () => world.blocks[0]!.hash),

    balances: (asked, at, atLeast = 0) =>
      request('balances', () => {
        const { state, time, number } = stateAt(at)
        if (number < atLeast) throw unavailable()
        return asked.map(({ owner, token }) =>
          token === 'native' ? state.coins(owner) : balanceOf(world, state, { token, owner, time: seconds(time) }),
        )
      }),
    senderState: (address) =>
      request('sender', () => {
        const lag = behind()
        const { state, number } = headOf(lag)
        const latest = state.nonce(address)
        const nonces = { pending: lag > 0 ? latest : world.pendingNonce(address), latest, block: number }
        onResponse(address, nonces)
        const tip = 30_000_000_000n
        const baseFeePerGas = world.baseFee
        const fees = { baseFeePerGas, maxFeePerGas: baseFeePerGas * 2n + tip, maxPriorityFeePerGas: tip }
        return { family: 'evm', nonces, native: state.coins(address), ...fees }
      }),
    simulate: (from, calls) => request('simulate', () => simulated(calls, from)),
    encode({ call, nonce, gas, senderState }) {
      if (senderState.family !== 'evm' || nonce === null) throw new Error('facts of an EVM chain')
      const { to, data, value } = evmCall(call)
      const { maxFeePerGas, maxPriorityFeePerGas } = senderState
      const bytes = toUnsigned({
        chainId: world.chainId,
        nonce,
        to,
        data,
        value,
        gas,
        maxFeePerGas,
        maxPriorityFeePerGas,
      })
      return { bytes, nonce, call: evmCall(call), lifetime: undefined }
    },
    async checkSigned(text, plan) {
      const signed = signedFrom(text)
      const call = evmCall(plan.call)
      const same =
        signed !== undefined &&
        signed.sender === plan.sender &&
        signed.nonce === plan.nonce &&
        signed.chainId === world.chainId &&
        callToJson({ family: 'evm', to: signed.to, data: signed.data, value: signed.value }) === callToJson(call)
      if (!same) throw new Failure('TRANSACTION_MISMATCH')
      const { nonce, gas, maxFeePerGas, maxPriorityFeePerGas } = signed
      return { family: 'evm', hash: hashOf(text), raw: text, nonce, gas, maxFeePerGas, maxPriorityFeePerGas }
    },

    async broadcast(raw) {
      await schedule.turn()
      crashes.point('before a send')
      await onSend(raw, hashOf(raw))
      if (nodes.areAway || random.chance(faults.lostBefore)) return { outcome: 'unknown', reason: 'connection refused' }
      const answer = world.send(raw)
      crashes.point('after a send')
      if (random.chance(faults.lostAfter)) return { outcome: 'unknown', reason: 'timeout' }
      return answer
    },
    findTransactions: (hashes) =>
      request('look up', () => {
        const lag = behind()
        return hashes.map((hash): ObservedTransaction | undefined => {
          const included = world.included(hash)
          if (included && included.blockNumber <= headOf(lag).number) return included
          const waiting = lag > 0 ? undefined : world.mempool.get(hash)
          return waiting && { ...contentOf(waiting.raw), hash, blockNumber: undefined, fees: feesOf(waiting) }
        })
      }),
    finalNonces: (addresses) =>
      request('final nonces', () => {
        const head = headOf(behind())
        const { state } = world.blocks[Math.max(0, head.number - network.confirmations + 1)]!
        return addresses.map((address) => state.nonce(address))
      }),
    async findLanded() {
      throw new Error('assertion failed: EVM chains have nonces')
    },
    revertReason: ({ hash, blockNumber }) =>
      request('revert reason', () => world.blocks[blockNumber]?.reasons.get(hash)),

    multicall: (calls, at) =>
      request('read', () => {
        const { state, time } = stateAt(at)
        return calls.map((call) => readContract(world.markets, state, seconds(time), call))
      }),
    ...(network.tokens.some(({ usdFeed }) => usdFeed) && {
      contractCode: (addresses: readonly string[]) =>
        request('read code', () =>
          addresses.map((address) => ({ codeHash: codeAt(world, address), implementation: null, beacon: null })),
        ),
    }),
    simulateFunded: (from, funds, calls) =>
      request('simulate with funds', () =>
        areHeavy(calls) ? undefined : simulateFunded(world, headOf(behind()), { from, funds, calls }),
      ),
    callSucceeds: (from, call) => request('call', () => simulated([call], from).ok),
    multicallAtTime: (calls: readonly ContractRead[], time, at) =>
      request('read as of', () => {
        const { state } = stateAt(at)
        return calls.map((call) => readContract(world.markets, state, seconds(time), call))
      }),
  }
}

/** Each upgrade of a market replaces the code of its contract. */
const codeAt = ({ markets }: World, address: string): string =>
  `code ${markets.find(({ contract }) => contract === address)?.limits.code ?? 0}`

function balanceOf(
  world: World,
  state: WorldBlock['state'],
  { token, owner, time }: { readonly token: string; readonly owner: string; readonly time: number },
): bigint {
  const answer = readContract(world.markets, state, time, {
    address: token,
    abi: [],
    functionName: 'balanceOf',
    args: [owner],
  })
  return answer as bigint
}

const feesOf = ({ maxFeePerGas, maxPriorityFeePerGas }: OfferedFees): OfferedFees => ({
  maxFeePerGas,
  maxPriorityFeePerGas,
})

function contentOf(raw: string): EvmTransactionContent {
  const { sender, to, nonce, data, value } = signedFrom(raw)!
  return { family: 'evm', sender, to, nonce, data, value }
}
