import { Button, Group, Select, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import { SERVICE_ACCOUNTS } from '../../api/paths.ts'
import { useAction } from '../../api/use-api.ts'
import { Curl } from '../../parts/curl.tsx'
import { ShownOnceDialog } from '../../parts/forms/shown-once.tsx'
import { EXPIRIES, expiryOf, networksOf } from './limits.ts'

export function NewAccount({
  onClose,
  onMade,
}: {
  readonly onClose: () => void
  readonly onMade: (secret: string | null) => void
}) {
  const [name, setName] = useState('')
  const [role, setRole] = useState('viewer')
  const [addresses, setAddresses] = useState('')
  const [days, setDays] = useState('365')
  const make = useAction<{ secret: string | null }>(undefined, ({ secret }) => onMade(secret), onClose)
  const body = { name, role, ...networksOf(addresses), ...expiryOf(days) }
  return (
    <ShownOnceDialog title="Create a service account" pending={make.isPending} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          make.mutate({ method: 'POST', path: SERVICE_ACCOUNTS, body })
        }}
      >
        <Stack>
          <TextInput
            label="Name"
            required
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            maxLength={200}
          />
          <Select
            label="Role"
            data={[
              { value: 'viewer', label: 'Viewer: reads only' },
              { value: 'admin', label: 'Admin: also wallets, buffers, allocations and webhooks' },
            ]}
            value={role}
            onChange={(value) => value && setRole(value)}
            allowDeselect={false}
          />
          <TextInput
            label="Only from these addresses"
            description="Networks in CIDR notation, separated by commas. Empty: any address"
            placeholder="192.0.2.0/24"
            value={addresses}
            onChange={(event) => setAddresses(event.currentTarget.value)}
          />
          <Select
            label="Expires"
            data={EXPIRIES}
            value={days}
            onChange={(value) => value && setDays(value)}
            allowDeselect={false}
          />
          <Group justify="space-between">
            <Curl method="POST" path={SERVICE_ACCOUNTS} body={body} />
            <Button type="submit" loading={make.isPending}>
              Create
            </Button>
          </Group>
        </Stack>
      </form>
    </ShownOnceDialog>
  )
}
