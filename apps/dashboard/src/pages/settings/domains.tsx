import { Button, Code, Group, Stack, Text, TextInput } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import { useState } from 'react'
import type { Answer, ApiError } from '../../api/client.ts'
import { useMay } from '../../api/session.tsx'
import type { Schema } from '../../api/types.ts'
import { useAction } from '../../api/use-api.ts'
import { Curl } from '../../parts/curl.tsx'
import { FormDialog } from '../../parts/forms/form-dialog.tsx'
import { Empty, Section } from '../../parts/frame/page.tsx'
import { columnsFor } from '../../parts/tables/columns.tsx'
import { bare, DataTable } from '../../parts/tables/data-table.tsx'
import { Time } from '../../parts/values.tsx'
import { DOMAINS } from './sso.ts'

type Domain = Schema<'SsoDomain'>

const { buttons, shown, text } = columnsFor<Domain>()

/** The domains of email addresses that the organization proved, by a record in their name service. */
export function Domains({ query }: { readonly query: UseQueryResult<Answer<Domain[]>, ApiError> }) {
  const may = useMay()
  const [adding, setAdding] = useState(false)
  const [released, setReleased] = useState<Domain>()
  const verify = useAction('Domain proved.')
  const claim = may.own && (
    <Button size="xs" onClick={() => setAdding(true)}>
      Claim a domain
    </Button>
  )
  return (
    <Section title="Domains" pad={false} actions={claim}>
      <DataTable
        label="Domains"
        path={DOMAINS}
        query={query}
        rows={bare}
        id={({ id }) => id}
        columns={[
          text('Domain', 'domain'),
          shown(
            'Proved',
            ({ verifiedAt, recordName, recordValue }) =>
              verifiedAt === null ? (
                <Stack gap={2}>
                  <Text size="sm">Publish this TXT record:</Text>
                  <Code className="breaks">{recordName}</Code>
                  <Code className="breaks">{recordValue}</Code>
                </Stack>
              ) : (
                <Time iso={verifiedAt} />
              ),
            'verifiedAt',
          ),
          buttons('Change', (domain) =>
            may.own ? (
              <Group gap={6} justify="flex-end">
                {domain.verifiedAt === null && (
                  <Button
                    size="compact-xs"
                    aria-label={`Check the record of ${domain.domain}`}
                    loading={verify.isPending}
                    onClick={() => verify.mutate({ method: 'POST', path: `${DOMAINS}/${domain.id}/verify`, body: {} })}
                  >
                    Check the record
                  </Button>
                )}
                <Button
                  size="compact-xs"
                  variant="default"
                  color="red.9"
                  aria-label={`Release ${domain.domain}`}
                  onClick={() => setReleased(domain)}
                >
                  Release
                </Button>
                <Curl method="POST" path={`${DOMAINS}/${domain.id}/verify`} />
              </Group>
            ) : (
              '–'
            ),
          ),
        ]}
        empty={
          <Empty title="No domain yet" action={claim}>
            Addresses of a domain that you prove sign in at your provider.
          </Empty>
        }
      />
      {adding && <Claim onClose={() => setAdding(false)} />}
      {released && (
        <FormDialog
          title={`Release ${released.domain}?`}
          action={{ method: 'DELETE', path: `${DOMAINS}/${released.id}` }}
          submit="Release"
          done="Domain released."
          onClose={() => setReleased(undefined)}
        >
          <Text size="sm">
            Single sign-on is no longer required for its addresses, and another organization can prove the domain.
          </Text>
        </FormDialog>
      )}
    </Section>
  )
}

function Claim({ onClose }: { readonly onClose: () => void }) {
  const [domain, setDomain] = useState('')
  return (
    <FormDialog
      title="Claim a domain"
      action={{ method: 'POST', path: DOMAINS, body: { domain: domain.trim() } }}
      submit="Claim"
      done="Domain claimed. Publish its record, then let Weir check it."
      ready={domain.trim() !== ''}
      onClose={onClose}
    >
      <TextInput
        label="Domain"
        description="The part after the @; each subdomain is a separate domain"
        required
        placeholder="acme.example"
        spellCheck={false}
        value={domain}
        onChange={(event) => setDomain(event.currentTarget.value)}
      />
    </FormDialog>
  )
}
