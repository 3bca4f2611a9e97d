import { associatedTokenAddress, type Chain, createAssociatedTokenIdempotent } from '../../chains/index.ts'
import type { PlanStep, SupplyPlan, UnwindPlan } from '../port.ts'
import { requireDepositAccepted } from '../require-deposit-accepted.ts'
import { supplyStep, unwindStep } from '../svm/steps.ts'
import { deposit, type LendingAccounts, redeem, withdraw } from './instructions.ts'
import { marketAddresses } from './program.ts'
import { marketsAt } from './read.ts'

/** One transaction: opens the share account if it is missing, deposits. */
export async function planSupply(chain: Chain, { strategy, owner, amount }: SupplyPlan): Promise<PlanStep[]> {
  const [[reading], accounts] = await Promise.all([
    marketsAt(chain, [strategy]),
    lendingAccountsOf(owner, strategy.tokenAddress),
  ])
  requireDepositAccepted(strategy, reading!.deposits, amount)
  const instructions = [
    createAssociatedTokenIdempotent(owner, owner, accounts.market.shareMint, accounts.shareAccount),
    deposit(accounts, amount),
  ]
  return [supplyStep(strategy, amount, instructions)]
}

/** One transaction: opens the token account if it was closed, withdraws. 'full' redeems every share of the wallet. */
export async function planUnwind(_chain: Chain, { strategy, owner, amount, shares }: UnwindPlan): Promise<PlanStep[]> {
  const accounts = await lendingAccountsOf(owner, strategy.tokenAddress)
  const instructions = [
    createAssociatedTokenIdempotent(owner, owner, strategy.tokenAddress, accounts.tokenAccount),
    amount === 'full' ? redeem(accounts, shares) : withdraw(accounts, amount),
  ]
  return [unwindStep(strategy, amount, instructions)]
}

async function lendingAccountsOf(owner: string, token: string): Promise<LendingAccounts> {
  const market = await marketAddresses(token)
  const [tokenAccount, shareAccount] = await Promise.all([
    associatedTokenAddress(owner, token),
    associatedTokenAddress(owner, market.shareMint),
  ])
  return { market, owner, tokenAccount, shareAccount }
}
