import { Button, Group, Text } from '@mantine/core'
import { useState } from 'react'
import { useMay } from '../../api/session.tsx'
import type { Schema } from '../../api/types.ts'
import { useAction, useApi } from '../../api/use-api.ts'
import { usePaging, useUrl } from '../../lib/use-url.ts'
import { columnsFor } from '../../parts/columns.tsx'
import { bare, DataTable, paged } from '../../parts/data-table.tsx'
import { Empty } from '../../parts/page.tsx'
import { SmallTable } from '../../parts/small-table.tsx'
import { UrlFilter } from '../../parts/url-filter.tsx'
import { HOOKS } from './webhooks.tsx'

type Attempt = Schema<'WebhookAttempt'>

const STATES = ['pending', 'delivered', 'failed']
const { buttons, state, text, time } = columnsFor<Schema<'WebhookDelivery'>>()
const columns = [
  text('Event', 'event'),
  state('State', 'status'),
  text('Last answer', ({ attempts }) => answerOf(attempts.at(-1))),
  time('When', 'createdAt', { wide: true }),
]
const attempt = columnsFor<Attempt>()
const attemptColumns = [
  { ...attempt.time('Attempt', 'at'), right: false },
  attempt.text('Answer', answerOf),
  attempt.text('Took', ({ durationMs }) => `${durationMs} ms`, { right: true }),
]

/** What was sent to a webhook. A click shows every attempt, a button sends it again. */
export function Deliveries({ hook }: { readonly hook: Schema<'Webhook'> }) {
  const may = useMay()
  const [url] = useUrl()
  const paging = usePaging()
  const status = STATES.find((each) => each === url.status)
  const path = `${HOOKS}/${hook.id}/deliveries${status ? `?status=${status}` : ''}`
  const deliveries = useApi<Schema<'WebhookDelivery'>[]>(paged(path, paging.offset))
  const [open, setOpen] = useState<number>()
  const replay = useAction('It is sent again.')
  const opened = deliveries.data?.data.find(({ id }) => id === open)
  const again = buttons('Again', ({ id }) =>
    may.administer ? (
      <Button
        size="compact-xs"
        variant="default"
        aria-label={`Replay delivery ${id}`}
        onClick={(event) => {
          event.stopPropagation()
          replay.mutate({ method: 'POST', path: `${HOOKS}/deliveries/${id}/replay`, body: {} })
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
        <UrlFilter label="State of deliveries" placeholder="All" choices={STATES} name="status" />
      </Group>
      <DataTable
        label="Deliveries"
        path={path}
        query={deliveries}
        rows={bare}
        id={({ id }) => id}
        {...paging}
        onOpen={({ id }) => setOpen(id)}
        columns={[...columns, again]}
        empty={
          <Empty title={status ? `No delivery is ${status}` : 'Nothing was sent yet'}>
            Send a test event to see the first one.
          </Empty>
        }
      />
      {opened && (
        <SmallTable
          label={`Attempts of delivery ${opened.id}`}
          rows={opened.attempts}
          columns={attemptColumns}
          id={({ at }) => at}
        />
      )}
    </>
  )
}

function answerOf(sent: Attempt | undefined): string {
  if (sent === undefined) return 'not sent yet'
  if (sent.statusCode === null) return sent.error ?? 'no answer'
  return `${sent.statusCode}${sent.error ? `, ${sent.error}` : ''}`
}
