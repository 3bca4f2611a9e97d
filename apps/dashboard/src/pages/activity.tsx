import { Alert, Button, Code, Drawer, Group, Modal, Select, Stack, Table, Tabs, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { asCurl, type SentRequest } from '../api/client.ts'
import { useMay } from '../api/session.tsx'
import { useAction, useApi } from '../api/use-api.ts'
import { useRequestLog } from '../lib/use-request-log.ts'
import { numberOf, useUrl } from '../lib/use-url.ts'
import { DataTable, paged } from '../parts/data-table.tsx'
import { Empty, Page, Section } from '../parts/page.tsx'
import { Facts, Hash, Status, Time } from '../parts/values.tsx'

interface ReportedEvent {
  readonly id: number
  readonly event: string
  readonly timestamp: string
  readonly data: Readonly<Record<string, unknown>>
}
interface Webhook {
  readonly id: number
  readonly url: string
  readonly events: readonly string[]
  readonly description: string | null
  readonly status: string
  readonly failingSince: string | null
}
interface Delivery {
  readonly id: number
  readonly webhookId: string
  readonly event: string
  readonly status: string
  readonly attempts: readonly {
    readonly at: string
    readonly statusCode: number | null
    readonly error: string | null
    readonly durationMs: number
  }[]
  readonly nextAttemptAt: string | null
  readonly createdAt: string
}

const TABS = ['events', 'webhooks', 'requests'] as const

export function Activity() {
  const [url, setUrl] = useUrl()
  const tab = TABS.find((each) => each === url.tab) ?? 'events'
  return (
    <Page title="Activity" description="What happened, who was told, and what this page asked">
      <Tabs
        value={tab}
        onChange={(next) =>
          setUrl({ tab: next === 'events' ? undefined : (next ?? undefined), open: undefined, offset: undefined })
        }
        keepMounted={false}
      >
        <Tabs.List mb="md">
          <Tabs.Tab value="events">Events</Tabs.Tab>
          <Tabs.Tab value="webhooks">Webhooks</Tabs.Tab>
          <Tabs.Tab value="requests">Requests of this page</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="events">
          <Events />
        </Tabs.Panel>
        <Tabs.Panel value="webhooks">
          <Webhooks />
        </Tabs.Panel>
        <Tabs.Panel value="requests">
          <Requests />
        </Tabs.Panel>
      </Tabs>
    </Page>
  )
}

const EVENTS = '/api/core/events'
const EVENT_PAGE = 100

/** Oldest first, as the API pages them; the search is over the page that is shown, by any id or hash in an event. */
function Events() {
  const [url, setUrl] = useUrl()
  const after = numberOf(url.after)
  const find = String(url.find ?? '')
  const path = `${EVENTS}?limit=${EVENT_PAGE}${after === undefined ? '' : `&after=${after}`}`
  const events = useApi<{ events: ReportedEvent[]; cursor: number | null; hasMore: boolean }>(path)
  const [shown, setShown] = useState<ReportedEvent>()
  const matches = (event: ReportedEvent) =>
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
          const found = items.filter(matches).toReversed()
          return { items: found, total: found.length }
        }}
        id={({ id }) => id}
        onOpen={setShown}
        columns={[
          { title: 'Event', cell: ({ event }) => event, csv: ({ event }) => event },
          {
            title: 'About',
            wide: true,
            cell: ({ data }) => (
              <Text size="sm" c="dimmed" span lineClamp={1} maw={420}>
                {summaryOf(data)}
              </Text>
            ),
            csv: ({ data }) => JSON.stringify(data),
          },
          { title: 'Id', right: true, cell: ({ id }) => id, csv: ({ id }) => id },
          {
            title: 'When',
            right: true,
            cell: ({ timestamp }) => <Time iso={timestamp} />,
            csv: ({ timestamp }) => timestamp,
          },
        ]}
        empty={
          <Empty title={find ? 'No event here has this' : 'No event yet'}>
            {find
              ? 'The search covers the events of this page. Older and newer ones are a click away.'
              : 'Every change of operations, positions, recipients and payments reports an event.'}
          </Empty>
        }
      />
      {page && (after !== undefined || page.hasMore) && (
        <Group px="md" pb="sm" gap="xs">
          <Button
            size="compact-xs"
            variant="default"
            disabled={after === undefined}
            onClick={() => setUrl({ after: undefined })}
          >
            First
          </Button>
          <Button
            size="compact-xs"
            variant="default"
            disabled={!page.hasMore}
            onClick={() => setUrl({ after: page.cursor ?? undefined })}
          >
            Newer
          </Button>
        </Group>
      )}
      <Drawer
        opened={shown !== undefined}
        onClose={() => setShown(undefined)}
        title={shown ? `Event ${shown.id}` : 'Event'}
      >
        {shown && (
          <Stack>
            <Facts
              items={[
                ['Event', shown.event],
                ['When', <Time key="t" iso={shown.timestamp} />],
              ]}
            />
            <Code block tabIndex={0} className="curl">
              {JSON.stringify(shown, null, 2)}
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

const HOOKS = '/api/core/webhooks'

function Webhooks() {
  const [url, setUrl] = useUrl()
  const may = useMay()
  const hooks = useApi<Webhook[]>(paged(HOOKS, 0, 100))
  const [adding, setAdding] = useState(false)
  const open = numberOf(url.open)
  const hook = hooks.data?.data.find(({ id }) => id === open)
  return (
    <Section
      title="Webhooks"
      pad={false}
      actions={
        may.administer && (
          <Button size="xs" onClick={() => setAdding(true)}>
            Add a webhook
          </Button>
        )
      }
    >
      <DataTable
        label="Webhooks"
        path={HOOKS}
        query={hooks}
        rows={(items, { total }) => ({ items, total: total ?? items.length })}
        id={({ id }) => id}
        onOpen={({ id }) => setUrl({ open: id, offset: undefined })}
        columns={[
          { title: 'Address', cell: (row) => row.url, csv: (row) => row.url },
          { title: 'State', cell: ({ status }) => <Status value={status} />, csv: ({ status }) => status },
          {
            title: 'Events',
            wide: true,
            cell: ({ events }) => events.join(', '),
            csv: ({ events }) => events.join(' '),
          },
        ]}
        empty={
          <Empty
            title="No webhook yet"
            action={
              may.administer && (
                <Button variant="default" onClick={() => setAdding(true)}>
                  Add a webhook
                </Button>
              )
            }
          >
            Weir sends each event to your servers, signed, and tries again until they accept it.
          </Empty>
        }
      />
      {adding && <NewWebhook onClose={() => setAdding(false)} />}
      <Drawer opened={hook !== undefined} onClose={() => setUrl({ open: undefined })} title="Webhook" size="xl">
        {hook && <WebhookPanel hook={hook} />}
      </Drawer>
    </Section>
  )
}

function NewWebhook({ onClose }: { readonly onClose: () => void }) {
  const [address, setAddress] = useState('')
  const [events, setEvents] = useState('*')
  const [secret, setSecret] = useState<string | null>()
  const body = { url: address.trim(), events: events.split(/[\s,]+/).filter(Boolean) }
  const create = useAction<{ secret: string | null }>(undefined, ({ secret: made }) => setSecret(made))
  if (secret !== undefined) {
    return (
      <Modal opened onClose={onClose} title="The webhook's secret">
        <Stack>
          <Text size="sm">Your server verifies signatures with it. It is shown once.</Text>
          <Code block tabIndex={0}>
            {secret ?? ''}
          </Code>
          <Button onClick={onClose}>I have stored it</Button>
        </Stack>
      </Modal>
    )
  }
  return (
    <Modal opened onClose={onClose} title="A webhook">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          create.mutate({ method: 'POST', path: HOOKS, body })
        }}
      >
        <Stack>
          <TextInput
            label="Address"
            type="url"
            required
            placeholder="https://acme.example/weir"
            value={address}
            onChange={(event) => setAddress(event.currentTarget.value)}
          />
          <TextInput
            label="Events"
            description="Names with commas between; * for all"
            value={events}
            onChange={(event) => setEvents(event.currentTarget.value)}
          />
          <Button type="submit" loading={create.isPending}>
            Add
          </Button>
        </Stack>
      </form>
    </Modal>
  )
}

const STATES = ['pending', 'delivered', 'failed']

/** A webhook with everything that was sent to it: the missing one is here, with the reason. */
function WebhookPanel({ hook }: { readonly hook: Webhook }) {
  const may = useMay()
  const [url, setUrl] = useUrl()
  const offset = numberOf(url.offset) ?? 0
  const status = STATES.find((state) => state === url.status)
  const path = `${HOOKS}/${hook.id}/deliveries${status ? `?status=${status}` : ''}`
  const deliveries = useApi<Delivery[]>(paged(path, offset))
  const [shown, setShown] = useState<number>()
  const test = useAction('A test event is on its way.')
  const replay = useAction('It is sent again.')
  const change = useAction('Saved.')
  const attempts = deliveries.data?.data.find(({ id }) => id === shown)
  return (
    <Stack>
      <Facts
        items={[
          ['Address', hook.url],
          ['State', <Status key="s" value={hook.status} />],
          ['Failing since', <Time key="f" iso={hook.failingSince} />],
        ]}
      />
      {may.administer && (
        <Group gap="xs">
          <Button
            size="xs"
            loading={test.isPending}
            onClick={() => test.mutate({ method: 'POST', path: `${HOOKS}/${hook.id}/test`, body: {} })}
          >
            Send a test event
          </Button>
          <Button
            size="xs"
            variant="default"
            onClick={() =>
              change.mutate({
                method: 'PATCH',
                path: `${HOOKS}/${hook.id}`,
                body: { enabled: hook.status === 'disabled' },
              })
            }
          >
            {hook.status === 'disabled' ? 'Enable' : 'Disable'}
          </Button>
        </Group>
      )}
      <Group justify="space-between">
        <Text fw={600}>Deliveries</Text>
        <Select
          aria-label="State of deliveries"
          size="xs"
          placeholder="All"
          clearable
          data={STATES}
          value={status ?? null}
          onChange={(next) => setUrl({ status: next ?? undefined, offset: undefined })}
        />
      </Group>
      <DataTable
        label="Deliveries"
        path={path}
        query={deliveries}
        rows={(items, { total }) => ({ items, total: total ?? items.length })}
        id={({ id }) => id}
        offset={offset}
        onOffset={(next) => setUrl({ offset: next || undefined })}
        onOpen={({ id }) => setShown(id)}
        columns={[
          { title: 'Event', cell: ({ event }) => event, csv: ({ event }) => event },
          { title: 'State', cell: ({ status: state }) => <Status value={state} />, csv: ({ status: state }) => state },
          {
            title: 'Last answer',
            cell: ({ attempts: all }) => answerOf(all.at(-1)),
            csv: ({ attempts: all }) => answerOf(all.at(-1)),
          },
          {
            title: 'When',
            right: true,
            wide: true,
            cell: ({ createdAt }) => <Time iso={createdAt} />,
            csv: ({ createdAt }) => createdAt,
          },
          {
            title: 'Again',
            right: true,
            cell: ({ id }) =>
              may.administer ? (
                <Button
                  size="compact-xs"
                  variant="default"
                  aria-label={`Replay delivery ${id}`}
                  onClick={(event) => {
                    event.stopPropagation()
                    replay.mutate({ method: 'POST', path: `${HOOKS}/deliveries/${id}/replay`, body: {} })
                  }}
                >
                  Replay
                </Button>
              ) : (
                '–'
              ),
          },
        ]}
        empty={
          <Empty title={status ? `No delivery is ${status}` : 'Nothing was sent yet'}>
            Send a test event to see the first one.
          </Empty>
        }
      />
      {attempts && (
        <Table aria-label={`Attempts of delivery ${attempts.id}`}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Attempt</Table.Th>
              <Table.Th>Answer</Table.Th>
              <Table.Th ta="right">Took</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {attempts.attempts.map((each) => (
              <Table.Tr key={each.at}>
                <Table.Td>
                  <Time iso={each.at} />
                </Table.Td>
                <Table.Td>{answerOf(each)}</Table.Td>
                <Table.Td ta="right">{each.durationMs} ms</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
    </Stack>
  )
}

function answerOf(attempt: Delivery['attempts'][number] | undefined): string {
  if (attempt === undefined) return 'not sent yet'
  return attempt.statusCode === null
    ? (attempt.error ?? 'no answer')
    : `${attempt.statusCode}${attempt.error ? `, ${attempt.error}` : ''}`
}

/** The log of this tab: errors first found here, with the id that the operator's log has, too. */
function Requests() {
  const log = useRequestLog()
  const [shown, setShown] = useState<SentRequest>()
  const failed = log.filter(({ error }) => error !== null)
  return (
    <Stack>
      {failed.length > 0 && (
        <Alert color="yellow">
          {failed.length} of the last {log.length} requests were refused:{' '}
          {[...new Set(failed.map(({ error }) => error))].join(', ')}
        </Alert>
      )}
      <Section title="Requests of this tab" pad={false}>
        <Table.ScrollContainer
          minWidth={0}
          scrollAreaProps={{ viewportProps: { tabIndex: 0, role: 'region', 'aria-label': 'Requests' } }}
        >
          <Table highlightOnHover horizontalSpacing="md" aria-label="Requests of this tab">
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Request</Table.Th>
                <Table.Th ta="right">Status</Table.Th>
                <Table.Th ta="right" visibleFrom="sm">
                  Took
                </Table.Th>
                <Table.Th visibleFrom="sm">Request id</Table.Th>
                <Table.Th ta="right">Show</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {log.map((each) => (
                <Table.Tr key={each.id}>
                  <Table.Td>
                    <Text size="sm" ff="monospace" style={{ overflowWrap: 'anywhere' }}>
                      {each.method} {each.path}
                    </Text>
                  </Table.Td>
                  <Table.Td ta="right">{each.error ?? each.status}</Table.Td>
                  <Table.Td ta="right" visibleFrom="sm">
                    {each.durationMs} ms
                  </Table.Td>
                  <Table.Td visibleFrom="sm">
                    <Hash value={each.requestId} />
                  </Table.Td>
                  <Table.Td ta="right">
                    <Button
                      size="compact-xs"
                      variant="default"
                      onClick={() => setShown(each)}
                      aria-label={`Show ${each.method} ${each.path} as curl`}
                    >
                      curl
                    </Button>
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      </Section>
      <Drawer opened={shown !== undefined} onClose={() => setShown(undefined)} title="As curl">
        {shown && (
          <Code block tabIndex={0} className="curl">
            {asCurl(shown)}
          </Code>
        )}
      </Drawer>
    </Stack>
  )
}
