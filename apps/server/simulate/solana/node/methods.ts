import type { ClusterBlock } from '../world/cluster.ts'
import { GENESIS_HASH } from '../world/market.ts'
import { Fault, RENT } from '../world/programs.ts'
import { decodeTransaction } from '../world/transaction.ts'
import { encodeAccount, encodeBlock, encodeLanded, encodeMention } from './encode.ts'
import { Refusal, type View } from './view.ts'

type Options = Readonly<Record<string, unknown>>
type Method = (view: View, first: never, second: never) => unknown

const BLOCK_CLEANED_UP = -32_001
const PREFLIGHT_FAILED = -32_002
const BLOCK_NOT_AVAILABLE = -32_004
const SLOT_SKIPPED = -32_007

/** Responses of a healthy node, from what it knows. Throw {@link Refusal}. */
const METHODS: Readonly<Record<string, Method>> = {
  getGenesisHash: () => GENESIS_HASH,
  getSlot: (view, options: Options) => view.head(options).slot,
  getBlockHeight: (view, options: Options) => view.head(options).height,
  getFirstAvailableBlock: (view) => view.cluster.blocks[view.first]!.slot,
  getBlock(view, slot: number, options: Options) {
    return encodeBlock(view.cluster, blockAt(view, slot, options), options.transactionDetails)
  },
  getBlocksWithLimit(view, slot: number, limit: number) {
    const { height } = view.head({})
    const later = view.cluster.blocks.filter((block) => block.slot >= slot && block.height <= height)
    return later.slice(0, limit).map((block) => block.slot)
  },
  getBalance(view, address: string, options: Options) {
    const at = view.head(options)
    return inContext(at, Number(at.state.native(address)))
  },
  getMultipleAccounts(view, addresses: readonly string[], options: Options) {
    const at = view.head(options)
    const slice = options.dataSlice as { offset: number; length: number } | undefined
    return inContext(
      at,
      addresses.map((address) => encodeAccount(at, address, slice)),
    )
  },
  getMinimumBalanceForRentExemption: () => Number(RENT),
  getLatestBlockhash(view, options: Options) {
    const at = view.head(options)
    return inContext(at, { blockhash: at.hash, lastValidBlockHeight: at.height + view.cluster.lifetime })
  },
  isBlockhashValid(view, blockhash: string, options: Options) {
    const at = view.head(options)
    return inContext(at, isValid(view, blockhash, at))
  },
  getRecentPrioritizationFees: (view) => [{ slot: view.head({}).slot, prioritizationFee: view.cluster.priorityFee }],
  simulateTransaction(view, raw: string, options: Options) {
    const at = view.head(options)
    const { err, logs, units } = tried(view, raw, at)
    return inContext(at, { err, logs, unitsConsumed: Number(units) })
  },
  sendTransaction(view, raw: string, { minContextSlot }: Options) {
    const at = view.head({ minContextSlot })
    const sent = decodeTransaction(raw)
    const refuse = (err: unknown, logs: readonly string[] = []): never => {
      throw new Refusal(PREFLIGHT_FAILED, `Transaction simulation failed: ${JSON.stringify(err)}`, { err, logs })
    }
    if (view.landedIn(sent.signature, at)) refuse('AlreadyProcessed')
    if (!isValid(view, sent.blockhash, at)) refuse('BlockhashNotFound')
    if (at.state.native(sent.sender) < sent.fee) refuse('InsufficientFundsForFee')
    const { err, logs } = tried(view, raw, at)
    if (err !== null) refuse(err, logs)
    view.cluster.enqueue(raw)
    return sent.signature
  },
  getSignatureStatuses(view, signatures: readonly string[]) {
    const at = view.head({})
    const statuses = signatures.map((signature) => {
      const block = view.landedIn(signature, at)
      return block ? { slot: block.slot } : null
    })
    return inContext(at, statuses)
  },
  getTransaction(view, signature: string, options: Options) {
    const block = view.landedIn(signature, view.head(options))
    const landed = block?.landed.find(({ hash }) => hash === signature)
    return block && landed ? { slot: block.slot, blockTime: block.time, ...encodeLanded(landed) } : null
  },
  getSignaturesForAddress(view, address: string, options: Options) {
    const { height, slot, time } = view.head(options)
    if (view.cluster.spammed.has(address)) {
      const mention = { slot, blockTime: time, err: null, memo: null }
      return Array.from({ length: Number(options.limit) }, (_, at) => ({ ...mention, signature: `spam ${at}` }))
    }
    const found = view.cluster.blocks
      .slice(view.first, height + 1)
      .flatMap((block) =>
        block.landed
          .filter(({ sent }) => sent.accounts.includes(address))
          .map((landed) => encodeMention(block, landed)),
      )
      .reverse()
    const before = found.findIndex(({ signature }) => signature === options.before)
    return found.slice(before + 1).slice(0, Number(options.limit))
  },
}

export function answer(view: View, method: string, params: readonly unknown[]): unknown {
  const known = METHODS[method]
  if (!known) throw new Error(`the simulated node does not know ${method}`)
  return known(view, (params[0] ?? {}) as never, (params[1] ?? {}) as never)
}

const inContext = ({ slot }: ClusterBlock, value: unknown) => ({ context: { slot }, value })

/** A bank considers a blockhash valid as long as the next block could still accept it. */
function isValid({ cluster }: View, blockhash: string, at: ClusterBlock): boolean {
  const own = cluster.heightOf(blockhash)
  return own !== undefined && own <= at.height && at.height <= own + cluster.lifetime
}

function blockAt(view: View, slot: number, options: Options): ClusterBlock {
  if (slot > view.head(options).slot) throw new Refusal(BLOCK_NOT_AVAILABLE, `Block not available for slot ${slot}`)
  const first = view.cluster.blocks[view.first]!
  if (slot < first.slot) throw new Refusal(BLOCK_CLEANED_UP, `Block ${slot} cleaned up, does not exist on node`)
  const block = view.cluster.blockOf(slot)
  if (!block) throw new Refusal(SLOT_SKIPPED, `Slot ${slot} was skipped`)
  return block
}

function tried({ cluster }: View, raw: string, at: ClusterBlock) {
  try {
    return { err: null, logs: [], units: cluster.simulate(at, decodeTransaction(raw)) }
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    return { err: error.err, logs: error.logs, units: 0n }
  }
}
