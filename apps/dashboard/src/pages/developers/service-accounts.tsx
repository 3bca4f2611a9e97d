import { Button, Group, Text } from '@mantine/core'
import { useState } from 'react'
import { useMemberNames } from '../../api/member-names.ts'
import { SERVICE_ACCOUNTS } from '../../api/paths.ts'
import { useMay } from '../../api/session.tsx'
import type { Schema } from '../../api/types.ts'
import { useApi } from '../../api/use-api.ts'
import { numberOf, usePaging, useUrl } from '../../lib/page/use-url.ts'
import { Drawer } from '../../parts/dialogs.tsx'
import { NewSecret } from '../../parts/forms/new-secret.tsx'
import { Empty, Section } from '../../parts/frame/page.tsx'
import { columnsFor } from '../../parts/tables/columns.tsx'
import { bare, DataTable, paged } from '../../parts/tables/data-table.tsx'
import { useRow } from '../../parts/tables/use-row.ts'
import { Time, words } from '../../parts/values.tsx'
import { AccountPanel } from './account-panel.tsx'
import { DeleteAccount } from './delete-account.tsx'
import { lastUse } from './last-use.ts'
import { NewAccount } from './new-account.tsx'
import { Rotate } from './rotate.tsx'

type Account = Schema<'ServiceAccount'>

const { buttons, shown, text } = columnsFor<Account>()

export function ServiceAccounts() {
  const may = useMay()
  const paging = usePaging()
  const memberName = useMemberNames()
  const [url, setUrl] = useUrl()
  const accounts = useApi<Account[]>(paged(SERVICE_ACCOUNTS, paging.offset))
  const [adding, setAdding] = useState(false)
  const [deleted, setDeleted] = useState<Account>()
  const [secret, setSecret] = useState<string | null>()
  const [rotated, setRotated] = useState<Account>()
  const asked = numberOf(url.open)
  const { row: open, isGone } = useRow(
    SERVICE_ACCOUNTS,
    accounts.data?.data,
    asked === undefined ? undefined : ({ id }: Account) => id === asked,
  )
  const create = may.administer && (
    <Button size="xs" onClick={() => setAdding(true)}>
      Create a service account
    </Button>
  )
  return (
    <Section title="Service accounts" pad={false} actions={create}>
      <DataTable
        label="Service accounts"
        path={SERVICE_ACCOUNTS}
        query={accounts}
        rows={bare}
        id={({ id }) => id}
        {...paging}
        onOpen={({ id }) => setUrl({ open: id })}
        columns={[
          text('Name', 'name'),
          shown('Role', ({ role }) => words(role), 'role'),
          shown(
            'Secrets',
            ({ secrets }) => (
              <Text span ff="monospace" size="sm">
                {secrets.map(({ preview }) => preview).join(', ') || 'expired'}
              </Text>
            ),
            ({ secrets }) => secrets.map(({ preview }) => preview).join(' '),
            { wide: true },
          ),
          shown(
            'Secret held by',
            ({ secrets: [current] }) => (
              <span className="breaks">{current === undefined ? '–' : memberName(current.createdBy)}</span>
            ),
            ({ secrets: [current] }) => String(current?.createdBy ?? ''),
            { wide: true },
          ),
          shown(
            'Last used',
            (row) => <Time iso={lastUse(row)} />,
            (row) => lastUse(row) ?? '',
          ),
          buttons('Change', (row) =>
            may.administer ? (
              <Group gap={6} justify="flex-end" wrap="nowrap">
                <Button
                  size="compact-xs"
                  variant="default"
                  aria-label={`Rotate the secret of ${row.name}`}
                  onClick={(event) => {
                    event.stopPropagation()
                    setRotated(row)
                  }}
                >
                  Rotate
                </Button>
                <Button
                  size="compact-xs"
                  variant="default"
                  color="red.9"
                  aria-label={`Delete ${row.name}`}
                  onClick={(event) => {
                    event.stopPropagation()
                    setDeleted(row)
                  }}
                >
                  Delete
                </Button>
              </Group>
            ) : (
              '–'
            ),
          ),
        ]}
        empty={
          <Empty title="No service account" action={create}>
            A program that changes buffers or webhooks, or deploys and withdraws, uses its own secret instead of a
            person’s session. It cannot approve anything.
          </Empty>
        }
      />
      {adding && (
        <NewAccount
          onClose={() => setAdding(false)}
          onMade={(made) => {
            setAdding(false)
            setSecret(made)
          }}
        />
      )}
      {rotated && (
        <Rotate<{ secret: string | null }>
          what={`the secret of ${rotated.name}`}
          path={`${SERVICE_ACCOUNTS}/${rotated.id}`}
          isTwofold={rotated.secrets.length > 1}
          onClose={() => setRotated(undefined)}
          onMade={(made) => {
            setRotated(undefined)
            setSecret(made.secret)
          }}
        />
      )}
      {deleted && <DeleteAccount row={deleted} onClose={() => setDeleted(undefined)} />}
      <NewSecret
        secret={secret}
        title="The new secret"
        note="It is shown once. Your approval does not count for what the account requests with it."
        onClose={() => setSecret(undefined)}
      />
      <Drawer
        opened={open !== undefined || isGone}
        onClose={() => setUrl({ open: undefined })}
        title={open?.name ?? 'Service account'}
      >
        {open && <AccountPanel key={open.id} account={open} />}
        {isGone && <Empty title="There is no such service account">It was deleted, or the link is wrong.</Empty>}
      </Drawer>
    </Section>
  )
}
