import { Button, Code, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import type { Schema } from '../../api/types.ts'
import { exactTime } from '../../lib/dates/time.ts'
import { usePreferences } from '../../lib/page/preferences.ts'
import { numberOf, useUrl } from '../../lib/page/use-url.ts'
import { counted } from '../../lib/text/counted.ts'
import { Drawer } from '../../parts/dialogs.tsx'
import { Empty, Section } from '../../parts/frame/page.tsx'
import { columnsFor } from '../../parts/tables/columns.tsx'
import { DataTable } from '../../parts/tables/data-table.tsx'
import { Facts, Time } from '../../parts/values.tsx'
import { EventFilters, filteredEvents, WITHOUT_FILTER } from './event-filters.tsx'
import { nextOf, useEvents } from './search-events.ts'

const { shown, text, time } = columnsFor<Schema<'Event'>>()

const EVENTS = '/api/core/events'

/** Newest first; the service searches them all, some thousands at a time. */
export function Events() {
  const [url, setUrl] = useUrl()
  const before = numberOf(url.before) ?? 0
  const path = filteredEvents(EVENTS, url)
  const events = useEvents(path, before)
  const [opened, setOpened] = useState<Schema<'Event'>>()
  const page = events.data?.data
  const older = page && nextOf(page)
  return (
    <Section pad={false} title="Events">
      <EventFilters />
      <DataTable
        label="Events"
        path={path}
        query={events}
        rows={({ events: items }) => ({ items, total: items.length })}
        id={({ id }) => id}
        hasMore={older !== undefined || before !== 0}
        onOpen={setOpened}
        foot={{
          text: counted(page?.events.length ?? 0, 'event'),
          buttons: <Pages before={before} older={older} isSearch={path !== EVENTS} />,
        }}
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
          text('ID', 'id', { right: true }),
          time('When', 'timestamp'),
        ]}
        empty={
          path === EVENTS ? (
            <Empty title="No event yet">
              Every change of an operation, position, recipient or payment appears here.
            </Empty>
          ) : (
            <Empty
              title={older === undefined ? 'No event matches' : 'No event matches so far'}
              action={
                older === undefined ? (
                  <Button variant="default" onClick={() => setUrl(WITHOUT_FILTER)}>
                    Show all
                  </Button>
                ) : (
                  <Button variant="default" onClick={() => setUrl({ before: older })}>
                    Search further back
                  </Button>
                )
              }
            >
              {older !== undefined && page?.searchedTo !== undefined && (
                <>
                  Searched back to <ExactTime iso={page.searchedTo} />.
                </>
              )}
            </Empty>
          )
        }
      />
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

interface PagesProps {
  readonly before: number
  readonly older: number | undefined
  readonly isSearch: boolean
}

function Pages({ before, older, isSearch }: PagesProps) {
  const [, setUrl] = useUrl()
  if (before === 0 && older === undefined) return null
  return (
    <>
      <Button size="compact-xs" variant="default" disabled={before === 0} onClick={() => setUrl({ before: undefined })}>
        Newest
      </Button>
      <Button
        size="compact-xs"
        variant="default"
        disabled={older === undefined}
        onClick={() => setUrl({ before: older })}
      >
        {isSearch ? 'Search further back' : 'Older'}
      </Button>
    </>
  )
}

function ExactTime({ iso }: { readonly iso: string }) {
  const { zone } = usePreferences()
  return exactTime(iso, zone)
}

/** The ids and states of an event in one line. */
function summaryOf(data: Readonly<Record<string, unknown>>): string {
  return Object.entries(data)
    .filter(([, value]) => typeof value === 'string' || typeof value === 'number')
    .slice(0, 5)
    .map(([name, value]) => `${name} ${String(value)}`)
    .join(', ')
}
