import { Group, Text } from '@mantine/core'
import { useEffect } from 'react'
import { API_KEYS, SERVICE_ACCOUNTS } from '../../api/paths.ts'
import type { Schema } from '../../api/types.ts'
import { useApi } from '../../api/use-api.ts'
import { usePreferences } from '../../lib/page/preferences.ts'
import { usePaging, useUrl, withQuery } from '../../lib/page/use-url.ts'
import { Empty, Section } from '../../parts/frame/page.tsx'
import { columnsFor } from '../../parts/tables/columns.tsx'
import { bare, DataTable, paged } from '../../parts/tables/data-table.tsx'
import { UrlFilter } from '../../parts/tables/url-filter.tsx'
import { words } from '../../parts/values.tsx'

type KeyRequest = Schema<'KeyRequest'>

const REQUESTS = `${API_KEYS}/requests`
const OUTCOMES = { failed: 'Failed only', ok: 'Succeeded only' }
/** A request raises no event that would say there is something new. */
const REFRESH_MS = 5_000
const { hash, shown, text, time } = columnsFor<KeyRequest>()
const nameOf = ({ actor: { type, id, name } }: KeyRequest) => name ?? `${words(type)} ${id}`

/** What programs sent with the organization's keys and service accounts, newest first. */
export function KeyRequests() {
  const [url] = useUrl()
  const { paused } = usePreferences()
  const paging = usePaging()
  const programs = usePrograms()
  const chosen = programs.find(({ value }) => value === url.program)
  const path = withQuery(REQUESTS, {
    ...chosen?.query,
    status: Object.keys(OUTCOMES).find((each) => each === url.outcome),
  })
  const requests = useApi<KeyRequest[]>(paged(path, paging.offset))
  const { refetch } = requests
  useEffect(() => {
    if (paused) return
    const timer = setInterval(() => {
      if (!document.hidden) void refetch()
    }, REFRESH_MS)
    return () => clearInterval(timer)
  }, [paused, refetch])
  return (
    <Section title="Latest requests" pad={false}>
      <Group gap="xs" px="md" pb="xs" className="no-print">
        <UrlFilter
          label="Outcome"
          placeholder="All requests"
          choices={Object.keys(OUTCOMES)}
          name="outcome"
          labelOf={(each) => OUTCOMES[each as keyof typeof OUTCOMES]}
          w={150}
        />
        <UrlFilter
          label="Key or service account"
          placeholder="All keys and accounts"
          choices={programs.map(({ value }) => value)}
          name="program"
          labelOf={(each) => programs.find(({ value }) => value === each)?.label ?? each}
          w={200}
        />
      </Group>
      <DataTable
        label="Latest requests"
        path={path}
        query={requests}
        rows={bare}
        id={({ id }) => id}
        {...paging}
        columns={[
          shown(
            'Request',
            ({ method, path: sent }) => (
              <Text size="sm" ff="monospace" style={{ overflowWrap: 'anywhere' }}>
                {method} {sent}
              </Text>
            ),
            ({ method, path: sent }) => `${method} ${sent}`,
          ),
          text('Route', 'route', { csvOnly: true }),
          shown(
            'Status',
            ({ status, code }) => (
              <Text size="sm" c={status < 400 ? undefined : 'red'} style={{ overflowWrap: 'anywhere' }}>
                {status} {code && words(code)}
              </Text>
            ),
            'status',
          ),
          text('Error', 'code', { csvOnly: true }),
          text('Key', nameOf, { wide: true }),
          text('Duration', ({ durationMs }) => `${durationMs} ms`, { right: true, wide: true }),
          hash('Request ID', 'requestId', { wide: true }),
          time('When', 'at'),
        ]}
        empty={
          path === REQUESTS ? (
            <Empty title="No request yet">
              The latest 200 requests of each of your keys and service accounts appear here for 7 days, a second after
              their responses. Request bodies are not kept.
            </Empty>
          ) : (
            <Empty title="No request matches">Change the filter to see others.</Empty>
          )
        }
      />
    </Section>
  )
}

/** Everything that can send requests, with the filter for each. */
function usePrograms() {
  const keys = useApi<Schema<'ApiKey'>[]>(API_KEYS)
  const accounts = useApi<Schema<'ServiceAccount'>[]>(SERVICE_ACCOUNTS)
  return [
    ...(keys.data?.data ?? []).map(({ id, name }) => ({ value: `key:${id}`, label: name, query: { keyId: id } })),
    ...(accounts.data?.data ?? []).map(({ id, name }) => ({
      value: `account:${id}`,
      label: name,
      query: { serviceAccountId: id },
    })),
  ]
}
