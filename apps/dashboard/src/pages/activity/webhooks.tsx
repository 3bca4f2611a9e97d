import { Button, Drawer } from '@mantine/core'
import { useState } from 'react'
import { useMay } from '../../api/session.tsx'
import type { Schema } from '../../api/types.ts'
import { useApi } from '../../api/use-api.ts'
import { numberOf, useUrl } from '../../lib/use-url.ts'
import { columnsFor } from '../../parts/columns.tsx'
import { bare, DataTable, paged } from '../../parts/data-table.tsx'
import { Empty, Section } from '../../parts/page.tsx'
import { NewWebhook } from './new-webhook.tsx'
import { WebhookPanel } from './webhook-panel.tsx'

const { shown, state, text } = columnsFor<Schema<'Webhook'>>()

export const HOOKS = '/api/core/webhooks'

export function Webhooks() {
  const [url, setUrl] = useUrl()
  const may = useMay()
  const hooks = useApi<Schema<'Webhook'>[]>(paged(HOOKS, 0, 100))
  const [adding, setAdding] = useState(false)
  const open = numberOf(url.open)
  const hook = hooks.data?.data.find(({ id }) => id === open)
  return (
    <Section
      title="Webhooks"
      pad={false}
      actions={
        may.administer && (
          <Button size="xs" onClick={() => setAdding(true)}>
            Add a webhook
          </Button>
        )
      }
    >
      <DataTable
        label="Webhooks"
        path={HOOKS}
        query={hooks}
        rows={bare}
        id={({ id }) => id}
        onOpen={({ id }) => setUrl({ open: id, offset: undefined })}
        columns={[
          text('Address', (row) => row.url),
          state('State', 'status'),
          shown(
            'Events',
            ({ events }) => events.join(', '),
            ({ events }) => events.join(' '),
            { wide: true },
          ),
        ]}
        empty={
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
            Weir sends each event to your servers, signed, and tries again until they accept it.
          </Empty>
        }
      />
      {adding && <NewWebhook onClose={() => setAdding(false)} />}
      <Drawer opened={hook !== undefined} onClose={() => setUrl({ open: undefined })} title="Webhook" size="xl">
        {hook && <WebhookPanel hook={hook} />}
      </Drawer>
    </Section>
  )
}
