import type { SvmAccount, SvmInstruction } from '../../port/calls.ts'
import {
  ASSOCIATED_TOKEN_PROGRAM,
  COMPUTE_BUDGET_PROGRAM,
  MEMO_PROGRAM,
  SYSTEM_PROGRAM,
  TOKEN_PROGRAM,
} from '../addresses/programs.ts'

/** Instructions of Solana's own programs, as plain data: plans and the database store them. */

const base64 = (...bytes: readonly number[]): string => Buffer.from(bytes).toString('base64')

/** Little-endian, eight bytes. */
export function u64(value: bigint): number[] {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64LE(value)
  return [...bytes]
}

function u32(value: number): number[] {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return [...bytes]
}

export const readonlyAccount = (address: string): SvmAccount => ({ address, signer: false, writable: false })
export const writableAccount = (address: string): SvmAccount => ({ address, signer: false, writable: true })
const signerAccount = (address: string): SvmAccount => ({ address, signer: true, writable: true })

/** The maximum compute units of a transaction, and its price per unit in millionths of a lamport. */
export function setComputeBudget(units: bigint, price: bigint): SvmInstruction[] {
  const limit = { program: COMPUTE_BUDGET_PROGRAM, accounts: [], data: base64(2, ...u32(Number(units))) }
  if (price === 0n) return [limit]
  return [limit, { program: COMPUTE_BUDGET_PROGRAM, accounts: [], data: base64(3, ...u64(price)) }]
}

/** Text in the transaction that has no effect; its signer does not need to sign the memo as well. */
export function memo(text: string): SvmInstruction {
  return { program: MEMO_PROGRAM, accounts: [], data: Buffer.from(text, 'utf8').toString('base64') }
}

/** Opens the account in which `owner` holds a token; does nothing if it exists. */
export function createAssociatedTokenIdempotent(
  payer: string,
  owner: string,
  mint: string,
  account: string,
): SvmInstruction {
  return {
    program: ASSOCIATED_TOKEN_PROGRAM,
    accounts: [
      signerAccount(payer),
      writableAccount(account),
      readonlyAccount(owner),
      readonlyAccount(mint),
      readonlyAccount(SYSTEM_PROGRAM),
      readonlyAccount(TOKEN_PROGRAM),
    ],
    data: base64(1),
  }
}

/** `authority` mints new tokens. */
export function mintTo(mint: string, account: string, authority: string, amount: bigint): SvmInstruction {
  return {
    program: TOKEN_PROGRAM,
    accounts: [writableAccount(mint), writableAccount(account), { ...readonlyAccount(authority), signer: true }],
    data: base64(7, ...u64(amount)),
  }
}

/** Moves tokens from one account to another, both of the same token. */
export function transferTokens(source: string, target: string, owner: string, amount: bigint): SvmInstruction {
  return {
    program: TOKEN_PROGRAM,
    accounts: [writableAccount(source), writableAccount(target), { ...readonlyAccount(owner), signer: true }],
    data: base64(3, ...u64(amount)),
  }
}

/** Moves lamports. */
export function transferNative(from: string, to: string, lamports: bigint): SvmInstruction {
  return {
    program: SYSTEM_PROGRAM,
    accounts: [signerAccount(from), writableAccount(to)],
    data: base64(...u32(2), ...u64(lamports)),
  }
}
