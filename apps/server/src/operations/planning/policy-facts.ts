import type { OperationType } from '../../database/index.ts'
import { counterpartiesOf, type PolicyInput } from '../../policy/index.ts'
import type { Strategy } from '../../venues/index.ts'
import { publicTypeOf } from '../lifecycle/states/operation.ts'

/** A move with everything that an approval policy can ask about it. */
export interface PolicyFacts {
  readonly type: OperationType
  /** Base units; for a part of a larger move the total of it (contract 7). `null`: nobody stored it. */
  readonly value: bigint | null
  readonly walletId: number
  /** `null`: the wallet names none. */
  readonly custodyProvider: string | null
  readonly strategy: Pick<Strategy, 'venueName' | 'protocol' | 'params' | 'tokenDecimals'>
  readonly at: Date
}

/** The facts of a move as the approval policy sees them: when it is planned, and when a policy is tried on it later. */
export const policyFactsOf = ({ type, value, walletId, custodyProvider, strategy, at }: PolicyFacts): PolicyInput => ({
  type: publicTypeOf(type),
  amount: value === null ? undefined : { baseUnits: value, decimals: strategy.tokenDecimals },
  walletId,
  custodyProvider: custodyProvider ?? 'self',
  counterparties: counterpartiesOf(strategy),
  at,
})
