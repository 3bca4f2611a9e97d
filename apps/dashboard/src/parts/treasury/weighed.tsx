import { columnsFor } from '../tables/columns.tsx'
import { SmallTable } from '../tables/small-table.tsx'

/** A strategy as the planner judged it. */
interface Weighed {
  readonly strategyId: number
  readonly name: string
  readonly apy: string
  readonly verdict: string
}

const { text } = columnsFor<Weighed>()
const columns = [text('Strategy', 'name'), text('APY', 'apy', { right: true }), text('Verdict', 'verdict')]

/** The strategies that a plan chose between, each with the reason for or against it. */
export function WeighedStrategies({ strategies }: { readonly strategies: readonly Weighed[] | undefined }) {
  if (!strategies?.length) return null
  return (
    <SmallTable
      label="What the planner weighed"
      rows={strategies}
      columns={columns}
      id={({ strategyId }) => strategyId}
    />
  )
}
