import { Button, Group, Text } from '@mantine/core'
import { useState } from 'react'
import { useMay } from '../../api/session.tsx'
import type { Schema } from '../../api/types.ts'
import { useAction, useApi } from '../../api/use-api.ts'
import { usePaging } from '../../lib/use-url.ts'
import { columnsFor } from '../../parts/columns.tsx'
import { bare, DataTable, paged } from '../../parts/data-table.tsx'
import { Empty, Section } from '../../parts/page.tsx'
import { Time, words } from '../../parts/values.tsx'
import { DeleteAccount } from './delete-account.tsx'
import { NewAccount } from './new-account.tsx'
import { NewSecret } from './new-secret.tsx'

type Account = Schema<'ServiceAccount'>

const { buttons, shown, text } = columnsFor<Account>()

export const ACCOUNTS = '/api/core/service-accounts'

/** When any of its secrets was last used. */
export const lastUse = ({ secrets }: Account): string | null =>
  secrets
    .flatMap(({ lastUsedAt }) => (lastUsedAt === null ? [] : [lastUsedAt]))
    .sort()
    .at(-1) ?? null

export function ServiceAccounts() {
  const may = useMay()
  const paging = usePaging()
  const accounts = useApi<Account[]>(paged(ACCOUNTS, paging.offset))
  const [adding, setAdding] = useState(false)
  const [deleted, setDeleted] = useState<Account>()
  const [secret, setSecret] = useState<string | null>()
  const rotate = useAction<{ secret: string | null }>(undefined, (made) => setSecret(made.secret))
  const create = may.administer && (
    <Button size="xs" onClick={() => setAdding(true)}>
      Create a service account
    </Button>
  )
  return (
    <Section title="Service accounts" pad={false} actions={create}>
      <DataTable
        label="Service accounts"
        path={ACCOUNTS}
        query={accounts}
        rows={bare}
        id={({ id }) => id}
        {...paging}
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
            ({ secrets: [current] }) => (current === undefined ? '–' : `member ${current.createdBy}`),
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
                  onClick={() =>
                    rotate.mutate({
                      method: 'POST',
                      path: `${ACCOUNTS}/${row.id}/rotate`,
                      body: { overlapSeconds: 86_400 },
                    })
                  }
                >
                  Rotate
                </Button>
                <Button
                  size="compact-xs"
                  variant="default"
                  color="red.9"
                  aria-label={`Delete ${row.name}`}
                  onClick={() => setDeleted(row)}
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
            A program that changes buffers or webhooks, or deploys and withdraws, has a secret of its own in place of a
            person’s session. It decides nothing.
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
      {deleted && <DeleteAccount row={deleted} onClose={() => setDeleted(undefined)} />}
      <NewSecret
        secret={secret}
        title="The new secret"
        note="It is shown once. After a rotation the old secret works for another day. Your approval does not count for what the account requests with it."
        onClose={() => setSecret(undefined)}
      />
    </Section>
  )
}
