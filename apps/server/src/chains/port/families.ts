import type { Block, BlockRef } from './blocks.ts'
import type { Call, EvmCall, SvmCall } from './calls.ts'
import type { Chain } from './chain.ts'
import type { EvmIncludedTransaction, SvmIncludedTransaction } from './included-transaction.ts'
import type { BlockhashLifetime, EvmSenderState, SvmSenderState } from './sender-state.ts'
import type {
  EvmSignedTransaction,
  ExpectedTransaction,
  SvmSignedTransaction,
  TransactionRequest,
  UnsignedTransaction,
} from './transaction-bytes.ts'

/** One read-only contract call; `abi` and `functionName` as in viem. */
export interface ContractRead {
  readonly address: string
  readonly abi: readonly unknown[]
  readonly functionName: string
  readonly args?: readonly unknown[]
}

/** The code of a contract at present. */
export interface ContractCode {
  /** Hash of the code at the address itself; without code, the hash of nothing. */
  readonly codeHash: string
  /** The contract whose code a proxy runs, as ERC-1967 stores it; `null`: the contract is no such proxy. */
  readonly implementation: string | null
  /** The contract that a proxy asks for its code, in the slot of ERC-1967. */
  readonly beacon: string | null
}

/** What EVM venues need beyond the port: batched contract reads at one block. A read that reverts is `undefined`. */
export interface EvmReader {
  multicall(calls: readonly ContractRead[], at?: number): Promise<unknown[]>
  /**
   * The results of the same reads on the state of a block if its time were `time`; this shows the pace of interest that
   * grows every second. `undefined` from a node that cannot simulate another time.
   */
  multicallAtTime(calls: readonly ContractRead[], time: Date, at?: number): Promise<unknown[] | undefined>
  /**
   * Whether each call would succeed in sequence if the sender had these funds; a failed one changes nothing. At most one
   * block's gas. `undefined`: the node does not report it.
   */
  simulateFunded(
    from: string,
    funds: { readonly token: string; readonly amount: bigint },
    calls: readonly Call[],
  ): Promise<boolean[] | undefined>
  /** Whether a call from this address would succeed on the latest state, even if the sender cannot pay its gas. */
  callSucceeds(from: string, call: Call): Promise<boolean>
  /**
   * The code of contracts in the latest block, in address order, in one HTTP call; absent: the chain does not report
   * it.
   */
  readonly contractCode?: ((addresses: readonly string[]) => Promise<ContractCode[]>) | undefined
}

/** A chain with the capabilities that its own venues, and a development chain's treasury, use. */
export interface EvmChain extends Chain, EvmReader {
  senderState(address: string): Promise<EvmSenderState>
  block(number: number): Promise<EvmBlock | undefined>
  encode(plan: TransactionRequest): EvmUnsignedTransaction
  checkSigned(text: string, plan: ExpectedTransaction): Promise<EvmSignedTransaction>
}

export interface EvmBlock extends Block {
  readonly transactions: readonly EvmIncludedTransaction[]
}

export interface EvmUnsignedTransaction extends UnsignedTransaction {
  readonly nonce: number
  readonly call: EvmCall
}

/** What Solana venues need beyond the port: current accounts, all at one slot. */
export interface SvmReader {
  /**
   * Data of accounts in address order, `undefined` where there is none: the current state, or, when settling block
   * `at`, the last final state. No node serves past states.
   */
  accounts(addresses: readonly string[], at?: number): Promise<(Buffer | undefined)[]>
  /** How programs were last deployed, in address order; `undefined`: nobody can replace it, or it is no program. */
  programDeployments(programs: readonly string[]): Promise<(ProgramDeployment | undefined)[]>
}

/** The last deployment of a program that can be replaced. */
export interface ProgramDeployment {
  /** The account that holds its code. */
  readonly programData: string
  readonly slot: bigint
  /** Who may replace it; `null`: nobody. */
  readonly authority: string | null
}

export interface SvmChain extends Chain, SvmReader {
  header(slot: number): Promise<(BlockRef & { readonly height: number }) | undefined>
  senderState(address: string): Promise<SvmSenderState>
  block(number: number): Promise<SvmBlock | undefined>
  encode(plan: TransactionRequest): SvmUnsignedTransaction
  checkSigned(text: string, plan: ExpectedTransaction): Promise<SvmSignedTransaction>
}

export interface SvmBlock extends Block {
  readonly transactions: readonly SvmIncludedTransaction[]
}

export interface SvmUnsignedTransaction extends UnsignedTransaction {
  readonly call: SvmCall
  readonly lifetime: BlockhashLifetime
}
