import type { RebalancePlan } from './rebalance-plan.ts'

/** Stored with the operation: its reason and the evaluation of each strategy. Amounts in base units. */
export function reasonsOf({ excess, shortfall, awaited, weighed, sources, notes }: RebalancePlan, why: string) {
  return {
    why,
    excess: excess.toString(),
    shortfall: shortfall.toString(),
    ...(sources.length > 0 && {
      awaited: awaited.toString(),
      sources: sources.map(({ value, withdrawable, ...rest }) => ({
        ...rest,
        value: value.toString(),
        withdrawable: withdrawable?.toString() ?? null,
      })),
    }),
    weighed: weighed.map(({ gain, ...rest }) => ({ ...rest, gain: gain.toString() })),
    notes,
  }
}
