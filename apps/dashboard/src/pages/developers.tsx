import {
  Alert,
  Button,
  Checkbox,
  Code,
  CopyButton,
  Group,
  Modal,
  Select,
  SimpleGrid,
  Stack,
  Tabs,
  Text,
  TextInput,
} from '@mantine/core'
import { useState } from 'react'
import { useMay } from '../api/session.tsx'
import { useAction, useApi } from '../api/use-api.ts'
import { numberOf, useUrl } from '../lib/use-url.ts'
import { Curl } from '../parts/curl.tsx'
import { DataTable, paged } from '../parts/data-table.tsx'
import { Empty, Loaded, Page, Section, Stat } from '../parts/page.tsx'
import { chainName, Time, words } from '../parts/values.tsx'

const KEYS = '/api/core/apikeys'
const PROFILES = '/api/core/wallet-profiles'
const PERMISSIONS = ['read', 'plan', 'submit', 'ramp', 'agent'] as const
/** What each permission opens, in a sentence; the same words stand where a key is made and where it is taken away. */
const OPENS: Readonly<Record<string, string>> = {
  read: 'reads wallets, positions, operations and events',
  plan: 'plans operations and registers wallets',
  submit: 'submits signed transactions',
  ramp: 'moves money between banks and chains',
  agent: 'leases transactions to sign them',
}

interface Key {
  readonly id: number
  readonly name: string
  readonly scope: string
  readonly keyPreview: string
  readonly createdAt: string
  readonly createdBy: number | null
  readonly permissions: readonly string[] | null
  readonly allowedAddresses: readonly string[] | null
  readonly expiresAt: string | null
  readonly lastUsedAt: string | null
  readonly lastUsedAddress: string | null
}
interface Profile {
  readonly id: number
  readonly name: string
  readonly enabledChains: readonly string[]
  readonly operationTimeoutSeconds: number
  readonly isDefault: boolean
}
interface Quota {
  readonly quota: string
  readonly limit: number
  readonly used: number
}

export function Developers() {
  const [url, setUrl] = useUrl()
  const tab = ['profiles', 'quotas'].includes(String(url.tab)) ? String(url.tab) : 'keys'
  return (
    <Page title="Developers" description="Keys for programs, and what they may do">
      <Tabs
        value={tab}
        onChange={(next) => setUrl({ tab: next === 'keys' ? undefined : (next ?? undefined), offset: undefined })}
        keepMounted={false}
      >
        <Tabs.List mb="md">
          <Tabs.Tab value="keys">API keys</Tabs.Tab>
          <Tabs.Tab value="profiles">Wallet profiles</Tabs.Tab>
          <Tabs.Tab value="quotas">Quotas</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="keys">
          <Keys />
        </Tabs.Panel>
        <Tabs.Panel value="profiles">
          <Profiles />
        </Tabs.Panel>
        <Tabs.Panel value="quotas">
          <Quotas />
        </Tabs.Panel>
      </Tabs>
    </Page>
  )
}

function Keys() {
  const [url, setUrl] = useUrl()
  const may = useMay()
  const offset = numberOf(url.offset) ?? 0
  const keys = useApi<Key[]>(paged(KEYS, offset))
  const [adding, setAdding] = useState(false)
  const [revoked, setRevoked] = useState<Key>()
  const [secret, setSecret] = useState<string | null>()
  const rotate = useAction<{ apiKey: string | null }>(undefined, ({ apiKey }) => setSecret(apiKey))
  return (
    <Section
      title="API keys"
      pad={false}
      actions={
        may.administer && (
          <Button size="xs" onClick={() => setAdding(true)}>
            Generate a key
          </Button>
        )
      }
    >
      <DataTable
        label="API keys"
        path={KEYS}
        query={keys}
        rows={(items, { total }) => ({ items, total: total ?? items.length })}
        id={({ id }) => id}
        offset={offset}
        onOffset={(next) => setUrl({ offset: next || undefined })}
        columns={[
          { title: 'Name', cell: ({ name }) => name, csv: ({ name }) => name },
          {
            title: 'Key',
            wide: true,
            cell: ({ keyPreview }) => (
              <Text span ff="monospace" size="sm">
                {keyPreview}
              </Text>
            ),
            csv: ({ keyPreview }) => keyPreview,
          },
          { title: 'Scope', cell: ({ scope }) => words(scope), csv: ({ scope }) => scope },
          {
            title: 'May',
            wide: true,
            cell: ({ permissions }) => permissions?.join(', ') ?? 'all of its scope',
            csv: ({ permissions }) => permissions?.join(' ') ?? '',
          },
          {
            title: 'Made by',
            wide: true,
            cell: ({ createdBy }) => (createdBy === null ? '–' : `member ${createdBy}`),
            csv: ({ createdBy }) => createdBy,
          },
          {
            title: 'Last used',
            right: true,
            cell: ({ lastUsedAt }) => <Time iso={lastUsedAt} />,
            csv: ({ lastUsedAt }) => lastUsedAt,
          },
          {
            title: 'Expires',
            right: true,
            wide: true,
            cell: ({ expiresAt }) => <Time iso={expiresAt} />,
            csv: ({ expiresAt }) => expiresAt,
          },
          {
            title: 'Change',
            right: true,
            cell: (row) =>
              may.administer ? (
                <Group gap={6} justify="flex-end" wrap="nowrap">
                  <Button
                    size="compact-xs"
                    variant="default"
                    aria-label={`Rotate ${row.name}`}
                    onClick={() =>
                      rotate.mutate({
                        method: 'POST',
                        path: `${KEYS}/${row.id}/rotate`,
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
                    aria-label={`Revoke ${row.name}`}
                    onClick={() => setRevoked(row)}
                  >
                    Revoke
                  </Button>
                </Group>
              ) : (
                '–'
              ),
          },
        ]}
        empty={
          <Empty
            title="No key"
            action={
              may.administer && (
                <Button variant="default" onClick={() => setAdding(true)}>
                  Generate a key
                </Button>
              )
            }
          >
            Programs authenticate with a key in the header x-api-key.
          </Empty>
        }
      />
      {adding && (
        <NewKey
          onClose={() => setAdding(false)}
          onMade={(key) => {
            setAdding(false)
            setSecret(key)
          }}
        />
      )}
      {revoked && <Revoke row={revoked} onClose={() => setRevoked(undefined)} />}
      <Modal opened={secret !== undefined} onClose={() => setSecret(undefined)} title="The new key">
        <Stack>
          <Text size="sm">It is shown once. After a rotation the old key works for another day.</Text>
          <Code block tabIndex={0}>
            {secret ?? ''}
          </Code>
          <Group justify="flex-end">
            <CopyButton value={secret ?? ''}>
              {({ copied, copy }) => (
                <Button variant="default" onClick={copy}>
                  {copied ? 'Copied' : 'Copy'}
                </Button>
              )}
            </CopyButton>
            <Button onClick={() => setSecret(undefined)}>I have stored it</Button>
          </Group>
        </Stack>
      </Modal>
    </Section>
  )
}

function NewKey({ onClose, onMade }: { readonly onClose: () => void; readonly onMade: (key: string | null) => void }) {
  const profiles = useApi<Profile[]>(paged(PROFILES, 0, 100))
  const [name, setName] = useState('')
  const [scope, setScope] = useState<string>('organization')
  const [permissions, setPermissions] = useState<string[]>(['read'])
  const [addresses, setAddresses] = useState('')
  const [days, setDays] = useState<string>('90')
  const make = useAction<{ apiKey: string | null }>(undefined, ({ apiKey }) => onMade(apiKey))
  const list = addresses.split(/[\s,]+/).filter(Boolean)
  const body = {
    name,
    ...(scope === 'admin'
      ? { isAdmin: true }
      : scope === 'organization'
        ? { permissions }
        : { walletProfileId: Number(scope), permissions: permissions.filter((each) => each !== 'agent') }),
    ...(list.length > 0 ? { allowedAddresses: list } : {}),
    ...(days === 'never' ? {} : { expiresAt: new Date(Date.now() + Number(days) * 86_400_000).toISOString() }),
  }
  return (
    <Modal opened onClose={onClose} title="Generate a key">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          make.mutate({ method: 'POST', path: `${KEYS}/generate`, body })
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
          />
          {scope !== 'admin' && (
            <Checkbox.Group label="The key" value={permissions} onChange={setPermissions}>
              <Stack gap={6} mt={6}>
                {PERMISSIONS.filter((each) => scope === 'organization' || each !== 'agent').map((each) => (
                  <Checkbox key={each} value={each} label={OPENS[each]} />
                ))}
              </Stack>
            </Checkbox.Group>
          )}
          <TextInput
            label="Only from these addresses"
            description="Networks with commas between; empty for any"
            placeholder="192.0.2.0/24"
            value={addresses}
            onChange={(event) => setAddresses(event.currentTarget.value)}
          />
          <Select
            label="Expires"
            data={[
              { value: '30', label: 'in 30 days' },
              { value: '90', label: 'in 90 days' },
              { value: '365', label: 'in a year' },
              { value: 'never', label: 'never' },
            ]}
            value={days}
            onChange={(value) => value && setDays(value)}
            allowDeselect={false}
          />
          <Group justify="space-between">
            <Curl method="POST" path={`${KEYS}/generate`} body={body} />
            <Button type="submit" loading={make.isPending}>
              Generate
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}

/** Says what stops working before it stops. */
function Revoke({ row, onClose }: { readonly row: Key; readonly onClose: () => void }) {
  const revoke = useAction('The key is revoked.', onClose)
  const may = row.permissions ?? PERMISSIONS
  return (
    <Modal opened onClose={onClose} title={`Revoke ${row.name}?`}>
      <Stack>
        <Text size="sm">From then on, no program with this key</Text>
        <ul>
          {may.map((each) => (
            <li key={each}>{OPENS[each]}</li>
          ))}
        </ul>
        <Text size="sm">
          It was last used <Time iso={row.lastUsedAt} />
          {row.lastUsedAddress ? ` from ${row.lastUsedAddress}` : ''}. This cannot be undone.
        </Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Keep it
          </Button>
          <Button
            color="red.9"
            loading={revoke.isPending}
            onClick={() => revoke.mutate({ method: 'DELETE', path: `${KEYS}/${row.id}` })}
          >
            Revoke
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}

function Profiles() {
  const may = useMay()
  const profiles = useApi<Profile[]>(paged(PROFILES, 0, 100))
  const [name, setName] = useState('')
  const add = useAction('The profile is made.', () => setName(''))
  return (
    <Section title="Wallet profiles" pad={false}>
      <DataTable
        label="Wallet profiles"
        path={PROFILES}
        query={profiles}
        rows={(items, { total }) => ({ items, total: total ?? items.length })}
        id={({ id }) => id}
        columns={[
          {
            title: 'Name',
            cell: ({ name: each, isDefault }) => `${each}${isDefault ? ' (default)' : ''}`,
            csv: ({ name: each }) => each,
          },
          {
            title: 'Chains',
            cell: ({ enabledChains }) => enabledChains.map(chainName).join(', '),
            csv: ({ enabledChains }) => enabledChains.join(' '),
          },
          {
            title: 'Operations expire after',
            right: true,
            wide: true,
            cell: ({ operationTimeoutSeconds }) => `${operationTimeoutSeconds} s`,
            csv: ({ operationTimeoutSeconds }) => operationTimeoutSeconds,
          },
        ]}
        empty={<Empty title="No profile" />}
      />
      {may.administer && (
        <Group p="md" align="flex-end" gap="xs">
          <TextInput label="Another profile" value={name} onChange={(event) => setName(event.currentTarget.value)} />
          <Button
            variant="default"
            disabled={name === ''}
            loading={add.isPending}
            onClick={() => add.mutate({ method: 'POST', path: PROFILES, body: { name } })}
          >
            Add
          </Button>
        </Group>
      )}
    </Section>
  )
}

function Quotas() {
  const quotas = useApi<Quota[]>('/api/core/organization/quotas')
  return (
    <Loaded query={quotas} height={300}>
      {(list) => (
        <Stack>
          {list.some(({ used, limit }) => used * 10 >= limit * 9) && (
            <Alert color="yellow">A quota is nearly used up. The operator can raise it.</Alert>
          )}
          <SimpleGrid cols={{ base: 2, md: 3 }} spacing="sm">
            {list.map(({ quota, used, limit }) => (
              <Stat key={quota} label={words(quota.replaceAll(/([A-Z])/g, ' $1'))} value={used} note={`of ${limit}`} />
            ))}
          </SimpleGrid>
        </Stack>
      )}
    </Loaded>
  )
}
