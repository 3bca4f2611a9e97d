import { Button, Code, Drawer, Group, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { Data, Schema } from '../../api/types.ts'
import { useApi } from '../../api/use-api.ts'
import { numberOf, useUrl } from '../../lib/use-url.ts'
import { columnsFor } from '../../parts/columns.tsx'
import { DataTable } from '../../parts/data-table.tsx'
import { Empty, Section } from '../../parts/page.tsx'
import { Facts, Time } from '../../parts/values.tsx'

const { shown, text, time } = columnsFor<Schema<'Event'>>()

const EVENTS = '/api/core/events'
const EVENT_PAGE = 100

/** Newest first; the search is over the page that is shown, by any id or hash in an event. */
export function Events() {
  const [url, setUrl] = useUrl()
  const before = numberOf(url.before)
  const find = String(url.find ?? '')
  const path = `${EVENTS}?limit=${EVENT_PAGE}&before=${before ?? 0}`
  const events = useApi<Data<'listOrganizationEvents'>>(path)
  const [opened, setOpened] = useState<Schema<'Event'>>()
  const matches = (event: Schema<'Event'>) =>
    find === '' || `${event.event} ${JSON.stringify(event.data)}`.toLowerCase().includes(find.toLowerCase())
  const page = events.data?.data
  return (
    <Section
      pad={false}
      title="Events"
      actions={
        <TextInput
          aria-label="Find by id, hash or name"
          size="xs"
          placeholder="Id, hash or name"
          value={find}
          onChange={(event) => setUrl({ find: event.currentTarget.value || undefined })}
        />
      }
    >
      <DataTable
        label="Events"
        path={path}
        query={events}
        rows={({ events: items }) => {
          const found = items.filter(matches)
          return { items: found, total: found.length }
        }}
        id={({ id }) => id}
        onOpen={setOpened}
        columns={[
          text('Event', 'event'),
          shown(
            'About',
            ({ data }) => (
              <Text size="sm" c="dimmed" span lineClamp={1} maw={420}>
                {summaryOf(data)}
              </Text>
            ),
            ({ data }) => JSON.stringify(data),
            { wide: true },
          ),
          text('Id', 'id', { right: true }),
          time('When', 'timestamp'),
        ]}
        empty={
          <Empty title={find ? 'No event here has this' : 'No event yet'}>
            {find
              ? 'The search covers the events of this page. Older ones are a click away.'
              : 'Every change of operations, positions, recipients and payments reports an event.'}
          </Empty>
        }
      />
      {page && (before !== undefined || page.hasMore) && (
        <Group px="md" pb="sm" gap="xs">
          <Button
            size="compact-xs"
            variant="default"
            disabled={before === undefined}
            onClick={() => setUrl({ before: undefined })}
          >
            Newest
          </Button>
          <Button
            size="compact-xs"
            variant="default"
            disabled={!page.hasMore}
            onClick={() => setUrl({ before: page.cursor ?? undefined })}
          >
            Older
          </Button>
        </Group>
      )}
      <Drawer
        opened={opened !== undefined}
        onClose={() => setOpened(undefined)}
        title={opened ? `Event ${opened.id}` : 'Event'}
        size="lg"
      >
        {opened && (
          <Stack>
            <Facts
              items={[
                ['Event', opened.event],
                ['When', <Time key="t" iso={opened.timestamp} />],
              ]}
            />
            <Code block tabIndex={0} className="breaks">
              {JSON.stringify(opened, null, 2)}
            </Code>
          </Stack>
        )}
      </Drawer>
    </Section>
  )
}

/** The ids and states of an event in one line. */
function summaryOf(data: Readonly<Record<string, unknown>>): string {
  return Object.entries(data)
    .filter(([, value]) => typeof value === 'string' || typeof value === 'number')
    .slice(0, 5)
    .map(([name, value]) => `${name} ${String(value)}`)
    .join(', ')
}
