import { getBase64EncodedWireTransaction } from '@solana/transactions'
import { assert } from '../../../kernel/index.ts'
import { type Call, type SvmInstruction, svmCall } from '../../port/calls.ts'
import type { SimulationResult } from '../../port/chain.ts'
import { decodeResult } from '../../rpc/decode-result.ts'
import { integerFrom } from '../../rpc/integer-from.ts'
import { requestRejected } from '../../rpc/rpc.ts'
import { ASSOCIATED_TOKEN_PROGRAM } from '../addresses/programs.ts'
import type { SolanaContext, SolanaRpcResponse } from '../context.ts'
import { decodeTransactionError } from '../errors/transaction-errors.ts'
import { readAccounts } from '../reads/accounts.ts'
import { COMPUTE_UNITS_MAX } from '../transactions/compute-budget.ts'
import { transactionMemo } from '../transactions/encode.ts'
import { memo, setComputeBudget } from '../transactions/instructions.ts'
import { compile } from '../transactions/message.ts'

interface WireSimulation {
  readonly err: unknown
  readonly logs: readonly string[] | null
  readonly unitsConsumed?: number
}

/** Any value will do: the node inserts its own. */
const NO_BLOCKHASH = '11111111111111111111111111111111'

/** State changes between planning and inclusion; only used and offered units are paid. */
function withHeadroom(units: bigint): bigint {
  const padded = (units * 6n) / 5n + 2_000n
  return padded < COMPUTE_UNITS_MAX ? padded : COMPUTE_UNITS_MAX
}

/**
 * Runs the transaction on the latest state without sending it; a plan on Solana is one transaction (spec 4.6). The
 * longest possible memo is used in place of the plan's real one. One HTTP call.
 */
export async function simulate(
  context: SolanaContext,
  from: string,
  calls: readonly Call[],
): Promise<SimulationResult> {
  const { rpc, programErrors } = context
  const [call, ...others] = calls
  assert(call && others.length === 0, 'a plan on Solana is one transaction')
  const longest = memo(transactionMemo(Number.MAX_SAFE_INTEGER))
  const instructions = [...setComputeBudget(COMPUTE_UNITS_MAX, 0n), ...svmCall(call).instructions, longest]
  const bytes = getBase64EncodedWireTransaction(compile(from, instructions, NO_BLOCKHASH))
  const options = { encoding: 'base64', sigVerify: false, replaceRecentBlockhash: true, commitment: 'confirmed' }
  const [simulated, rentDeposits] = await Promise.all([
    rpc.request<SolanaRpcResponse<WireSimulation>>('simulateTransaction', [bytes, options]),
    rentDepositsFor(context, from, svmCall(call).instructions),
  ])
  const { value } = decodeResult('simulateTransaction', () => ({ value: { ...simulated.value } }))
  if (value.err === undefined) throw requestRejected('simulateTransaction', 'the outcome is missing')
  if (value.err === null)
    return { ok: true, gas: [withHeadroom(integerFrom('unitsConsumed', value.unitsConsumed ?? 0))], rentDeposits }
  return { ok: false, index: 0, ...decodeTransactionError(value.err, value.logs ?? [], programErrors), rentDeposits }
}

const TOKEN_ACCOUNT_BYTES = 165

/** Rent that the payer deposits for token accounts that do not exist yet. */
async function rentDepositsFor(
  { rpc }: Pick<SolanaContext, 'rpc'>,
  payer: string,
  instructions: readonly SvmInstruction[],
): Promise<bigint> {
  const opened = instructions.flatMap(({ program, accounts }) =>
    program === ASSOCIATED_TOKEN_PROGRAM && accounts[0]?.address === payer ? [accounts[1]!.address] : [],
  )
  if (opened.length === 0) return 0n
  const [readings, each] = await Promise.all([
    readAccounts({ rpc }, opened, 'confirmed'),
    rpc.request<number>('getMinimumBalanceForRentExemption', [TOKEN_ACCOUNT_BYTES]),
  ])
  return (
    integerFrom('getMinimumBalanceForRentExemption', each) *
    BigInt(readings.filter(({ account }) => account === undefined).length)
  )
}
