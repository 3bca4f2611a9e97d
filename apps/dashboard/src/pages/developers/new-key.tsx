import { Button, Checkbox, Group, Select, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import { API_KEYS } from '../../api/paths.ts'
import type { Schema } from '../../api/types.ts'
import { useAction, useApi } from '../../api/use-api.ts'
import { Curl } from '../../parts/curl.tsx'
import { ShownOnceDialog } from '../../parts/forms/shown-once.tsx'
import { EXPIRIES, expiryOf, networksOf } from './limits.ts'
import { OF_SCOPE, OPENS } from './permissions.ts'
import { PROFILES } from './profiles.tsx'

/** As many as one scrolls through; who has more profiles types a part of the name. */
const CHOICES_MAX = 100

export function NewKey({
  onClose,
  onMade,
}: {
  readonly onClose: () => void
  readonly onMade: (key: string | null) => void
}) {
  const profiles = useApi<Schema<'WalletProfile'>[]>(PROFILES)
  const [name, setName] = useState('')
  const [scope, setScope] = useState<string>('organization')
  const [permissions, setPermissions] = useState<string[]>(['read'])
  const [addresses, setAddresses] = useState('')
  const [days, setDays] = useState<string>('90')
  const make = useAction<{ apiKey: string | null }>(undefined, ({ apiKey }) => onMade(apiKey), onClose)
  const body = {
    name,
    ...(scope === 'admin'
      ? { isAdmin: true }
      : scope === 'organization'
        ? { permissions }
        : { walletProfileId: Number(scope), permissions: permissions.filter((each) => each !== 'agent') }),
    ...networksOf(addresses),
    ...expiryOf(days),
  }
  return (
    <ShownOnceDialog title="Generate a key" pending={make.isPending} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          make.mutate({ method: 'POST', path: `${API_KEYS}/generate`, body })
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
            label="Scope"
            data={[
              { value: 'organization', label: 'The whole organization' },
              { value: 'admin', label: 'The whole organization, read only' },
              ...(profiles.data?.data ?? []).map(({ id, name: profile }) => ({
                value: String(id),
                label: `Profile ${profile}`,
              })),
            ]}
            value={scope}
            onChange={(value) => value && setScope(value)}
            allowDeselect={false}
            searchable
            limit={CHOICES_MAX}
            nothingFoundMessage="No profile has this name"
          />
          {scope !== 'admin' && (
            <Checkbox.Group label="The key" value={permissions} onChange={setPermissions}>
              <Stack gap={6} mt={6}>
                {OF_SCOPE[scope === 'organization' ? 'organization' : 'profile'].map((each) => (
                  <Checkbox key={each} value={each} label={OPENS[each]} />
                ))}
              </Stack>
            </Checkbox.Group>
          )}
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
            <Curl method="POST" path={`${API_KEYS}/generate`} body={body} />
            <Button type="submit" loading={make.isPending}>
              Generate
            </Button>
          </Group>
        </Stack>
      </form>
    </ShownOnceDialog>
  )
}
