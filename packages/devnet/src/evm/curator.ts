import type { Address } from 'viem'
import { baseUnits, MIN_DEPOSIT } from './chains.ts'
import type { EvmToken } from './deployment.ts'
import type { PlanBuilder } from './plan-builder.ts'

/** Plans calls of the curator to contracts of our own. */
export const curatorCalls =
  (plan: PlanBuilder) =>
  (path: string, to: Address, functionName: string, args: readonly unknown[]): void =>
    plan.call('curator', `weir/${path}`, { to, functionName, args })

interface FirstDeposit {
  /** The type of the vault's contract. */
  readonly path: string
  readonly vault: Address
  readonly token: Address
  /** Whole tokens. */
  readonly amount: bigint
}

/** Plans the curator's first deposit into a vault: mint, approve, deposit. */
export function depositAsCurator(plan: PlanBuilder, { path, vault, token, amount }: FirstDeposit): void {
  const call = curatorCalls(plan)
  const curator = plan.accounts.curator.address
  call('DevToken', token, 'mint', [curator, baseUnits(amount)])
  call('DevToken', token, 'approve', [vault, baseUnits(amount)])
  call(path, vault, 'deposit', [baseUnits(amount), curator])
}

/** What all strategies of a token have in common. */
export const strategyOf = ({ symbol, address }: Pick<EvmToken, 'symbol' | 'address'>) =>
  ({ token: symbol, tokenAddress: address, minDeposit: MIN_DEPOSIT, maxDeposit: null, status: 'active' }) as const
