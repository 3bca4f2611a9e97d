import { type Address, maxUint256 } from 'viem'
import type { Chain } from '../../chains/index.ts'
import { contractCall } from '../evm/contract-call.ts'
import { allowanceCall, allowanceSteps } from '../evm/erc20-allowance.ts'
import { integer, requireEvmChain } from '../evm/reader.ts'
import { formatAmount } from '../format-amount.ts'
import type { PlanStep, SupplyPlan, UnwindPlan } from '../port.ts'
import { requireDepositAccepted } from '../require-deposit-accepted.ts'
import { cometAbi } from './abi.ts'
import { pauseCalls, pausesIn } from './market-state.ts'

/** The required approvals, then `supply` of the base token for the wallet itself. */
export async function planSupply(chain: Chain, plan: SupplyPlan): Promise<PlanStep[]> {
  const { strategy, owner, amount, needsZeroAllowance } = plan
  const comet = strategy.params.comet!
  const allowanceRead = allowanceCall(strategy.tokenAddress, owner, comet)
  const [allowed, ...pauses] = await requireEvmChain(chain).multicall([allowanceRead, ...pauseCalls(strategy)])
  const allowance = integer(allowed, allowanceRead)
  requireDepositAccepted(strategy, pausesIn(strategy, pauses).deposits, amount)
  const args = [strategy.tokenAddress as Address, amount] as const
  return [
    ...allowanceSteps({ strategy, spender: comet, spenderName: strategy.name, amount, allowance, needsZeroAllowance }),
    {
      kind: 'supply',
      description: `Supply ${formatAmount(strategy, amount)} to ${strategy.name}`,
      call: contractCall(comet, { abi: cometAbi, functionName: 'supply', args }),
    },
  ]
}

/**
 * `withdraw` of the base token. Comet takes the largest integer as the whole balance. An amount above the balance would
 * borrow, which Comet refuses without collateral.
 */
export async function planUnwind(_chain: Chain, { strategy, amount }: UnwindPlan): Promise<PlanStep[]> {
  const args = [strategy.tokenAddress as Address, amount === 'full' ? maxUint256 : amount] as const
  const amountText = amount === 'full' ? `all ${strategy.token}` : formatAmount(strategy, amount)
  return [
    {
      kind: 'unwind',
      description: `Withdraw ${amountText} from ${strategy.name}`,
      call: contractCall(strategy.params.comet!, { abi: cometAbi, functionName: 'withdraw', args }),
    },
  ]
}
