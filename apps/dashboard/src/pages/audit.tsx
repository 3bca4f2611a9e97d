import { Alert, Badge, Button, Code, Drawer, Group, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { Actor } from '../api/types.ts'
import { useApi } from '../api/use-api.ts'
import { numberOf, useUrl } from '../lib/use-url.ts'
import { DataTable, paged } from '../parts/data-table.tsx'
import { Empty, Page, Section } from '../parts/page.tsx'
import { Facts, Hash, Time } from '../parts/values.tsx'

const PATH = '/api/core/audit-log'
const FILTERS = ['action', 'actor', 'object'] as const
const HINTS = { action: 'approveOperation', actor: 'user:3', object: 'operation:12' } as const

interface Entry {
  readonly id: number
  readonly at: string
  readonly actor: Actor
  readonly action: string
  readonly object: { readonly type: string; readonly id: number | null }
  readonly from: string | null
  readonly details: object | null
  readonly previousHash: string
  readonly hash: string
}

/** Who did what. Each entry contains the hash of the one before, so none can be changed alone. */
export function Audit() {
  const [url, setUrl] = useUrl()
  const offset = numberOf(url.offset) ?? 0
  const filter = new URLSearchParams(
    FILTERS.flatMap((name) => (url[name] ? [[name, String(url[name])]] : [])),
  ).toString()
  const path = filter ? `${PATH}?${filter}` : PATH
  const log = useApi<{ entries: Entry[]; pagination: { total: number } }>(paged(path, offset))
  const [shown, setShown] = useState<Entry>()
  const entries = log.data?.data.entries ?? []
  const broken = filter
    ? undefined
    : entries.find((entry, at) => entries[at + 1] !== undefined && entry.previousHash !== entries[at + 1]!.hash)
  return (
    <Page title="Audit log" description="Who did what, when and from where, in a chain of hashes">
      {!filter && entries.length > 1 && (
        <Alert
          color={broken ? 'red' : 'teal'}
          title={broken ? `The chain is broken at entry ${broken.id}` : 'The chain on this page is whole'}
        >
          {broken ? (
            'Somebody changed the log. Keep the database as it is and verify it with npm run audit:verify.'
          ) : (
            <>
              Each of these entries names the hash of the one before. Head:{' '}
              <Hash value={entries[0]?.hash} length={12} />. The operator verifies all of it with{' '}
              <Code>npm run audit:verify</Code>.
            </>
          )}
        </Alert>
      )}
      <Section
        title="Entries"
        pad={false}
        actions={
          <>
            {FILTERS.map((name) => (
              <Filter
                key={`${name}${url[name] ?? ''}`}
                name={name}
                value={String(url[name] ?? '')}
                onSet={(value) => setUrl({ [name]: value || undefined, offset: undefined })}
              />
            ))}
            {filter && (
              <Button
                size="xs"
                variant="subtle"
                onClick={() => setUrl({ action: undefined, actor: undefined, object: undefined, offset: undefined })}
              >
                Clear
              </Button>
            )}
          </>
        }
      >
        <DataTable
          label="Audit log"
          path={path}
          query={log}
          rows={({ entries: items, pagination }) => ({ items, total: pagination.total })}
          id={({ id }) => id}
          offset={offset}
          onOffset={(next) => setUrl({ offset: next || undefined })}
          onOpen={setShown}
          columns={[
            { title: 'Action', cell: ({ action }) => action, csv: ({ action }) => action },
            {
              title: 'Who',
              cell: ({ actor }) => actor.name ?? `${actor.type} ${actor.id ?? ''}`,
              csv: ({ actor }) => `${actor.type}:${actor.id ?? ''}`,
            },
            {
              title: 'On',
              wide: true,
              cell: ({ object }) => (
                <Badge variant="light" color="gray" tt="none">
                  {object.type} {object.id ?? ''}
                </Badge>
              ),
              csv: ({ object }) => `${object.type}:${object.id ?? ''}`,
            },
            { title: 'From', wide: true, cell: ({ from }) => from ?? '–', csv: ({ from }) => from },
            { title: 'Hash', wide: true, cell: ({ hash }) => <Hash value={hash} />, csv: ({ hash }) => hash },
            { title: 'When', right: true, cell: ({ at }) => <Time iso={at} />, csv: ({ at }) => at },
          ]}
          empty={
            <Empty title={filter ? 'No entry matches' : 'No entry yet'}>
              Every request that changes something writes one, in the same transaction as its effect.
            </Empty>
          }
        />
      </Section>
      <Drawer
        opened={shown !== undefined}
        onClose={() => setShown(undefined)}
        title={shown ? `Entry ${shown.id}` : 'Entry'}
      >
        {shown && (
          <Stack>
            <Facts
              items={[
                ['Action', shown.action],
                ['Who', shown.actor.name ?? shown.actor.type],
                ['From', shown.from ?? '–'],
                ['When', <Time key="t" iso={shown.at} />],
                ['Hash', <Hash key="h" value={shown.hash} length={12} />],
                ['Before it', <Hash key="p" value={shown.previousHash} length={12} />],
              ]}
            />
            <Text size="sm" fw={600}>
              Details
            </Text>
            <Code block tabIndex={0} className="curl">
              {JSON.stringify(shown.details, null, 2)}
            </Code>
          </Stack>
        )}
      </Drawer>
    </Page>
  )
}

function Filter({
  name,
  value,
  onSet,
}: {
  readonly name: (typeof FILTERS)[number]
  readonly value: string
  readonly onSet: (value: string) => void
}) {
  const [text, setText] = useState(value)
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        onSet(text.trim())
      }}
    >
      <Group gap={4}>
        <TextInput
          aria-label={`Filter by ${name}`}
          placeholder={HINTS[name]}
          size="xs"
          w={140}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          onBlur={() => text.trim() !== value && onSet(text.trim())}
        />
      </Group>
    </form>
  )
}
