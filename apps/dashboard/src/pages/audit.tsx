import { Alert, Badge, Button, Code, Drawer, Group, Stack, Text, TextInput } from '@mantine/core'
import { Fragment, useState } from 'react'
import type { Data, Schema } from '../api/types.ts'
import { useApi } from '../api/use-api.ts'
import { nameOfActor } from '../lib/name-of-actor.ts'
import { usePaging, useUrl } from '../lib/use-url.ts'
import { columnsFor } from '../parts/columns.tsx'
import { DataTable, paged } from '../parts/data-table.tsx'
import { Empty, Page, Section } from '../parts/page.tsx'
import { Facts, Hash, Time } from '../parts/values.tsx'

const { hash, shown, text, time } = columnsFor<Schema<'AuditEntry'>>()

const PATH = '/api/core/audit-log'
const FILTERS = ['action', 'actor', 'object'] as const
const HINTS = {
  action: 'Action, approveOperation',
  actor: 'Who, user:3',
  object: 'On, operation:12',
} as const

/** Who did what. Each entry contains the hash of the one before, so none can be changed alone. */
export function Audit() {
  const [url, setUrl] = useUrl()
  const paging = usePaging()
  const filter = new URLSearchParams(
    FILTERS.flatMap((name) => (url[name] ? [[name, String(url[name])]] : [])),
  ).toString()
  const path = filter ? `${PATH}?${filter}` : PATH
  const log = useApi<Data<'listAuditLog'>>(paged(path, paging.offset))
  const [opened, setOpened] = useState<Schema<'AuditEntry'>>()
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
          {...paging}
          onOpen={setOpened}
          columns={[
            shown('Action', ({ action }) => wrapped(action), 'action'),
            shown(
              'Who',
              ({ actor }) => <span className="breaks">{nameOfActor(actor)}</span>,
              ({ actor }) => `${actor.type}:${actor.id ?? ''}`,
            ),
            shown(
              'On',
              ({ object }) => (
                <Badge variant="light" color="gray" tt="none">
                  {object.type} {object.id ?? ''}
                </Badge>
              ),
              ({ object }) => `${object.type}:${object.id ?? ''}`,
              { wide: true },
            ),
            text('From', 'from', { wide: true }),
            hash('Hash', 'hash', { wide: true }),
            time('When', 'at'),
          ]}
          empty={
            <Empty title={filter ? 'No entry matches' : 'No entry yet'}>
              Every request that changes something writes one, in the same transaction as its effect.
            </Empty>
          }
        />
      </Section>
      <Drawer
        opened={opened !== undefined}
        onClose={() => setOpened(undefined)}
        title={opened ? `Entry ${opened.id}` : 'Entry'}
      >
        {opened && (
          <Stack>
            <Facts
              items={[
                ['Action', opened.action],
                ['Who', nameOfActor(opened.actor)],
                ['From', opened.from ?? '–'],
                ['When', <Time key="t" iso={opened.at} />],
                ['Hash', <Hash key="h" value={opened.hash} length={12} />],
                ['Before it', <Hash key="p" value={opened.previousHash} length={12} />],
              ]}
            />
            <Text size="sm" fw={600}>
              Details
            </Text>
            <Code block tabIndex={0} className="curl">
              {JSON.stringify(opened.details, null, 2)}
            </Code>
          </Stack>
        )}
      </Drawer>
    </Page>
  )
}

/** A name such as `approveOperation` may break before its capitals. */
const wrapped = (action: string) =>
  action.split(/(?=[A-Z])/).map((part, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a name never move.
    <Fragment key={at}>
      {at > 0 && <wbr />}
      {part}
    </Fragment>
  ))

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
          w={170}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          onBlur={() => text.trim() !== value && onSet(text.trim())}
        />
      </Group>
    </form>
  )
}
