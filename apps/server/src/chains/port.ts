import type { Network } from './networks.ts'

/**
 * The Chain port: everything Weir asks of a blockchain, in the words of operations. Adapters live in `evm/` and
 * `solana/`; nothing outside them knows a client library.
 *
 * Every method that talks to the chain throws `Failure('CHAIN_UNAVAILABLE')` when no endpoint answers, and leaves
 * everything where it is (money-rules 12). Calls made in the same tick share one HTTP request.
 */
export interface Chain {
  readonly network: Network

  /** A well-formed address in its canonical spelling (EIP-55, base58), else `undefined`. A wrong checksum is malformed. */
  normalizeAddress(text: string): string | undefined
  /** A well-formed transaction hash in its canonical spelling, else `undefined`. */
  normalizeHash(text: string): string | undefined

  /** The latest and the latest final block. Final: `confirmations` deep, the including block counted. */
  heads(): Promise<Heads>
  /** One block with its transactions, receipts and logs; `undefined` when the node does not have it (yet). One HTTP call. */
  block(number: number): Promise<Block | undefined>
  /** Hash of block 0: tells one development chain from a later one at the same address. */
  genesisHash(): Promise<string>

  /** Token or native balances, in base units, in the order asked; at a block or at the latest. One batched read. */
  balances(asked: readonly BalanceQuery[], at?: number): Promise<bigint[]>

  /** What a plan needs to know of a sender: its next nonce as the node sees it, native coins, fees. */
  sender(address: string): Promise<SenderFacts>
  /** Runs the calls one after the other on top of the latest state, without sending anything. */
  simulate(from: string, calls: readonly Call[]): Promise<Simulation>
  /** Most that the calls can cost in native base units with these gas limits and facts. */
  networkFee(gas: readonly bigint[], facts: SenderFacts): bigint
  /** Unsigned bytes. Pure: what it needs was read before. */
  encode(plan: UnsignedPlan): Unsigned

  /** Decodes and checks signed bytes against a plan; never sends. Throws `Failure('TRANSACTION_MISMATCH')` or `invalid(...)`. */
  checkSigned(text: string, plan: SignedCheck): Promise<Signed>
  /** Sends bytes that were committed before (money-rules 5). */
  broadcast(raw: string): Promise<Broadcast>
  /** What nodes know of these hashes: one batched call. */
  lookUp(hashes: readonly string[]): Promise<(Sighting | undefined)[]>
  /** Transaction counts of these senders at the final block: bytes with a lower nonce can only be landed or dead. */
  finalNonces(addresses: readonly string[]): Promise<number[]>
  /** The decoded reason of an included, reverted transaction; `undefined` when the chain cannot tell. */
  revertReason(transaction: IncludedTransaction): Promise<string | undefined>
}

export interface BlockRef {
  readonly number: number
  readonly hash: string
  readonly parentHash: string
  /** By the chain's clock. */
  readonly time: Date
}

export interface Heads {
  readonly latest: BlockRef
  readonly final: BlockRef
}

export interface Block extends BlockRef {
  readonly transactions: readonly IncludedTransaction[]
}

/** A transaction in a block, with what its receipt says. Addresses canonical, data lower-case hex. */
export interface IncludedTransaction {
  readonly hash: string
  readonly blockNumber: number
  readonly sender: string
  readonly to: string | undefined
  readonly nonce: number
  readonly data: string
  readonly value: bigint
  readonly succeeded: boolean
  readonly gasUsed: bigint
  readonly gasLimit: bigint
  readonly logs: readonly ChainLog[]
}

export interface ChainLog {
  readonly address: string
  readonly topics: readonly string[]
  readonly data: string
}

export interface BalanceQuery {
  readonly owner: string
  /** A token address, or the native coin. */
  readonly token: string | 'native'
}

/** What a transaction does, canonical: it is stored with the plan, and what is signed must equal it. */
export interface EvmCall {
  readonly family: 'evm'
  readonly to: string
  /** Lower-case hex with 0x. */
  readonly data: string
  readonly value: bigint
}
/** Solana's instructions join this union when its adapter does. */
export type Call = EvmCall

export interface SenderFacts {
  readonly family: 'evm'
  /** The chain's count with pending ones. */
  readonly pendingNonce: number
  readonly latestNonce: number
  /** Native base units. */
  readonly native: bigint
  readonly maxFeePerGas: bigint
  readonly maxPriorityFeePerGas: bigint
  /** Rollups only: what one transaction's data may cost on the chain beneath, in native base units. */
  readonly dataFee?: bigint
}

export type Simulation =
  | { readonly ok: true /** Gas limits to plan with, head room included. */; readonly gas: readonly bigint[] }
  | { readonly ok: false; readonly index: number; readonly reason: string | undefined; readonly code: string }

export interface UnsignedPlan {
  readonly sender: string
  readonly call: Call
  readonly nonce: number
  readonly gas: bigint
  readonly facts: SenderFacts
}

export interface Unsigned {
  /** As handed out: hex on EVM. */
  readonly bytes: string
  readonly nonce: number
}

/** What the planned transaction was; fees and gas may be raised by the signer, nothing else may differ. */
export interface SignedCheck {
  readonly sender: string
  readonly call: Call
  readonly nonce: number
}

export interface Signed {
  /** Known before anything is sent. */
  readonly hash: string
  /** Canonical raw bytes, as sent. */
  readonly raw: string
  readonly nonce: number
  readonly gas: bigint
  readonly maxFeePerGas: bigint
  readonly maxPriorityFeePerGas: bigint
}

/**
 * What became of sending. `refused`: a node said no for certain and nothing is on its way; `stale`: the nonce is used;
 * `unknown`: no answer, so it may be on its way.
 */
export type Broadcast =
  | { readonly outcome: 'accepted' | 'known' }
  | {
      readonly outcome: 'refused'
      readonly code: 'INSUFFICIENT_GAS' | 'SIMULATION_FAILED' | 'UNDERPRICED'
      readonly reason: string
    }
  | { readonly outcome: 'stale'; readonly reason: string }
  | { readonly outcome: 'unknown'; readonly reason: string }

/** A transaction that a node knows, pending or included. */
export interface Sighting {
  readonly hash: string
  readonly sender: string
  readonly to: string | undefined
  readonly nonce: number
  readonly data: string
  readonly value: bigint
  readonly blockNumber: number | undefined
}

/** One read-only contract call; `abi` and `functionName` as in viem. */
export interface ContractRead {
  readonly address: string
  readonly abi: readonly unknown[]
  readonly functionName: string
  readonly args?: readonly unknown[]
}

/** What EVM venues need beyond the port: batched contract reads at one block. A read that reverts is `undefined`. */
export interface EvmReader {
  read(calls: readonly ContractRead[], at?: number): Promise<unknown[]>
  /**
   * What the same reads would answer on the state of a block if its time were `time`: interest that grows by the second
   * shows its pace. `undefined` from a node that cannot pretend another time.
   */
  readAsOf(calls: readonly ContractRead[], time: Date, at?: number): Promise<unknown[] | undefined>
}

export interface EvmChain extends Chain, EvmReader {}

/** The chains of one running service, by name. */
export type Chains = ReadonlyMap<string, Chain>
