import { type Address, maxUint256 } from 'viem'
import type { Chain } from '../../chains/index.ts'
import { contractCall } from '../evm/contract-call.ts'
import { allowanceCall, allowanceSteps } from '../evm/erc20-allowance.ts'
import { integer, requireEvmChain } from '../evm/reader.ts'
import { formatAmount } from '../format-amount.ts'
import type { PlanStep, SupplyPlan, UnwindPlan } from '../port.ts'
import { requireDepositAccepted } from '../require-deposit-accepted.ts'
import { poolAbi } from './abi.ts'
import { reserveCalls, reserveStateFrom } from './reserve-state.ts'

/** The required approvals, then `Pool.supply` on the wallet's own behalf, without a referral. */
export async function planSupply(chain: Chain, plan: SupplyPlan): Promise<PlanStep[]> {
  const { strategy, owner, amount, needsZeroAllowance } = plan
  const pool = strategy.params.pool!
  const allowanceRead = allowanceCall(strategy.tokenAddress, owner, pool)
  const [allowed, ...reserve] = await requireEvmChain(chain).multicall([allowanceRead, ...reserveCalls(strategy)])
  const allowance = integer(allowed, allowanceRead)
  requireDepositAccepted(strategy, reserveStateFrom(strategy, reserve).deposits, amount)
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
