import type { SvmInstruction } from '../../../src/chains/index.ts'
import {
  ASSOCIATED_TOKEN_PROGRAM,
  COMPUTE_BUDGET_PROGRAM,
  MEMO_PROGRAM,
  SYSTEM_PROGRAM,
  TOKEN_PROGRAM,
} from '../../../src/chains/solana/addresses/programs.ts'
import { MARKETS, VAULT_PROGRAM } from './market.ts'
import type { State } from './state.ts'
import { bytesOf, type DecodedTransaction } from './transaction.ts'
import { accrued, sharesFor, worthOf } from './vault.ts'

/** The error of a failed transaction, as nodes report it. Its only effect is its fee. */
export class Fault extends Error {
  override readonly name = 'Fault'
  readonly err: unknown
  readonly logs: readonly string[]

  constructor(err: unknown, logs: readonly string[] = []) {
    super(JSON.stringify(err))
    this.err = err
    this.logs = logs
  }
}

/** The conditions under which a transaction runs. */
export interface ExecutionContext {
  /** Unix seconds of its block. */
  readonly time: number
  /** Compute units needed, in percent of the usual. */
  readonly unitsPercent: bigint
  /** Vaults that currently refuse. */
  readonly closed: ReadonlySet<string>
}

/** Lamports that a token account holds while it exists. */
export const RENT = 2_039_280n
const ALL_SHARES = 0xffff_ffff_ffff_ffffn
const CODES = {
  lacksLamports: 1,
  lacksTokens: 1,
  notClosable: 11,
  nothing: 113,
  less: 114,
  lacksShares: 115,
  closed: 111,
  paused: 118,
  full: 119,
}

/** Runs a transaction, changing the state; returns the units used. Throws {@link Fault} and leaves a partial state. */
export function execute(state: State, sent: DecodedTransaction, context: ExecutionContext): bigint {
  let used = 0n
  for (const [index, instruction] of sent.instructions.entries()) {
    const fail = (code: number): never => {
      const log = `Program ${instruction.program} failed: custom program error: 0x${code.toString(16)}`
      throw new Fault({ InstructionError: [index, { Custom: code }] }, [log])
    }
    const needed = (unitsOf(state, instruction) * context.unitsPercent) / 100n
    used += needed
    if (used > sent.units) throw new Fault({ InstructionError: [index, 'ComputationalBudgetExceeded'] })
    run(state, instruction, context, fail)
  }
  return used
}

function unitsOf(state: State, { program, accounts }: SvmInstruction): bigint {
  if (program === COMPUTE_BUDGET_PROGRAM) return 150n
  if (program === ASSOCIATED_TOKEN_PROGRAM) return state.tokens.has(accounts[1]!.address) ? 3_000n : 22_000n
  return program === MEMO_PROGRAM ? 12_000n : program === VAULT_PROGRAM ? 5_500n : 4_600n
}

type Fail = (code: number) => never

function run(state: State, { program, accounts, data }: SvmInstruction, context: ExecutionContext, fail: Fail): void {
  const bytes = bytesOf(data)
  const at = accounts.map(({ address }) => address)
  if (program === ASSOCIATED_TOKEN_PROGRAM) open(state, at, fail)
  else if (program === SYSTEM_PROGRAM) pay(state, { from: at[0]!, to: at[1]!, amount: bytes.readBigUInt64LE(4) }, fail)
  else if (program === TOKEN_PROGRAM && bytes[0] === 3) {
    add(state, at[0]!, -bytes.readBigUInt64LE(1), fail)
    add(state, at[1]!, bytes.readBigUInt64LE(1), fail)
  } else if (program === TOKEN_PROGRAM && bytes[0] === 9) close(state, at[0]!, at[1]!, fail)
  else if (program === VAULT_PROGRAM) vault(state, { at, bytes, context }, fail)
}

function open(state: State, [payer, account, owner, mint]: readonly string[], fail: Fail): void {
  if (state.tokens.has(account!)) return
  pay(state, { from: payer!, to: account!, amount: RENT }, fail)
  state.tokens.set(account!, { mint: mint!, owner: owner!, amount: 0n })
}

function close(state: State, account: string, to: string, fail: Fail): void {
  if (state.amount(account) > 0n) fail(CODES.notClosable)
  if (!state.tokens.delete(account)) fail(CODES.notClosable)
  pay(state, { from: account, to, amount: RENT }, fail)
}

function pay(
  state: State,
  { from, to, amount }: { readonly from: string; readonly to: string; readonly amount: bigint },
  fail: Fail,
): void {
  if (state.native(from) < amount) fail(CODES.lacksLamports)
  state.lamports.set(from, state.native(from) - amount)
  state.lamports.set(to, state.native(to) + amount)
}

function add(state: State, account: string, amount: bigint, fail: Fail): void {
  const before = state.tokens.get(account)
  const after = (before?.amount ?? 0n) + amount
  if (!before || after < 0n) fail(CODES.lacksTokens)
  else state.tokens.set(account, { ...before, amount: after })
}

interface VaultInstruction {
  readonly at: readonly string[]
  readonly bytes: Buffer
  readonly context: ExecutionContext
}

function vault(state: State, { at, bytes, context: { time, closed } }: VaultInstruction, fail: Fail): void {
  const [, address, , , liquidity, tokens, shares] = at as [string, string, string, string, string, string, string]
  const market = MARKETS.find((candidate) => candidate.vault === address)
  if (!market || closed.has(address)) fail(CODES.closed)
  const now = accrued(state.vaults.get(address)!, time)
  if (now.paused) fail(CODES.paused)
  const [asked, least] = [bytes.readBigUInt64LE(1), bytes.readBigUInt64LE(9)]
  if (bytes[0] === 1) {
    const minted = sharesFor(asked, now)
    if (minted === 0n) fail(CODES.nothing)
    if (minted < least) fail(CODES.less)
    if (now.cap !== null && now.assets + asked > now.cap) fail(CODES.full)
    add(state, tokens, -asked, fail)
    add(state, liquidity, asked, fail)
    add(state, shares, minted, fail)
    state.vaults.set(address, { ...now, assets: now.assets + asked, shares: now.shares + minted })
    return
  }
  const held = state.amount(shares)
  const burnt = asked === ALL_SHARES ? held : asked
  if (burnt > held) fail(CODES.lacksShares)
  const paid = worthOf(burnt, now)
  if (paid === 0n) fail(CODES.nothing)
  if (paid < least) fail(CODES.less)
  add(state, shares, -burnt, fail)
  add(state, liquidity, -paid, fail)
  add(state, tokens, paid, fail)
  state.vaults.set(address, { ...now, assets: now.assets - paid, shares: now.shares - burnt })
}
