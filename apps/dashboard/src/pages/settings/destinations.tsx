import { Button, Group, Select, Stack, Switch, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useMay } from '../../api/session.tsx'
import type { Data, Schema } from '../../api/types.ts'
import { useAction, useApi } from '../../api/use-api.ts'
import { Curl } from '../../parts/curl.tsx'
import { FormDialog } from '../../parts/forms/form-dialog.tsx'
import { Empty, Section } from '../../parts/frame/page.tsx'
import { columnsFor } from '../../parts/tables/columns.tsx'
import { DataTable } from '../../parts/tables/data-table.tsx'
import { chainName } from '../../parts/values.tsx'

type Destination = Schema<'Destination'>

const PATH = '/api/core/destinations'
const ENFORCEMENT = `${PATH}/enforcement`
const CHAINS = ['polygon', 'ethereum', 'base', 'solana'] as const
const { buttons, chain, hash, label, time } = columnsFor<Destination>()

/** The addresses that accounts for payments may send tokens to, and whether only these. */
export function Destinations() {
  const may = useMay()
  const list = useApi<Data<'listDestinations'>>(PATH)
  const enforce = useAction('Saved.')
  const [adding, setAdding] = useState(false)
  const [removed, setRemoved] = useState<Destination>()
  const enforced = list.data?.data.enforced ?? false
  const add = may.administer && (
    <Button size="xs" onClick={() => setAdding(true)}>
      Add a destination
    </Button>
  )
  return (
    <Section title="Destinations" pad={false} actions={add}>
      {list.data && (
        <Stack gap="xs" px="md" pb="sm">
          <Group justify="space-between">
            <Switch
              label="Only addresses on this list"
              description="No account for payments can be opened for another address. Open accounts stay open."
              checked={enforced}
              disabled={!may.administer || enforce.isPending}
              onChange={(event) =>
                enforce.mutate({ method: 'PUT', path: ENFORCEMENT, body: { enforced: event.currentTarget.checked } })
              }
            />
            <Curl method="PUT" path={ENFORCEMENT} body={{ enforced: !enforced }} />
          </Group>
          {enforced && list.data.data.destinations.length === 0 && (
            <Text size="sm">The list is empty, so no account can be opened.</Text>
          )}
        </Stack>
      )}
      <DataTable
        label="Destinations"
        path={PATH}
        query={list}
        rows={({ destinations: items }) => ({ items, total: items.length })}
        id={({ id }) => id}
        columns={[
          label('Label', 'label'),
          hash('Address', 'address', { chain: 'blockchain' }),
          chain('blockchain', { wide: true }),
          time('Added', 'createdAt', { wide: true }),
          buttons('Change', (row) =>
            may.administer ? (
              <Button
                size="compact-xs"
                variant="default"
                color="red.9"
                aria-label={`Remove ${row.label}`}
                onClick={() => setRemoved(row)}
              >
                Remove
              </Button>
            ) : (
              '–'
            ),
          ),
        ]}
        empty={
          <Empty title="No destination yet" action={add}>
            Add the addresses of your own wallets, then allow only these.
          </Empty>
        }
      />
      {adding && <Add onClose={() => setAdding(false)} />}
      {removed && (
        <FormDialog
          title={`Remove ${removed.label}?`}
          action={{ method: 'DELETE', path: `${PATH}/${removed.id}` }}
          submit="Remove"
          done="Destination removed."
          onClose={() => setRemoved(undefined)}
        >
          <Text size="sm">
            While the list is enforced, no account can be opened for this address. Accounts that already send there stay
            open.
          </Text>
        </FormDialog>
      )}
    </Section>
  )
}

function Add({ onClose }: { readonly onClose: () => void }) {
  const [fields, setFields] = useState({ address: '', blockchain: 'polygon', label: '' })
  const set = (next: Partial<typeof fields>) => setFields((previous) => ({ ...previous, ...next }))
  const body = { ...fields, address: fields.address.trim(), label: fields.label.trim() }
  return (
    <FormDialog
      title="Add a destination"
      action={{ method: 'POST', path: PATH, body }}
      submit="Add"
      done="Destination added."
      ready={body.address !== '' && body.label !== ''}
      onClose={onClose}
    >
      <TextInput
        label="Address"
        required
        value={fields.address}
        onChange={(event) => set({ address: event.currentTarget.value })}
        autoComplete="off"
        spellCheck={false}
      />
      <Select
        label="Chain"
        data={CHAINS.map((value) => ({ value, label: chainName(value) }))}
        value={fields.blockchain}
        onChange={(blockchain) => blockchain && set({ blockchain })}
        allowDeselect={false}
      />
      <TextInput
        label="Label"
        required
        placeholder="Payouts"
        maxLength={200}
        value={fields.label}
        onChange={(event) => set({ label: event.currentTarget.value })}
      />
    </FormDialog>
  )
}
