import type { Address } from 'viem'
import type { Chain } from '../../chains/index.ts'
import { assert, minAmount, mulDivUp } from '../../kernel/index.ts'
import { PRICE_SCALE } from '../erc4626/price.ts'
import { prices } from '../erc4626/read.ts'
import { contractCall } from '../evm/contract-call.ts'
import { formatAmount } from '../format-amount.ts'
import type { ClaimPlan, PlannedClaim, PlanStep, UnwindPlan } from '../port.ts'
import { asyncVaultAbi } from './abi.ts'

/** Requests the redemption of as many shares as are worth the amount now. One read for an amount. */
export async function planUnwind(chain: Chain, plan: UnwindPlan): Promise<PlanStep[]> {
  const { strategy, amount } = plan
  assert(plan.shares > 0n, 'a request needs the shares of the position')
  const owner = plan.owner as Address
  const shares = amount === 'full' ? plan.shares : minAmount(await sharesFor(chain, plan, amount), plan.shares)
  const amountText = amount === 'full' ? `all ${strategy.token}` : formatAmount(strategy, amount)
  return [
    {
      kind: 'exit_request',
      description: `Request ${amountText} from ${strategy.name}`,
      call: contractCall(strategy.params.vault!, {
        abi: asyncVaultAbi,
        functionName: 'requestRedeem',
        args: [shares, owner, owner],
      }),
    },
  ]
}

async function sharesFor(chain: Chain, { strategy }: UnwindPlan, amount: bigint): Promise<bigint> {
  const [price] = await prices(chain, [strategy])
  assert(price !== undefined && price > 0n, 'a position that is worth something has a price')
  return mulDivUp(amount, PRICE_SCALE, price)
}

/** Claims an exact amount: what the vault settled meanwhile stays claimable. */
export function planClaim({ strategy, owner, amount }: ClaimPlan): PlannedClaim {
  const to = owner as Address
  const call = contractCall(strategy.params.vault!, {
    abi: asyncVaultAbi,
    functionName: 'withdraw',
    args: [amount, to, to],
  })
  const description = `Claim ${formatAmount(strategy, amount)} from ${strategy.name}`
  return { steps: [{ kind: 'exit_claim', description, call }], amount }
}
