import { associatedTokenAddress, type Chain, createAssociatedTokenIdempotent } from '../../chains/index.ts'
import { minAmount } from '../../kernel/index.ts'
import type { PlanStep, Strategy, SupplyPlan, UnwindPlan } from '../port.ts'
import { requireDepositAccepted } from '../require-deposit-accepted.ts'
import { supplyStep, unwindStep } from '../svm/steps.ts'
import { depositReserveLiquidity } from './deposit-reserve-liquidity.ts'
import { sharesFor } from './price.ts'
import { lendingMarketAuthority } from './program.ts'
import { reservesAt, reserveTermsAt } from './read.ts'
import { redeemReserveCollateral } from './redeem-reserve-collateral.ts'
import { refreshReserve } from './refresh-reserve.ts'
import type { Reserve } from './reserve.ts'
import type { ReserveAccounts } from './reserve-accounts.ts'

/** One transaction: opens the share account if it is missing, refreshes the reserve, deposits. */
export async function planSupply(chain: Chain, { strategy, owner, amount }: SupplyPlan): Promise<PlanStep[]> {
  const [[reading], accounts] = await Promise.all([reserveTermsAt(chain, [strategy]), accountsOf(strategy, owner)])
  const { reserve, deposits } = reading!
  requireDepositAccepted(strategy, deposits, amount)
  const ownAccounts = await reserveAccountsOf(reserve, accounts)
  const instructions = [
    createAssociatedTokenIdempotent(owner, owner, reserve.collateralMint, ownAccounts.shareAccount),
    refreshReserve(reserve),
    depositReserveLiquidity(ownAccounts, amount),
  ]
  return [supplyStep(strategy, amount, instructions)]
}

/**
 * One transaction: opens the token account if it was closed, refreshes the reserve, redeems. Shares are rounded up, so
 * that at least the amount arrives; 'full' redeems every share of the wallet.
 */
export async function planUnwind(chain: Chain, { strategy, owner, amount, shares }: UnwindPlan): Promise<PlanStep[]> {
  const [[reading], accounts] = await Promise.all([reservesAt(chain, [strategy]), accountsOf(strategy, owner)])
  const { reserve } = reading!
  const ownAccounts = await reserveAccountsOf(reserve, accounts)
  const redeemed = amount === 'full' ? shares : minAmount(sharesFor(reserve, amount), shares)
  const instructions = [
    createAssociatedTokenIdempotent(owner, owner, reserve.liquidityMint, ownAccounts.tokenAccount),
    refreshReserve(reserve),
    redeemReserveCollateral(ownAccounts, redeemed),
  ]
  return [unwindStep(strategy, amount, instructions)]
}

type OwnAccounts = Pick<ReserveAccounts, 'owner' | 'tokenAccount' | 'shareAccount'>

async function accountsOf({ tokenAddress, params }: Strategy, owner: string): Promise<OwnAccounts> {
  const [tokenAccount, shareAccount] = await Promise.all([
    associatedTokenAddress(owner, tokenAddress),
    associatedTokenAddress(owner, params.shareMint!),
  ])
  return { owner, tokenAccount, shareAccount }
}

async function reserveAccountsOf(reserve: Reserve, accounts: OwnAccounts): Promise<ReserveAccounts> {
  return { reserve, authority: await lendingMarketAuthority(reserve.lendingMarket), ...accounts }
}
