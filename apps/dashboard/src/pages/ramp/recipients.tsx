import { Anchor, Button, Group } from '@mantine/core'
import { useState } from 'react'
import { useMay, useSession } from '../../api/session.tsx'
import type { Data, Schema } from '../../api/types.ts'
import { useAction, useApi } from '../../api/use-api.ts'
import { usePaging } from '../../lib/use-url.ts'
import { columnsFor } from '../../parts/columns.tsx'
import { DataTable, paged } from '../../parts/data-table.tsx'
import { Empty, Section } from '../../parts/page.tsx'
import { NewRecipient } from './new-recipient.tsx'

const { buttons, money, state, text, time } = columnsFor<Schema<'ListedRecipient'>>()

const RECIPIENTS = '/v1/ramp/recipients'

export function Recipients() {
  const may = useMay()
  const { environment } = useSession()
  const paging = usePaging()
  const recipients = useApi<Data<'listRecipients'>>(paged(RECIPIENTS, paging.offset))
  const [adding, setAdding] = useState(false)
  const act = useAction('Done.')
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
        columns={[
          text('Name', 'name'),
          state('Verification', 'kyb_status'),
          text('Payments', 'transaction_count', { right: true, wide: true }),
          money('Volume, USD', ({ total_volume_usd }) => total_volume_usd, undefined, { wide: true }),
          time('Added', 'created_at', { wide: true }),
          buttons('Next step', ({ id, kyb_status, kyb_url, name }) =>
            kyb_status === 'approved' ? (
              '–'
            ) : (
              <Group gap={6} justify="flex-end" wrap="nowrap">
                <Anchor size="sm" href={kyb_url} target="_blank" rel="noreferrer">
                  Form
                </Anchor>
                {environment === 'sandbox' && may.administer && (
                  <Button
                    size="compact-xs"
                    variant="default"
                    aria-label={`Approve ${name}`}
                    onClick={() =>
                      act.mutate({ method: 'POST', path: `${RECIPIENTS}/${id}/kyb/simulate-approve`, body: {} })
                    }
                  >
                    Approve
                  </Button>
                )}
              </Group>
            ),
          ),
        ]}
        empty={
          <Empty title="No recipient yet">Companies and people whom you pay, each verified before money moves.</Empty>
        }
      />
      {adding && <NewRecipient onClose={() => setAdding(false)} />}
    </Section>
  )
}
