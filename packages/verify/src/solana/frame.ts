import type { SolanaRules } from '../allow-list.ts'
import { refuseUnless } from '../refusal.ts'
import {
  ASSOCIATED_TOKEN_PROGRAM,
  COMPUTE_BUDGET_PROGRAM,
  MEMO_PROGRAM,
  SYSTEM_PROGRAM,
  TOKEN_PROGRAM,
  tokenAccountOf,
} from './addresses.ts'
import type { SolanaInstruction, SolanaTransaction } from './read.ts'

const LAMPORTS_PER_SIGNATURE = 5_000n
const MICRO = 1_000_000n
const SET_UNIT_LIMIT = 2
const SET_UNIT_PRICE = 3
const CREATE_IDEMPOTENT = 1

export interface Frame {
  /** The instructions between the compute budget and the memo. */
  readonly inner: readonly SolanaInstruction[]
  /** Lamports. */
  readonly maxCost: bigint
}

/** Strips what every Weir transaction carries: the compute budget in front, the memo with its id at the end. */
export function readFrame({ instructions }: SolanaTransaction, transactionId: number, rules: SolanaRules): Frame {
  const start = instructions.findIndex(({ program }) => program !== COMPUTE_BUDGET_PROGRAM)
  const budgets = start < 0 ? instructions : instructions.slice(0, start)
  const maxCost = costOf(budgets, rules)
  const last = instructions.at(-1)
  refuseUnless(last?.program === MEMO_PROGRAM, 'WRONG_MEMO', 'the transaction does not end with a memo')
  const memo = `weir:${transactionId}`
  refuseUnless(
    last.accounts.length === 0 && last.data.equals(Buffer.from(memo)),
    'WRONG_MEMO',
    `the memo is not ${memo} alone`,
  )
  return { inner: instructions.slice(budgets.length, -1), maxCost }
}

function costOf(budgets: readonly SolanaInstruction[], { fees }: SolanaRules): bigint {
  const [limits, prices] = [SET_UNIT_LIMIT, SET_UNIT_PRICE].map((tag) => budgets.filter(({ data }) => data[0] === tag))
  const [limit, price] = [limits?.[0]?.data, prices?.[0]?.data]
  const understood =
    budgets.every(({ accounts }) => accounts.length === 0) &&
    limits?.length === 1 &&
    limit?.length === 5 &&
    budgets.length === 1 + (prices?.length ?? 0) &&
    (price === undefined ? prices?.length === 0 : prices?.length === 1 && price.length === 9)
  refuseUnless(understood, 'SOMETHING_ELSE', 'the budget is not one limit of compute units and at most one price')
  const units = BigInt(limit.readUInt32LE(1))
  const perUnit = price === undefined ? 0n : price.readBigUInt64LE(1)
  const cost = LAMPORTS_PER_SIGNATURE + (units * perUnit + MICRO - 1n) / MICRO
  refuseUnless(
    units <= fees.maxUnits,
    'FEE_TOO_HIGH',
    `the compute limit is ${units}, the list allows ${fees.maxUnits}`,
  )
  refuseUnless(
    cost <= fees.maxCost,
    'FEE_TOO_HIGH',
    `the transaction may cost ${cost} lamports, the list allows ${fees.maxCost}`,
  )
  return cost
}

/** What a token account of 165 bytes deposits, in lamports: rent exemption at the network's fixed rate. */
const TOKEN_ACCOUNT_RENT = 2_039_280n

/**
 * Strips a leading creation of the wallet's own token account, and returns the rent that it may deposit. The wallet never
 * pays for another owner's account or for another token's.
 */
export async function withoutAccountCreation(
  inner: readonly SolanaInstruction[],
  owner: string,
  mint: string,
): Promise<{ readonly rest: readonly SolanaInstruction[]; readonly rent: bigint }> {
  const [first, ...rest] = inner
  if (first?.program !== ASSOCIATED_TOKEN_PROGRAM) return { rest: inner, rent: 0n }
  const account = await tokenAccountOf(owner, mint)
  const expected = [owner, account, owner, mint, SYSTEM_PROGRAM, TOKEN_PROGRAM]
  refuseUnless(
    first.data.length === 1 && first.data[0] === CREATE_IDEMPOTENT && sameAccounts(first.accounts, expected),
    'WRONG_BENEFICIARY',
    "the token account that is opened is not the wallet's own for this token",
  )
  return { rest, rent: TOKEN_ACCOUNT_RENT }
}

export function sameAccounts(found: readonly string[], expected: readonly string[]): boolean {
  return found.length === expected.length && found.every((address, index) => address === expected[index])
}
