import { Button, Group, Text } from '@mantine/core'
import { useState } from 'react'
import { useMemberNames } from '../../api/member-names.ts'
import { API_KEYS } from '../../api/paths.ts'
import { useMay } from '../../api/session.tsx'
import type { Schema } from '../../api/types.ts'
import { useApi } from '../../api/use-api.ts'
import { textOf, usePaging, useUrl, withQuery } from '../../lib/page/use-url.ts'
import { NewSecret } from '../../parts/forms/new-secret.tsx'
import { Empty, Section } from '../../parts/frame/page.tsx'
import { columnsFor } from '../../parts/tables/columns.tsx'
import { bare, DataTable, paged } from '../../parts/tables/data-table.tsx'
import { UrlFilter } from '../../parts/tables/url-filter.tsx'
import { UrlSearch } from '../../parts/tables/url-search.tsx'
import { words } from '../../parts/values.tsx'
import { NewKey } from './new-key.tsx'
import { Revoke } from './revoke.tsx'
import { Rotate } from './rotate.tsx'

const SCOPES = ['organization', 'profile', 'admin']
const { buttons, shown, text, time } = columnsFor<Schema<'ApiKey'>>()

export function Keys() {
  const may = useMay()
  const paging = usePaging()
  const memberName = useMemberNames()
  const [url] = useUrl()
  const path = withQuery(API_KEYS, { q: textOf(url.q), scope: SCOPES.find((scope) => scope === url.scope) })
  const keys = useApi<Schema<'ApiKey'>[]>(paged(path, paging.offset))
  const [adding, setAdding] = useState(false)
  const [rotated, setRotated] = useState<Schema<'ApiKey'>>()
  const [revoked, setRevoked] = useState<Schema<'ApiKey'>>()
  const [secret, setSecret] = useState<string | null>()
  return (
    <Section
      title="API keys"
      pad={false}
      actions={
        <>
          <UrlSearch label="Key, or how it ends" name="q" />
          <UrlFilter label="Scope of keys" placeholder="All scopes" choices={SCOPES} name="scope" w={140} />
          {may.administer && (
            <Button size="xs" onClick={() => setAdding(true)}>
              Generate a key
            </Button>
          )}
        </>
      }
    >
      <DataTable
        label="API keys"
        path={path}
        query={keys}
        rows={bare}
        id={({ id }) => id}
        {...paging}
        columns={[
          text('Name', 'name'),
          shown(
            'Key',
            ({ keyPreview }) => (
              <Text span ff="monospace" size="sm">
                {keyPreview}
              </Text>
            ),
            'keyPreview',
            { wide: true },
          ),
          shown('Scope', ({ scope }) => words(scope), 'scope', { wide: true }),
          shown(
            'May',
            ({ permissions }) => permissions?.join(', ') ?? 'everything in its scope',
            ({ permissions }) => permissions?.join(' ') ?? '',
            { wide: true },
          ),
          shown(
            'Created by',
            ({ createdBy }) => <span className="breaks">{createdBy === null ? '–' : memberName(createdBy)}</span>,
            'createdBy',
            {
              wide: true,
            },
          ),
          time('Last used', 'lastUsedAt'),
          time('Expires', 'expiresAt', { wide: true }),
          buttons('Change', (row) =>
            may.administer ? (
              <Group gap={6} justify="flex-end" wrap="nowrap">
                <Button
                  size="compact-xs"
                  variant="default"
                  aria-label={`Rotate ${row.name}`}
                  onClick={() => setRotated(row)}
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
          ),
        ]}
        empty={
          path === API_KEYS ? (
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
          ) : (
            <Empty title="No key matches">Change the filter to see others.</Empty>
          )
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
      {rotated && (
        <Rotate<{ apiKey: string | null }>
          what={rotated.name}
          path={`${API_KEYS}/${rotated.id}`}
          onClose={() => setRotated(undefined)}
          onMade={({ apiKey }) => {
            setRotated(undefined)
            setSecret(apiKey)
          }}
        />
      )}
      {revoked && <Revoke row={revoked} onClose={() => setRevoked(undefined)} />}
      <NewSecret secret={secret} title="The new key" note="It is shown once." onClose={() => setSecret(undefined)} />
    </Section>
  )
}
