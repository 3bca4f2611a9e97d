import type { Data } from '../../api/types.ts'
import { useApi } from '../../api/use-api.ts'
import { usePaging, useUrl } from '../../lib/use-url.ts'
import { DataTable, paged } from '../../parts/data-table.tsx'
import { Empty, Section } from '../../parts/page.tsx'
import { UrlFilter } from '../../parts/url-filter.tsx'
import { words } from '../../parts/values.tsx'
import { type ListedOperation, operationColumns } from './operation-columns.tsx'

const HISTORY = '/api/core/operations/history'
const STATES = ['PENDING_APPROVAL', 'EXECUTING', 'CONFIRMING', 'COMPLETED', 'FAILED', 'REJECTED', 'ABORTED']

export function History() {
  const [url, setUrl] = useUrl()
  const paging = usePaging()
  const status = STATES.find((each) => each === url.status)
  const path = status ? `${HISTORY}?status=${status}` : HISTORY
  const history = useApi<Data<'getOperationHistory'>>(paged(path, paging.offset))
  return (
    <Section
      pad={false}
      title="History"
      actions={<UrlFilter label="State" placeholder="All states" choices={STATES} name="status" />}
    >
      <DataTable<ListedOperation, Data<'getOperationHistory'>>
        label="Operations"
        path={path}
        query={history}
        rows={({ items, total }) => ({ items, total })}
        id={({ id }) => id}
        {...paging}
        onOpen={({ id }) => setUrl({ open: id })}
        columns={operationColumns}
        empty={
          <Empty title={status ? `No operation is ${words(status).toLowerCase()}` : 'No operation yet'}>
            Operations of the rebalancer, of members and of API clients appear here.
          </Empty>
        }
      />
    </Section>
  )
}
