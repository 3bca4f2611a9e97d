import { Drawer } from '@mantine/core'
import { PAYMENTS } from '../../api/paths.ts'
import type { Data } from '../../api/types.ts'
import { useApi } from '../../api/use-api.ts'
import { numberOf, usePaging, useUrl } from '../../lib/use-url.ts'
import { DataTable, paged } from '../../parts/data-table.tsx'
import { Empty, Section } from '../../parts/page.tsx'
import { UrlFilter } from '../../parts/url-filter.tsx'
import { paymentColumns } from './payment-columns.tsx'
import { PaymentPanel } from './payment-panel.tsx'

const DIRECTIONS = ['onramp', 'offramp']
const STATES = [
  'pending',
  'processing',
  'in_progress',
  'awaiting_confirmation',
  'broadcasted',
  'completed',
  'failed',
  'rejected',
  'reversed',
]

export function Payments() {
  const [url, setUrl] = useUrl()
  const paging = usePaging()
  const open = numberOf(url.open)
  const status = STATES.find((state) => state === url.status)
  const type = DIRECTIONS.find((each) => each === url.type)
  const filter = new URLSearchParams({ ...(status && { status }), ...(type && { type }) }).toString()
  const path = filter ? `${PAYMENTS}?${filter}` : PAYMENTS
  const payments = useApi<Data<'listRampTransactions'>>(paged(path, paging.offset))
  return (
    <Section
      title="Payments"
      pad={false}
      actions={
        <>
          <UrlFilter
            label="Direction"
            placeholder="Both directions"
            choices={DIRECTIONS}
            name="type"
            labelOf={(each) => (each === 'onramp' ? 'In' : 'Out')}
          />
          <UrlFilter label="State" placeholder="All states" choices={STATES} name="status" />
        </>
      }
    >
      <DataTable
        label="Payments"
        path={path}
        query={payments}
        rows={({ data, pagination }) => ({ items: data, total: pagination.total })}
        id={({ id }) => id}
        {...paging}
        onOpen={({ id }) => setUrl({ open: id })}
        columns={paymentColumns}
        empty={
          <Empty title={filter ? 'No payment matches' : 'No payment yet'}>
            {filter
              ? 'Change the filter to see others.'
              : 'In the sandbox, an account on the Accounts tab can simulate one.'}
          </Empty>
        }
      />
      <Drawer opened={open !== undefined} onClose={() => setUrl({ open: undefined })} title={`Payment ${open ?? ''}`}>
        {open !== undefined && <PaymentPanel key={open} id={open} />}
      </Drawer>
    </Section>
  )
}
