import { associatedTokenAddress, type Chain, createAssociatedTokenIdempotent } from '../../chains/index.ts'
import type { PlanStep, SupplyPlan, UnwindPlan } from '../port.ts'
import { requireDepositAccepted } from '../require-deposit-accepted.ts'
import { supplyStep, unwindStep } from '../svm/steps.ts'
import { type Dealing, deposit, redeem, withdraw } from './instructions.ts'
import { marketAddresses } from './program.ts'
import { marketsAt } from './read.ts'

/** One transaction: opens the share account if it is missing, deposits. */
export async function planSupply(chain: Chain, { strategy, owner, amount }: SupplyPlan): Promise<PlanStep[]> {
  const [[reading], dealing] = await Promise.all([
    marketsAt(chain, [strategy]),
    dealingOf(owner, strategy.tokenAddress),
  ])
  requireDepositAccepted(strategy, reading!.deposits, amount)
  const instructions = [
    createAssociatedTokenIdempotent(owner, owner, dealing.market.shareMint, dealing.shareAccount),
    deposit(dealing, amount),
  ]
  return [supplyStep(strategy, amount, instructions)]
}

/** One transaction: opens the token account if it was closed, withdraws. 'full' redeems every share of the wallet. */
export async function planUnwind(_chain: Chain, { strategy, owner, amount, shares }: UnwindPlan): Promise<PlanStep[]> {
  const dealing = await dealingOf(owner, strategy.tokenAddress)
  const instructions = [
    createAssociatedTokenIdempotent(owner, owner, strategy.tokenAddress, dealing.tokenAccount),
    amount === 'full' ? redeem(dealing, shares) : withdraw(dealing, amount),
  ]
  return [unwindStep(strategy, amount, instructions)]
}

async function dealingOf(owner: string, token: string): Promise<Dealing> {
  const market = await marketAddresses(token)
  const [tokenAccount, shareAccount] = await Promise.all([
    associatedTokenAddress(owner, token),
    associatedTokenAddress(owner, market.shareMint),
  ])
  return { market, owner, tokenAccount, shareAccount }
}
