import { type Address, maxUint256 } from 'viem'
import type { Chain } from '../../chains/index.ts'
import { contractCall } from '../evm/contract-call.ts'
import { allowanceSteps, readAllowance } from '../evm/erc20-allowance.ts'
import { formatAmount } from '../format-amount.ts'
import type { PlanStep, SupplyPlan, UnwindPlan } from '../port.ts'
import { poolAbi } from './abi.ts'

/** The required approvals, then `Pool.supply` on the wallet's own behalf, without a referral. */
export async function planSupply(chain: Chain, plan: SupplyPlan): Promise<PlanStep[]> {
  const { strategy, owner, amount, needsZeroAllowance } = plan
  const pool = strategy.params.pool!
  const allowance = await readAllowance(chain, strategy.tokenAddress, owner, pool)
  const spenderName = strategy.venueName
  return [
    ...allowanceSteps({ strategy, spender: pool, spenderName, amount, allowance, needsZeroAllowance }),
    {
      kind: 'supply',
      description: `Supply ${formatAmount(strategy, amount)} to ${strategy.venueName}`,
      call: contractCall(pool, {
        abi: poolAbi,
        functionName: 'supply',
        args: [strategy.tokenAddress as Address, amount, owner as Address, 0],
      }),
    },
  ]
}

/** `Pool.withdraw`; a full withdrawal passes the largest integer, which Aave reads as the whole current balance. */
export async function planUnwind(_chain: Chain, plan: UnwindPlan): Promise<PlanStep[]> {
  const { strategy, owner, amount } = plan
  const amountText = amount === 'full' ? `all ${strategy.token}` : formatAmount(strategy, amount)
  return [
    {
      kind: 'unwind',
      description: `Withdraw ${amountText} from ${strategy.venueName}`,
      call: contractCall(strategy.params.pool!, {
        abi: poolAbi,
        functionName: 'withdraw',
        args: [strategy.tokenAddress as Address, amount === 'full' ? maxUint256 : amount, owner as Address],
      }),
    },
  ]
}
