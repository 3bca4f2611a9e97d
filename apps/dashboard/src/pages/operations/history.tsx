import { HISTORY } from '../../api/paths.ts'
import { useMay } from '../../api/session.tsx'
import type { Data, Schema } from '../../api/types.ts'
import { useApi } from '../../api/use-api.ts'
import { usePaging, useUrl } from '../../lib/page/use-url.ts'
import { Empty, Section } from '../../parts/frame/page.tsx'
import { columnsFor } from '../../parts/tables/columns.tsx'
import { DataTable, paged } from '../../parts/tables/data-table.tsx'
import { FirstDeposit } from '../../parts/treasury/first-steps.tsx'
import { NoMatch } from './no-match.tsx'
import { operationColumns } from './operation-columns.tsx'
import { filtered, OperationFilters } from './operation-filters.tsx'
import { hasActions, RowActions } from './row-actions.tsx'

const { buttons, hash, text, time } = columnsFor<Schema<'OperationHistoryItem'>>()
const STATES = ['COMPLETED', 'FAILED', 'REJECTED', 'ABORTED']

const columns = [
  ...operationColumns,
  hash('Transaction', 'txHash', { csvOnly: true }),
  time('Ended', 'completedAt', { csvOnly: true }),
  text('Why it ended', 'failureReason', { csvOnly: true }),
]

const actions = buttons('Actions', (operation) => <RowActions operation={operation} />)

/** Operations that have ended. */
export function History() {
  const [url, setUrl] = useUrl()
  const may = useMay()
  const paging = usePaging()
  const path = filtered(HISTORY, url, STATES)
  const history = useApi<Data<'getOperationHistory'>>(paged(path, paging.offset))
  const offersAny = may.administer && history.data?.data.items.some(hasActions)
  return (
    <Section pad={false} title="History">
      <OperationFilters states={STATES} />
      <DataTable<Schema<'OperationHistoryItem'>, Data<'getOperationHistory'>>
        label="Operations"
        path={path}
        query={history}
        rows={({ items, total }) => ({ items, total })}
        id={({ id }) => id}
        {...paging}
        onOpen={({ id }) => setUrl({ open: id })}
        columns={offersAny ? [...columns, actions] : columns}
        empty={
          path === HISTORY ? (
            <Empty title="No operation yet" action={<FirstDeposit />}>
              Operations of the rebalancer, of members and of API clients appear here once they have ended.
            </Empty>
          ) : (
            <NoMatch />
          )
        }
      />
    </Section>
  )
}
