import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { PAYMENTS, RECIPIENTS } from '../../api/paths.ts'
import { useMay } from '../../api/session.tsx'
import type { Data, Schema } from '../../api/types.ts'
import { useApi } from '../../api/use-api.ts'
import { dayOf, today } from '../../lib/dates/as-of.ts'
import { numberOf, usePaging, useUrl, withQuery } from '../../lib/page/use-url.ts'
import { Drawer } from '../../parts/dialogs.tsx'
import { SearchSelect } from '../../parts/forms/search-select.tsx'
import { Empty, Section } from '../../parts/frame/page.tsx'
import { DataTable, paged } from '../../parts/tables/data-table.tsx'
import { UrlDay } from '../../parts/tables/url-day.tsx'
import { UrlFilter } from '../../parts/tables/url-filter.tsx'
import { paymentColumns } from './payment-columns.tsx'
import { PaymentPanel } from './payment-panel.tsx'

type Recipient = Pick<Schema<'ListedRecipient'>, 'id' | 'name'>

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
  const may = useMay()
  const paging = usePaging()
  const open = numberOf(url.open)
  const status = STATES.find((state) => state === url.status)
  const type = DIRECTIONS.find((each) => each === url.type)
  const recipient = numberOf(url.recipient)
  const path = withQuery(PAYMENTS, {
    status,
    type,
    ramp_recipient_id: recipient,
    date_from: dayOf(url.from, today()),
    date_to: dayOf(url.to, today()),
  })
  const isFiltered = path !== PAYMENTS
  const payments = useApi<Data<'listRampTransactions'>>(paged(path, paging.offset))
  return (
    <Section
      title="Payments"
      pad={false}
      actions={
        <>
          <SearchSelect<Recipient, Data<'listRecipients'>>
            label="Recipient"
            placeholder="All recipients"
            isFilter
            size="xs"
            w={180}
            path={RECIPIENTS}
            rows={({ data, pagination }) => ({ items: data, total: pagination.total })}
            choiceOf={({ id, name }) => ({ value: String(id), label: name })}
            rowPath={recipient === undefined ? undefined : `${RECIPIENTS}/${recipient}`}
            value={recipient === undefined ? null : String(recipient)}
            onChange={(next) => setUrl({ recipient: next ?? undefined, offset: undefined })}
          />
          <UrlFilter
            label="Direction"
            placeholder="Both directions"
            choices={DIRECTIONS}
            name="type"
            labelOf={(each) => (each === 'onramp' ? 'In' : 'Out')}
          />
          <UrlFilter label="State" placeholder="All states" choices={STATES} name="status" />
          <UrlDay label="From" of="of payments" name="from" />
          <UrlDay label="To" of="of payments" name="to" />
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
          <Empty
            title={isFiltered ? 'No payment matches' : 'No payment yet'}
            action={
              !isFiltered &&
              may.administer && (
                <Button
                  component={Link}
                  to={'/app/ramp' as never}
                  search={{ tab: 'accounts' } as never}
                  variant="default"
                >
                  Open the accounts
                </Button>
              )
            }
          >
            {isFiltered
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
