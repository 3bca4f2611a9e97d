import { ALLOCATIONS } from '../../api/paths.ts'
import type { Data, Schema } from '../../api/types.ts'
import { useApi } from '../../api/use-api.ts'
import { mayPlanAgain } from '../../lib/transactions/plan-again.ts'
import { Drawer } from '../../parts/dialogs.tsx'
import { Empty, Loaded } from '../../parts/frame/page.tsx'
import { paged } from '../../parts/tables/data-table.tsx'
import { Deploy } from './deploy.tsx'
import { Position } from './position.tsx'

const MOST = 100

interface Props {
  /** Of the operation; the address holds nothing else of it. */
  readonly id: number
  readonly onClose: () => void
}

/** The form of a deposit or a withdrawal, filled in from an earlier operation. */
export function Again({ id, onClose }: Props) {
  const detail = useApi<Schema<'CoreOperation'>>(`/api/core/operations/${id}`)
  // Which form it is, is in the operation.
  if (detail.isPending) return null
  const earlier = detail.data?.data
  if (earlier?.type === 'SUPPLY' && isAgents(earlier)) return <Deploy earlier={earlier} onClose={onClose} />
  return (
    <Drawer opened onClose={onClose} title="Plan again">
      <Loaded query={detail} height={360}>
        {(operation) =>
          isAgents(operation) ? (
            <Withdrawal earlier={operation} />
          ) : (
            <Empty title="Nothing to plan again">
              Only what failed or was aborted is planned again here, and what your own program signs, from there.
            </Empty>
          )
        }
      </Loaded>
    </Drawer>
  )
}

const isAgents = (operation: Schema<'CoreOperation'>) =>
  mayPlanAgain(operation) && operation.executor === 'agent' && operation.opWalletId !== null

function Withdrawal({ earlier }: { readonly earlier: Schema<'CoreOperation'> }) {
  const path = `${ALLOCATIONS}?includeUnwinding=true&opWalletId=${earlier.opWalletId}`
  const positions = useApi<Data<'listCoreAllocations'>>(paged(path, 0, MOST))
  return (
    <Loaded query={positions} height={360}>
      {({ allocations }) => {
        const position = allocations.find(({ strategyId }) => strategyId === earlier.strategy.id)
        if (position === undefined)
          return <Empty title="No position is left">The wallet holds nothing in {earlier.strategy.name}.</Empty>
        return <Position id={position.id} tried={earlier.amount.amount} />
      }}
    </Loaded>
  )
}
