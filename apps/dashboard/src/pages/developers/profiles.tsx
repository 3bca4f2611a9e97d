import { Button, Group, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useMay } from '../../api/session.tsx'
import type { Schema } from '../../api/types.ts'
import { useAction, useApi } from '../../api/use-api.ts'
import { usePaging } from '../../lib/page/use-url.ts'
import { Curl } from '../../parts/curl.tsx'
import { Empty, Section } from '../../parts/frame/page.tsx'
import { columnsFor } from '../../parts/tables/columns.tsx'
import { bare, DataTable, paged } from '../../parts/tables/data-table.tsx'
import { chainName } from '../../parts/values.tsx'

const { shown } = columnsFor<Schema<'WalletProfile'>>()

export const PROFILES = '/api/core/wallet-profiles'

export function Profiles() {
  const may = useMay()
  const paging = usePaging()
  const profiles = useApi<Schema<'WalletProfile'>[]>(paged(PROFILES, paging.offset))
  const [name, setName] = useState('')
  const add = useAction('Wallet profile created.', () => setName(''))
  return (
    <Section title="Wallet profiles" pad={false}>
      <DataTable
        label="Wallet profiles"
        path={PROFILES}
        query={profiles}
        rows={bare}
        id={({ id }) => id}
        {...paging}
        columns={[
          shown('Name', ({ name: each, isDefault }) => `${each}${isDefault ? ' (default)' : ''}`, 'name'),
          shown(
            'Chains',
            ({ enabledChains }) => enabledChains.map(chainName).join(', '),
            ({ enabledChains }) => enabledChains.join(' '),
          ),
          shown(
            'Operations expire after',
            ({ operationTimeoutSeconds }) => `${operationTimeoutSeconds} s`,
            'operationTimeoutSeconds',
            { right: true, wide: true },
          ),
        ]}
        empty={<Empty title="No profile" />}
      />
      {may.administer && (
        <Group p="md" align="flex-end" gap="xs">
          <TextInput label="New profile" value={name} onChange={(event) => setName(event.currentTarget.value)} />
          <Button
            variant="default"
            disabled={name === ''}
            loading={add.isPending}
            onClick={() => add.mutate({ method: 'POST', path: PROFILES, body: { name } })}
          >
            Add
          </Button>
          <Curl method="POST" path={PROFILES} body={{ name }} />
        </Group>
      )}
    </Section>
  )
}
