import type { Address } from 'viem'
import type { Chain } from '../../chains/index.ts'
import { assert } from '../../kernel/index.ts'
import { planUnwind as planWithdrawal } from '../erc4626/plan.ts'
import { contractCall } from '../evm/contract-call.ts'
import { formatAmount } from '../format-amount.ts'
import type { ClaimPlan, PlannedClaim, PlanStep, UnwindPlan } from '../port.ts'
import { cooldownVaultAbi } from './abi.ts'
import { readDurations } from './read.ts'

/** Starts a cooldown for the amount, or withdraws it where the vault has none at present. */
export async function planUnwind(chain: Chain, plan: UnwindPlan): Promise<PlanStep[]> {
  const { strategy, amount, shares } = plan
  assert(amount !== 'full' || shares > 0n, 'a full withdrawal needs the shares of the position')
  const [duration] = await readDurations(chain, [strategy])
  if (duration === 0n) return planWithdrawal(chain, plan)
  const vault = strategy.params.vault!
  const call =
    amount === 'full'
      ? contractCall(vault, { abi: cooldownVaultAbi, functionName: 'cooldownShares', args: [shares] })
      : contractCall(vault, { abi: cooldownVaultAbi, functionName: 'cooldownAssets', args: [amount] })
  const amountText = amount === 'full' ? `all ${strategy.token}` : formatAmount(strategy, amount)
  return [{ kind: 'exit_request', description: `Start the cooldown of ${amountText} in ${strategy.name}`, call }]
}

/** Claims all of it: these vaults pay no part. */
export function planClaim({ strategy, owner }: ClaimPlan): PlannedClaim {
  const call = contractCall(strategy.params.vault!, {
    abi: cooldownVaultAbi,
    functionName: 'unstake',
    args: [owner as Address],
  })
  return {
    steps: [{ kind: 'exit_claim', description: `Claim ${strategy.token} from ${strategy.name}`, call }],
    amount: 'full',
  }
}
