import type { UseQueryResult } from '@tanstack/react-query'
import type { Answer, ApiError } from '../../api/client.ts'
import { LATEST_ROWS } from '../../api/overview-reads.ts'
import { HISTORY } from '../../api/paths.ts'
import type { Data, Schema } from '../../api/types.ts'
import { Empty, Section } from '../../parts/frame/page.tsx'
import { PageLink } from '../../parts/light.tsx'
import { columnsFor } from '../../parts/tables/columns.tsx'
import { DataTable } from '../../parts/tables/data-table.tsx'
import { FirstDeposit } from '../../parts/treasury/first-steps.tsx'
import { words } from '../../parts/values.tsx'

const { money, shown, state, time } = columnsFor<Schema<'OperationHistoryItem'>>()
const columns = [
  shown(
    'Operation',
    ({ id, type }) => (
      <PageLink to="/app/operations" search={{ open: id }}>
        {words(type)}
      </PageLink>
    ),
    'id',
  ),
  state('State', 'status'),
  money('Amount', 'amount', 'token'),
  shown('By', ({ origin }) => words(origin), 'origin', { wide: true }),
  time('When', 'createdAt', { wide: true }),
]

interface Props {
  readonly history: UseQueryResult<Answer<Data<'getOperationHistory'>>, ApiError>
}

export function LatestOperations({ history }: Props) {
  return (
    <Section title="Latest operations" pad={false}>
      <DataTable
        label="Latest operations"
        path={HISTORY}
        query={history}
        rows={({ items, total }) => ({ items, total })}
        id={({ id }) => id}
        preview={LATEST_ROWS}
        columns={columns}
        empty={
          <Empty title="No operation yet" action={<FirstDeposit />}>
            Deposits into and withdrawals from venues appear here.
          </Empty>
        }
      />
    </Section>
  )
}
