import { Anchor, Card, Stack, Text, Title } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useMemberNames } from '../../api/member-names.ts'
import { useMay } from '../../api/session.tsx'
import type { Schema } from '../../api/types.ts'
import { Facts, Time, words } from '../../parts/values.tsx'

/** What a service account may do, from where, and the secrets that work. */
export function AccountPanel({ account }: { readonly account: Schema<'ServiceAccount'> }) {
  const may = useMay()
  const memberName = useMemberNames()
  return (
    <Stack gap="lg">
      <Facts
        items={[
          ['Role', words(account.role)],
          ['Works from', account.allowedAddresses?.join(', ') ?? 'any address'],
          ['Created by', memberName(account.createdBy)],
          ['Created', <Time key="c" iso={account.createdAt} />],
        ]}
      />
      <Stack gap="sm" component="section" aria-label="Secrets that work">
        <Title order={3} size="h5">
          Secrets that work
        </Title>
        {account.secrets.length === 0 && (
          <Text size="sm" c="dimmed">
            None: the last one has expired. Rotate the secret to get a new one.
          </Text>
        )}
        {account.secrets.map(({ preview, createdBy, createdAt, expiresAt, lastUsedAt, lastUsedAddress }) => (
          <Card key={preview + createdAt} withBorder padding="sm">
            <Facts
              items={[
                [
                  'Secret',
                  <Text key="p" span ff="monospace" size="sm" className="breaks">
                    {preview}
                  </Text>,
                ],
                ['Held by', memberName(createdBy)],
                ['Made', <Time key="m" iso={createdAt} />],
                ['Ends', expiresAt === null ? 'never' : <Time key="e" iso={expiresAt} />],
                [
                  'Last used',
                  <span key="l">
                    <Time iso={lastUsedAt} />
                    {lastUsedAddress !== null && ` from ${lastUsedAddress}`}
                  </span>,
                ],
              ]}
            />
          </Card>
        ))}
      </Stack>
      {may.administer && (
        <Anchor
          component={Link}
          to={'/app/audit' as never}
          search={{ actor: `service_account:${account.id}` } as never}
          size="sm"
          underline="always"
        >
          What it did, in the audit log
        </Anchor>
      )}
    </Stack>
  )
}
