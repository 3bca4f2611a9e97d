import { type Chain, openTokenAccount, type SvmInstruction, tokenAccountOf } from '../../chains/index.ts'
import { least } from '../../kernel/index.ts'
import { amountText } from '../describe.ts'
import type { Step, Strategy, SupplyPlan, UnwindPlan } from '../port.ts'
import type { Dealing } from './dealing.ts'
import { depositReserveLiquidity } from './deposit-reserve-liquidity.ts'
import { sharesFor } from './price.ts'
import { lendingMarketAuthority } from './program.ts'
import { reservesAt } from './read.ts'
import { redeemReserveCollateral } from './redeem-reserve-collateral.ts'
import { refreshReserve } from './refresh-reserve.ts'
import type { Reserve } from './reserve.ts'

/** One transaction: opens the account for the shares if it is not there, refreshes the reserve, deposits. */
export async function planSupply(chain: Chain, { strategy, owner, amount }: SupplyPlan): Promise<Step[]> {
  const { reserve, dealing } = await read(chain, strategy, owner)
  const instructions = [
    openTokenAccount(owner, owner, reserve.collateralMint, dealing.shareAccount),
    refreshReserve(reserve),
    depositReserveLiquidity(dealing, amount),
  ]
  return [step('supply', `Supply ${amountText(strategy, amount)} to ${strategy.name}`, instructions)]
}

/**
 * One transaction: opens the token account if it was closed, refreshes the reserve, redeems. Shares are rounded up, so
 * that at least the amount arrives; 'full' is every share that the wallet has.
 */
export async function planUnwind(chain: Chain, { strategy, owner, amount, shares }: UnwindPlan): Promise<Step[]> {
  const { reserve, dealing } = await read(chain, strategy, owner)
  const redeemed = amount === 'full' ? shares : least(sharesFor(reserve, amount), shares)
  const instructions = [
    openTokenAccount(owner, owner, reserve.liquidityMint, dealing.tokenAccount),
    refreshReserve(reserve),
    redeemReserveCollateral(dealing, redeemed),
  ]
  const what = amount === 'full' ? 'everything' : amountText(strategy, amount)
  return [step('unwind', `Withdraw ${what} from ${strategy.name}`, instructions)]
}

async function read(chain: Chain, strategy: Strategy, owner: string): Promise<{ reserve: Reserve; dealing: Dealing }> {
  const [[reading], tokenAccount, shareAccount] = await Promise.all([
    reservesAt(chain, [strategy]),
    tokenAccountOf(owner, strategy.tokenAddress),
    tokenAccountOf(owner, strategy.params.shareMint!),
  ])
  const { reserve } = reading!
  const authority = await lendingMarketAuthority(reserve.lendingMarket)
  return { reserve, dealing: { reserve, authority, owner, tokenAccount, shareAccount } }
}

function step(kind: Step['kind'], description: string, instructions: readonly SvmInstruction[]): Step {
  return { kind, description, call: { family: 'svm', instructions } }
}
