import { Button } from '@mantine/core'
import { useState } from 'react'
import { WEBHOOKS } from '../../api/paths.ts'
import { useMay } from '../../api/session.tsx'
import type { Schema } from '../../api/types.ts'
import { useApi } from '../../api/use-api.ts'
import { numberOf, textOf, useUrl, withQuery } from '../../lib/page/use-url.ts'
import { Drawer } from '../../parts/dialogs.tsx'
import { NewSecret } from '../../parts/forms/new-secret.tsx'
import { Empty, Section } from '../../parts/frame/page.tsx'
import { columnsFor } from '../../parts/tables/columns.tsx'
import { bare, DataTable, paged } from '../../parts/tables/data-table.tsx'
import { UrlFilter } from '../../parts/tables/url-filter.tsx'
import { UrlSearch } from '../../parts/tables/url-search.tsx'
import { NewWebhook } from './new-webhook.tsx'
import { WebhookPanel } from './webhook-panel.tsx'
import { eventsOf, stateOf } from './webhook-text.ts'

const STATES = ['active', 'failing', 'disabled']
const { shown, state, text, time } = columnsFor<Schema<'Webhook'>>()

/** While deliveries fail and have attempts left, the service still calls the webhook active. */
export function Webhooks() {
  const [url, setUrl] = useUrl()
  const may = useMay()
  // The open one may not match the filter.
  const hooks = useApi<Schema<'Webhook'>[]>(paged(WEBHOOKS, 0, 100))
  const path = withQuery(WEBHOOKS, {
    q: textOf(url.hook),
    status: STATES.find((each) => each === url.hookState),
  })
  const matching = useApi<Schema<'Webhook'>[]>(paged(path, 0, 100))
  const [adding, setAdding] = useState(false)
  const [secret, setSecret] = useState<string | null>()
  const close = () => setUrl({ open: undefined, status: undefined, id: undefined, about: undefined })
  const open = numberOf(url.open)
  const list = hooks.data?.data ?? []
  // A link that looks for a delivery needs no click on the only webhook.
  const hook =
    open === undefined && url.id !== undefined && list.length === 1 ? list[0] : list.find(({ id }) => id === open)
  return (
    <Section
      title="Webhooks"
      pad={false}
      actions={
        <>
          <UrlSearch label="Address or description" name="hook" />
          <UrlFilter label="State of webhooks" placeholder="All states" choices={STATES} name="hookState" w={130} />
          {may.administer && (
            <Button size="xs" onClick={() => setAdding(true)}>
              Add a webhook
            </Button>
          )}
        </>
      }
    >
      <DataTable
        label="Webhooks"
        path={path}
        query={matching}
        rows={bare}
        id={({ id }) => id}
        onOpen={({ id }) => setUrl({ open: id, offset: undefined })}
        columns={[
          text('Address', (row) => row.url),
          state('State', stateOf),
          time('Failing since', 'failingSince', { wide: true }),
          shown('Events', eventsOf, ({ events }) => events.join(' '), { wide: true }),
        ]}
        empty={
          path === WEBHOOKS ? (
            <Empty
              title="No webhook yet"
              action={
                may.administer && (
                  <Button variant="default" onClick={() => setAdding(true)}>
                    Add a webhook
                  </Button>
                )
              }
            >
              Weir sends each event to your servers, signed, and retries until they accept it.
            </Empty>
          ) : (
            <Empty title="No webhook matches">Change the filter to see others.</Empty>
          )
        }
      />
      {adding && <NewWebhook onMade={setSecret} onClose={() => setAdding(false)} />}
      <NewSecret
        secret={secret}
        title="The webhook's secret"
        note="Your server verifies signatures with it. It is shown once."
        onClose={() => setSecret(undefined)}
      />
      <Drawer opened={hook !== undefined} onClose={close} title="Webhook" size="xl">
        {hook && <WebhookPanel key={hook.id} hook={hook} onDeleted={close} onSecret={setSecret} />}
      </Drawer>
    </Section>
  )
}
