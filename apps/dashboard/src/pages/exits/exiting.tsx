import type { Data } from '../../api/types.ts'
import { useApi } from '../../api/use-api.ts'
import { sum } from '../../lib/money.ts'
import { paged } from '../../parts/data-table.tsx'
import { Money } from '../../parts/values.tsx'
import { EXITS } from './exit-columns.tsx'

const COUNTED = 100

/** What waits in exits or can be claimed, beside what is in positions. */
export function Exiting() {
  const pending = useApi<Data<'listExits'>>(paged(`${EXITS}?status=pending`, 0, COUNTED)).data?.data
  const claimable = useApi<Data<'listExits'>>(paged(`${EXITS}?status=claimable`, 0, COUNTED)).data?.data
  if (pending === undefined || claimable === undefined) return ' '
  const open = [...pending.exits, ...claimable.exits]
  if (open.length === 0) return ' '
  if (pending.pagination.hasMore || claimable.pagination.hasMore) return 'and more in exits'
  return (
    <>
      and <Money amount={sum(open.flatMap((exit) => [exit.pending, exit.claimable]))} /> in exits
    </>
  )
}
