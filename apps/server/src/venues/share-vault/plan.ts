import {
  associatedTokenAddress,
  type Chain,
  createAssociatedTokenIdempotent,
  readonlyAccount,
  type SvmInstruction,
  TOKEN_PROGRAM,
  u64,
  writableAccount,
} from '../../chains/index.ts'
import { minAmount } from '../../kernel/index.ts'
import type { PlanStep, Strategy, SupplyPlan, UnwindPlan } from '../port.ts'
import { requireDepositAccepted } from '../require-deposit-accepted.ts'
import { supplyStep, unwindStep } from '../svm/steps.ts'
import { mintedShares, sharesFor } from './price.ts'
import { termsOf, vaultsAt } from './read.ts'

const DEPOSIT = 1
const REDEEM = 2
/** Means every share of the account to the program. */
const ALL_SHARES = 0xffff_ffff_ffff_ffffn
/** The share price grows between planning and landing; growth of more than a hundredth would no longer be this plan. */
const MIN_SHARES_RATIO = { numerator: 99n, denominator: 100n }

/** One transaction: opens the share account if it is missing, then deposits. */
export async function planSupply(chain: Chain, { strategy, owner, amount }: SupplyPlan): Promise<PlanStep[]> {
  const { shareMint } = strategy.params as { shareMint: string }
  const [[vault], account] = await Promise.all([vaultsAt(chain, [strategy]), associatedTokenAddress(owner, shareMint)])
  requireDepositAccepted(strategy, termsOf(vault!), amount)
  const minShares = (mintedShares(amount, vault!) * MIN_SHARES_RATIO.numerator) / MIN_SHARES_RATIO.denominator
  const instructions = [
    createAssociatedTokenIdempotent(owner, owner, shareMint, account),
    await instruction(strategy, owner, [DEPOSIT, ...u64(amount), ...u64(minShares)]),
  ]
  return [supplyStep(strategy, amount, instructions)]
}

/**
 * One transaction: opens the token account if it was closed, then redeems. Shares are rounded up, so that at least the
 * amount arrives; 'full' uses the program's own value for all shares, which leaves none.
 */
export async function planUnwind(chain: Chain, { strategy, owner, amount, shares }: UnwindPlan): Promise<PlanStep[]> {
  const [[vault], account] = await Promise.all([
    vaultsAt(chain, [strategy]),
    associatedTokenAddress(owner, strategy.tokenAddress),
  ])
  const redeemed = amount === 'full' ? ALL_SHARES : minAmount(sharesFor(amount, vault!), shares)
  const minAmountOut = amount === 'full' ? 0n : amount
  const instructions = [
    createAssociatedTokenIdempotent(owner, owner, strategy.tokenAddress, account),
    await instruction(strategy, owner, [REDEEM, ...u64(redeemed), ...u64(minAmountOut)]),
  ]
  return [unwindStep(strategy, amount, instructions)]
}

async function instruction(strategy: Strategy, owner: string, data: readonly number[]): Promise<SvmInstruction> {
  const { program, vault, shareMint, liquidity } = strategy.params as Record<string, string>
  const [tokens, shares] = await Promise.all([
    associatedTokenAddress(owner, strategy.tokenAddress),
    associatedTokenAddress(owner, shareMint!),
  ])
  return {
    program: program!,
    accounts: [
      { address: owner, signer: true, writable: false },
      writableAccount(vault!),
      readonlyAccount(strategy.tokenAddress),
      writableAccount(shareMint!),
      writableAccount(liquidity!),
      writableAccount(tokens),
      writableAccount(shares),
      readonlyAccount(TOKEN_PROGRAM),
    ],
    data: Buffer.from(data).toString('base64'),
  }
}
