import { Button, Group, NumberInput, Select, Text } from '@mantine/core'
import { useState } from 'react'
import { WEBHOOKS } from '../../api/paths.ts'
import { useMay } from '../../api/session.tsx'
import type { Schema } from '../../api/types.ts'
import { useAction, useApi } from '../../api/use-api.ts'
import { numberOf, usePaging, useUrl } from '../../lib/page/use-url.ts'
import { Empty } from '../../parts/frame/page.tsx'
import { columnsFor } from '../../parts/tables/columns.tsx'
import { bare, DataTable, paged } from '../../parts/tables/data-table.tsx'
import { UrlFilter } from '../../parts/tables/url-filter.tsx'
import { answerOf, Delivery } from './delivery.tsx'
import { eventsOf } from './webhook-text.ts'

const STATES = ['pending', 'delivered', 'failed']
const { buttons, state, text, time } = columnsFor<Schema<'WebhookDelivery'>>()
const columnsOf = (hook: Schema<'Webhook'>) => [
  text('Event', 'event'),
  state('State', 'status'),
  text('Last response', (delivery) => lastAnswer(delivery, hook), { wide: true }),
  time('When', 'createdAt', { wide: true }),
]
/** While the receiver fails, one delivery is tried: the others lack an answer for a reason other than their age. */
const lastAnswer = ({ attempts }: Schema<'WebhookDelivery'>, { failingSince }: Schema<'Webhook'>): string =>
  attempts.length === 0 && failingSince !== null ? 'waits until the receiver responds' : answerOf(attempts.at(-1))
/** What a delivery can be looked for by, and the parameter of the API. */
const ABOUT = { operation: 'operationId', payment: 'rampTransactionId' } as const
type About = keyof typeof ABOUT

/** What was sent to a webhook. A click shows the body and every attempt, a button sends it again. */
export function Deliveries({ hook }: { readonly hook: Schema<'Webhook'> }) {
  const may = useMay()
  const [url, setUrl] = useUrl()
  const paging = usePaging()
  const status = STATES.find((each) => each === url.status)
  const about: About = url.about === 'payment' ? 'payment' : 'operation'
  const object = numberOf(url.id)
  const filter = new URLSearchParams({
    ...(status && { status }),
    ...(object !== undefined && { [ABOUT[about]]: String(object) }),
  }).toString()
  const path = `${WEBHOOKS}/${hook.id}/deliveries${filter && `?${filter}`}`
  const deliveries = useApi<Schema<'WebhookDelivery'>[]>(paged(path, paging.offset))
  const [open, setOpen] = useState<number>()
  const replay = useAction('Delivery queued again.')
  const again = buttons('Again', ({ id }) =>
    may.administer ? (
      <Button
        size="compact-xs"
        variant="default"
        aria-label={`Replay delivery ${id}`}
        loading={replay.isPending && replay.variables.path === `${WEBHOOKS}/deliveries/${id}/replay`}
        onClick={(event) => {
          event.stopPropagation()
          replay.mutate({ method: 'POST', path: `${WEBHOOKS}/deliveries/${id}/replay`, body: {} })
        }}
      >
        Replay
      </Button>
    ) : (
      '–'
    ),
  )
  return (
    <>
      <Group justify="space-between">
        <Text fw={600}>Deliveries</Text>
        <Group gap="xs">
          <Select
            aria-label="Find deliveries about"
            size="xs"
            w={130}
            data={[
              { value: 'operation', label: 'Operation' },
              { value: 'payment', label: 'Payment' },
            ]}
            value={about}
            onChange={(next) => setUrl({ about: next === 'payment' ? next : undefined, offset: undefined })}
            allowDeselect={false}
          />
          <NumberInput
            aria-label={`ID of the ${about}`}
            placeholder="ID"
            size="xs"
            w={90}
            min={1}
            allowDecimal={false}
            allowNegative={false}
            hideControls
            value={object ?? ''}
            // A link that looks for one delivery opens the only webhook without naming it.
            onChange={(next) => setUrl({ id: next || undefined, open: hook.id, offset: undefined })}
          />
          <UrlFilter label="State of deliveries" placeholder="All states" choices={STATES} name="status" />
        </Group>
      </Group>
      <DataTable
        label="Deliveries"
        path={path}
        query={deliveries}
        rows={bare}
        id={({ id }) => id}
        {...paging}
        onOpen={({ id }) => setOpen(id === open ? undefined : id)}
        unfolded={{ id: open, detail: (delivery) => <Delivery delivery={delivery} /> }}
        columns={[...columnsOf(hook), again]}
        empty={
          <Empty title={filter ? 'No delivery matches' : 'Nothing sent yet'}>
            {filter
              ? `This webhook gets ${eventsOf(hook)}. It does not get events from before it was added.`
              : 'Send a test event to see the first one.'}
          </Empty>
        }
      />
    </>
  )
}
