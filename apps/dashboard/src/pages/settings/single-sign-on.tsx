import { Button, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useMay } from '../../api/session.tsx'
import type { Schema } from '../../api/types.ts'
import { useApi } from '../../api/use-api.ts'
import { Empty, Section } from '../../parts/frame/page.tsx'
import { columnsFor } from '../../parts/tables/columns.tsx'
import { bare, DataTable } from '../../parts/tables/data-table.tsx'
import { Domains } from './domains.tsx'
import { ProviderForm } from './provider-form.tsx'
import { ProviderPanel } from './provider-panel.tsx'
import { PROVIDERS, type Provider } from './sso.ts'

const { shown, text, time } = columnsFor<Provider>()

/** Where members sign in instead of by password: first a domain, then the provider that vouches for its addresses. */
export function SingleSignOn() {
  const may = useMay()
  const providers = useApi<Provider[]>(PROVIDERS)
  const domains = useApi<Schema<'SsoDomain'>[]>('/api/core/sso/domains')
  const [adding, setAdding] = useState(false)
  const [opened, setOpened] = useState<number>()
  const proved = (domains.data?.data ?? []).filter(({ verifiedAt }) => verifiedAt !== null)
  const open = providers.data?.data.find(({ id }) => id === opened)
  const add = may.own && (
    <Button size="xs" onClick={() => setAdding(true)}>
      Add a provider
    </Button>
  )
  return (
    <Stack gap="lg">
      {!may.own && (
        <Text size="sm" c="dimmed">
          Owners change domains and providers.
        </Text>
      )}
      <Domains query={domains} />
      <Section title="Identity providers" pad={false} actions={add}>
        <DataTable
          label="Identity providers"
          path={PROVIDERS}
          query={providers}
          rows={bare}
          id={({ id }) => id}
          onOpen={({ id }) => setOpened(id)}
          columns={[
            text('Name', 'name'),
            text('Issuer', 'issuer', { wide: true }),
            shown(
              'Domains',
              ({ domains: of }) => <span className="breaks">{of.join(', ') || '–'}</span>,
              ({ domains: of }) => of.join(' '),
            ),
            shown(
              'Required',
              ({ enforced }) => (enforced ? 'Yes' : 'No'),
              ({ enforced }) => String(enforced),
            ),
            time('Since', 'createdAt', { wide: true }),
          ]}
          empty={
            <Empty title="No provider yet" action={add}>
              Okta, Microsoft Entra ID, Google Workspace, Keycloak, or any other with OpenID Connect discovery. Prove a
              domain first.
            </Empty>
          }
        />
      </Section>
      {adding && <ProviderForm proved={proved.map(({ domain }) => domain)} onClose={() => setAdding(false)} />}
      {open && (
        <ProviderPanel
          provider={open}
          proved={proved.map(({ domain }) => domain)}
          onClose={() => setOpened(undefined)}
        />
      )}
    </Stack>
  )
}
