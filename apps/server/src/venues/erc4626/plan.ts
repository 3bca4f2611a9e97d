import type { Address } from 'viem'
import type { Chain } from '../../chains/index.ts'
import { assert, Failure } from '../../kernel/index.ts'
import { contractCall } from '../evm/contract-call.ts'
import { allowanceCall, allowanceSteps } from '../evm/erc20-allowance.ts'
import { integer, requireEvmChain } from '../evm/reader.ts'
import { formatAmount } from '../format-amount.ts'
import type { PlanStep, SupplyPlan, UnwindPlan } from '../port.ts'
import { requireDepositAccepted } from '../require-deposit-accepted.ts'
import { vaultAbi } from './abi.ts'
import { depositTermsCalls, depositTermsFrom } from './deposit-terms.ts'
import { exitBounds, leastShares, previewDepositCall } from './fees.ts'
import { closedWhilePaused, readFluidStates } from './fluid-state.ts'
import { hasShortfall, pricingCalls, pricingFrom } from './shortfall.ts'

const SHORT = {
  message: 'The vault holds less than it owes: a deposit would lose a part of it at once.',
  details: { reason: 'full' },
}

/** The required approvals, then `deposit` with the wallet as receiver. Errors: STRATEGY_NOT_ACTIVE, AMOUNT_OUT_OF_BOUNDS. */
export async function planSupply(chain: Chain, plan: SupplyPlan): Promise<PlanStep[]> {
  const { strategy, owner, amount, needsZeroAllowance } = plan
  const vault = strategy.params.vault!
  const read = [allowanceCall(strategy.tokenAddress, owner, vault), ...pricingCalls(strategy)] as const
  const terms = depositTermsCalls(strategy, owner)
  const [[allowed, ...results], fluid] = await Promise.all([
    requireEvmChain(chain).multicall([...read, ...terms, ...(plan.isOwnChoice ? [previewDepositCall(plan)] : [])]),
    readFluidStates(chain, [strategy]),
  ])
  const allowance = integer(allowed, read[0])
  const [room, paused, previewed] = results.splice(read.length - 1)
  const pricing = pricingFrom(strategy, results)
  if (hasShortfall(pricing)) throw new Failure('STRATEGY_NOT_ACTIVE', SHORT)
  const accepted = depositTermsFrom(strategy, [room, paused])
  requireDepositAccepted(strategy, closedWhilePaused(fluid.get(strategy.id), accepted), amount)
  const least = leastShares(plan, pricing.reportedPrice, previewed)
  return [
    ...allowanceSteps({ strategy, spender: vault, spenderName: strategy.name, amount, allowance, needsZeroAllowance }),
    {
      kind: 'supply',
      description: `Supply ${formatAmount(strategy, amount)} to ${strategy.name}`,
      call: contractCall(vault, { abi: vaultAbi, functionName: 'deposit', args: [amount, owner as Address] }),
      ...least,
    },
  ]
}

/**
 * `withdraw` pays an exact amount for shares rounded up. A full withdrawal uses `redeem` with all shares, because an
 * amount of tokens would leave behind the yield earned until inclusion. `redeem` may pay less than the shares are worth:
 * Yearn's vaults pass on the losses of their strategies, which their price does not show yet.
 */
export async function planUnwind(chain: Chain, plan: UnwindPlan): Promise<PlanStep[]> {
  const { strategy, amount, shares } = plan
  assert(amount !== 'full' || shares > 0n, 'a full withdrawal needs the shares of the position')
  const vault = strategy.params.vault!
  const owner = plan.owner as Address
  const call =
    amount === 'full'
      ? contractCall(vault, { abi: vaultAbi, functionName: 'redeem', args: [shares, owner, owner] })
      : contractCall(vault, { abi: vaultAbi, functionName: 'withdraw', args: [amount, owner, owner] })
  const amountText = amount === 'full' ? `all ${strategy.token}` : formatAmount(strategy, amount)
  const description = `Withdraw ${amountText} from ${strategy.name}`
  return [{ kind: 'unwind', description, call, ...(await exitBounds(chain, plan)) }]
}
