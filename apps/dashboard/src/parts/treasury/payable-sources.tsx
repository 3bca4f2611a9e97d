import { columnsFor } from '../tables/columns.tsx'
import { SmallTable } from '../tables/small-table.tsx'

/** A position that a buffer can be filled from, as the planner read it. */
interface PayableSource {
  readonly strategyId: number
  readonly name: string
  readonly value: string
  readonly withdrawable: string | null
  readonly verdict: string
}

const { money, text } = columnsFor<PayableSource>()
const columns = [
  text('Strategy', 'name'),
  money('Worth', 'value'),
  money('Withdrawable', 'withdrawable'),
  text('Verdict', 'verdict'),
]

/** What each position could pay, in the order in which the planner takes it. */
export function PayableSources({ sources }: { readonly sources: readonly PayableSource[] | undefined }) {
  if (!sources?.length) return null
  return (
    <SmallTable label="What positions can pay" rows={sources} columns={columns} id={({ strategyId }) => strategyId} />
  )
}
