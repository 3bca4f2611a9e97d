import { Button, Drawer, Group } from '@mantine/core'
import { useState } from 'react'
import { useMay } from '../../api/session.tsx'
import type { Data, Schema } from '../../api/types.ts'
import { useApi } from '../../api/use-api.ts'
import { numberOf, usePaging, useUrl } from '../../lib/use-url.ts'
import { columnsFor } from '../../parts/columns.tsx'
import { DataTable, paged } from '../../parts/data-table.tsx'
import { Empty, Section } from '../../parts/page.tsx'
import { NewRecipient } from './new-recipient.tsx'
import { RecipientPanel } from './recipient-panel.tsx'
import { RecipientStep } from './recipient-step.tsx'

const { buttons, money, state, text, time } = columnsFor<Schema<'ListedRecipient'>>()

const RECIPIENTS = '/v1/ramp/recipients'

export function Recipients() {
  const may = useMay()
  const paging = usePaging()
  const [url, setUrl] = useUrl()
  const open = numberOf(url.open)
  const recipients = useApi<Data<'listRecipients'>>(paged(RECIPIENTS, paging.offset))
  const [adding, setAdding] = useState(false)
  return (
    <Section
      title="Recipients"
      pad={false}
      actions={
        may.administer && (
          <Button size="xs" onClick={() => setAdding(true)}>
            Add a recipient
          </Button>
        )
      }
    >
      <DataTable
        label="Recipients"
        path={RECIPIENTS}
        query={recipients}
        rows={({ data, pagination }) => ({ items: data, total: pagination.total })}
        id={({ id }) => id}
        {...paging}
        onOpen={(row) => setUrl({ open: row.id })}
        columns={[
          text('Name', 'name'),
          state('Verification', 'kyb_status'),
          text('Payments', 'transaction_count', { right: true, wide: true }),
          money('Volume, USD', ({ total_volume_usd }) => total_volume_usd, undefined, { wide: true }),
          time('Added', 'created_at', { wide: true }),
          buttons('Next step', (row) => (
            <Group
              component="span"
              gap={6}
              justify="flex-end"
              wrap="nowrap"
              onClick={(event) => event.stopPropagation()}
            >
              {row.kyb_status === 'approved' ? (
                <Button
                  size="compact-xs"
                  variant="default"
                  aria-label={`Accounts of ${row.name}`}
                  onClick={() => setUrl({ open: row.id })}
                >
                  Accounts
                </Button>
              ) : (
                <RecipientStep recipient={row} />
              )}
            </Group>
          )),
        ]}
        empty={
          <Empty title="No recipient yet">
            Companies and people that you pay appear here, each verified before money moves.
          </Empty>
        }
      />
      {adding && <NewRecipient onDone={(id) => setUrl({ open: id })} onClose={() => setAdding(false)} />}
      <Drawer
        opened={open !== undefined}
        onClose={() => setUrl({ open: undefined, form: undefined, inOffset: undefined, outOffset: undefined })}
        title="Recipient"
        size="xl"
      >
        {open !== undefined && (
          <RecipientPanel path={`${RECIPIENTS}/${open}`} onSent={() => setUrl({ tab: 'payments', open: undefined })} />
        )}
      </Drawer>
    </Section>
  )
}
