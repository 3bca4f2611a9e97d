import { Button, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useMemberNames } from '../../api/member-names.ts'
import type { Data, Schema } from '../../api/types.ts'
import { useApi } from '../../api/use-api.ts'
import { useUrl } from '../../lib/page/use-url.ts'
import { Drawer } from '../../parts/dialogs.tsx'
import { Empty, Section } from '../../parts/frame/page.tsx'
import { columnsFor } from '../../parts/tables/columns.tsx'
import { DataTable } from '../../parts/tables/data-table.tsx'
import { UrlFilter } from '../../parts/tables/url-filter.tsx'
import { Facts, Hash, Time, words } from '../../parts/values.tsx'
import { EVENT_TYPES, typeText } from './event-types.ts'

type Event = Schema<'SecurityEvent'>

const PATH = '/api/core/security-events'
const PAGE = 50
const { shown, text, time } = columnsFor<Event>()

/** Refused requests with credentials of the organization: guesses at passwords, revoked keys, missing rights. */
export function SecurityEvents() {
  const [url, setUrl] = useUrl()
  const memberName = useMemberNames()
  const type = EVENT_TYPES.find((each) => each === url.type)
  const path = type ? `${PATH}?${new URLSearchParams({ type })}` : PATH
  const page = new URLSearchParams({
    limit: String(PAGE),
    ...(url.cursor !== undefined && { cursor: String(url.cursor) }),
  })
  const events = useApi<Data<'listSecurityEvents'>>(`${path}${type ? '&' : '?'}${page}`)
  const [opened, setOpened] = useState<Event>()
  const next = events.data?.data.nextCursor ?? null
  const who = ({ actor }: Event) =>
    actor === null
      ? 'unknown'
      : actor.type === 'user' && actor.id !== null
        ? memberName(actor.id)
        : `${actor.type.replaceAll('_', ' ')} ${actor.id ?? ''}`.trim()
  return (
    <Section
      title="Security events"
      pad={false}
      actions={
        <UrlFilter
          label="Type"
          placeholder="All types"
          choices={EVENT_TYPES}
          name="type"
          offset="cursor"
          labelOf={typeText}
        />
      }
    >
      <DataTable
        label="Security events"
        path={path}
        query={events}
        rows={({ events: items }) => ({ items, total: items.length })}
        id={({ id }) => id}
        hasMore={next !== null || url.cursor !== undefined}
        onOpen={setOpened}
        columns={[
          shown('What', (event) => typeText(event.type), 'type'),
          shown('Who', (event) => <span className="breaks">{who(event)}</span>, who),
          text('From', 'address', { wide: true }),
          text('Times', 'count', { right: true, wide: true }),
          time('When', 'lastAt'),
        ]}
        empty={
          <Empty title={type ? 'No event of this type' : 'Nothing was refused'}>
            Wrong passwords, revoked keys, missing permissions and exceeded limits appear here for 90 days.
          </Empty>
        }
      />
      {(url.cursor !== undefined || next !== null) && (
        <Group px="md" pb="sm" gap="xs">
          <Button
            size="compact-xs"
            variant="default"
            disabled={url.cursor === undefined}
            onClick={() => setUrl({ cursor: undefined })}
          >
            Newest
          </Button>
          <Button
            size="compact-xs"
            variant="default"
            disabled={next === null}
            onClick={() => setUrl({ cursor: next ?? undefined })}
          >
            Older
          </Button>
        </Group>
      )}
      <Drawer opened={opened !== undefined} onClose={() => setOpened(undefined)} title="Security event">
        {opened && <Detail event={opened} who={who(opened)} />}
      </Drawer>
    </Section>
  )
}

function Detail({ event, who }: { readonly event: Event; readonly who: string }) {
  const { type, reason, status, code, method, route, address, userAgent, requestId, count, at, lastAt } = event
  return (
    <Stack>
      <Facts
        items={[
          ['What', typeText(type)],
          ['Why', reason === null ? '–' : words(reason)],
          ['Who', who],
          ['Request', `${method ?? ''} ${route ?? ''}`.trim() || '–'],
          ['Response', [status, code].filter((each) => each !== null).join(' ') || '–'],
          ['From', address ?? '–'],
          ['Request ID', <Hash key="r" value={requestId} length={8} />],
          ['Times', count],
          ['First', <Time key="f" iso={at} />],
          ['Last', <Time key="l" iso={lastAt} />],
        ]}
      />
      <Text size="sm" c="dimmed" className="breaks">
        {userAgent ?? 'No user agent.'}
      </Text>
    </Stack>
  )
}
