import { Button, Group, Text } from '@mantine/core'
import { useState } from 'react'
import { RECIPIENTS } from '../../api/paths.ts'
import { useMay } from '../../api/session.tsx'
import type { Data, Schema } from '../../api/types.ts'
import { useApi } from '../../api/use-api.ts'
import { numberOf, textOf, usePaging, useUrl, withQuery } from '../../lib/page/use-url.ts'
import { counted } from '../../lib/text/counted.ts'
import { Drawer } from '../../parts/dialogs.tsx'
import { Empty, Section } from '../../parts/frame/page.tsx'
import { columnsFor } from '../../parts/tables/columns.tsx'
import { DataTable, paged } from '../../parts/tables/data-table.tsx'
import { UrlFilter } from '../../parts/tables/url-filter.tsx'
import { UrlSearch } from '../../parts/tables/url-search.tsx'
import { NewRecipient } from './new-recipient.tsx'
import { RecipientPanel } from './recipient-panel.tsx'
import { RecipientStep } from './recipient-step.tsx'

const { buttons, money, state, text, time } = columnsFor<Schema<'ListedRecipient'>>()

const VERIFICATIONS = ['pending', 'submitted', 'approved', 'declined']

export function Recipients() {
  const may = useMay()
  const paging = usePaging()
  const [url, setUrl] = useUrl()
  const open = numberOf(url.open)
  const path = withQuery(RECIPIENTS, {
    q: textOf(url.q),
    kyb_status: VERIFICATIONS.find((each) => each === url.kyb),
  })
  const recipients = useApi<Data<'listRecipients'>>(paged(path, paging.offset))
  const unsearched = recipients.data?.data.unsearched ?? 0
  const [adding, setAdding] = useState(false)
  return (
    <Section
      title="Recipients"
      pad={false}
      actions={
        <>
          <UrlSearch label="Recipient, or its id" name="q" />
          <UrlFilter
            label="Verification of recipients"
            placeholder="All verifications"
            choices={VERIFICATIONS}
            name="kyb"
            w={150}
          />
          {may.administer && (
            <Button size="xs" onClick={() => setAdding(true)}>
              Add a recipient
            </Button>
          )}
        </>
      }
    >
      {unsearched > 0 && (
        <Text size="sm" c="dimmed" px="md" pt="sm">
          {`The names of ${counted(unsearched, 'older recipient')} were not searched. Search for these by id or external id.`}
        </Text>
      )}
      <DataTable
        label="Recipients"
        path={path}
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
          path === RECIPIENTS ? (
            <Empty
              title="No recipient yet"
              action={
                may.administer && (
                  <Button variant="default" onClick={() => setAdding(true)}>
                    Add a recipient
                  </Button>
                )
              }
            >
              Companies and people that you pay appear here, each verified before money moves.
            </Empty>
          ) : (
            <Empty title="No recipient matches">Change the filter to see others.</Empty>
          )
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
          <RecipientPanel
            key={open}
            path={`${RECIPIENTS}/${open}`}
            onSent={() => setUrl({ tab: 'payments', open: undefined, offset: undefined })}
          />
        )}
      </Drawer>
    </Section>
  )
}
