import { assert } from '../../kernel/index.ts'

/** What a transaction does, in canonical form: stored with the plan, and the signed bytes must match it. */
export type Call = EvmCall | SvmCall

export interface EvmCall {
  readonly family: 'evm'
  readonly to: string
  /** Lower-case hex with 0x. */
  readonly data: string
  readonly value: bigint
}

/**
 * Instructions in order, including the memo with the transaction id once the plan has one, without those that only set
 * the transaction's cost.
 */
export interface SvmCall {
  readonly family: 'svm'
  readonly instructions: readonly SvmInstruction[]
}

export interface SvmInstruction {
  readonly program: string
  readonly accounts: readonly SvmAccount[]
  /** Base64. */
  readonly data: string
}

export interface SvmAccount {
  readonly address: string
  readonly signer: boolean
  readonly writable: boolean
}

/** A part of a call as people and programs read it: one contract or program, and what it is asked to do. */
export interface CallPart {
  readonly contract: string
  /** In the native coin's smallest unit, where a call can carry it. */
  readonly value?: bigint
  /** In order, where a call names them. */
  readonly accounts?: readonly SvmAccount[]
  /** Lower-case hex with 0x, or base64. */
  readonly data: string
}

/** The memo with a transaction's id (rule 11): building bytes adds it, and it does nothing. */
const ID_MEMO = /^weir:\d+$/
const isIdMemo = ({ accounts, data }: SvmInstruction): boolean =>
  accounts.length === 0 && ID_MEMO.test(Buffer.from(data, 'base64').toString('latin1'))

/** What a call does, the same before its bytes are built and after: all but nonce, fees, blockhash and memo. */
export function callParts(call: Call): readonly CallPart[] {
  if (call.family === 'evm') return [{ contract: call.to, value: call.value, data: call.data }]
  return call.instructions
    .filter((instruction) => !isIdMemo(instruction))
    .map(({ program, accounts, data }) => ({ contract: program, accounts, data }))
}

/** A call as stored with its transaction: amounts as text, because JSON numbers are floats. */
export function callToJson(call: Call): string {
  if (call.family === 'svm') return JSON.stringify({ family: 'svm', instructions: call.instructions })
  return JSON.stringify({ family: 'evm', to: call.to, data: call.data, value: call.value.toString() })
}

type StoredCall = { family: 'evm'; to: string; data: string; value: string } | SvmCall

export function callFromJson(json: Readonly<Record<string, unknown>>): Call {
  const stored = json as unknown as StoredCall
  if (stored.family === 'svm') return { family: 'svm', instructions: stored.instructions }
  return { family: 'evm', to: stored.to, data: stored.data, value: BigInt(stored.value) }
}

/** Narrows a call to its family; another family is a programmer's error. */
export function evmCall(call: Call): EvmCall {
  assert(call.family === 'evm', 'an EVM call')
  return call
}

export function svmCall(call: Call): SvmCall {
  assert(call.family === 'svm', 'a Solana call')
  return call
}

/**
 * Whether instructions do the same: programs, accounts in order, and data. Writability is not compared: a message
 * merges the flags of all its instructions, so they read differently once compiled.
 */
export function sameInstructions(a: readonly SvmInstruction[], b: readonly SvmInstruction[]): boolean {
  return a.length === b.length && a.every((instruction, index) => sameInstruction(instruction, b[index]!))
}

function sameInstruction(a: SvmInstruction, b: SvmInstruction): boolean {
  return (
    a.program === b.program &&
    a.data === b.data &&
    a.accounts.length === b.accounts.length &&
    a.accounts.every(({ address }, index) => address === b.accounts[index]!.address)
  )
}
