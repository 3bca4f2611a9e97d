import { Button, Group, Text } from '@mantine/core'
import type { Schema } from '../../api/types.ts'
import { useAction, useApi } from '../../api/use-api.ts'
import { usePaging } from '../../lib/page/use-url.ts'
import { Curl } from '../../parts/curl.tsx'
import { Empty, Section } from '../../parts/frame/page.tsx'
import { columnsFor } from '../../parts/tables/columns.tsx'
import { bare, DataTable, paged } from '../../parts/tables/data-table.tsx'
import { Status } from '../../parts/values.tsx'

const { buttons, shown, time } = columnsFor<Schema<'OpenSession'>>()

const SESSIONS = '/api/core/auth/sessions'

export function Sessions() {
  const paging = usePaging('sessionsOffset')
  const sessions = useApi<Schema<'OpenSession'>[]>(paged(SESSIONS, paging.offset))
  const end = useAction('Ended.')
  const isEnding = (path: string) => end.isPending && end.variables.path === path
  return (
    <Section
      title="Where you are signed in"
      pad={false}
      actions={
        <Group gap={6}>
          <Curl method="DELETE" path={SESSIONS} />
          <Button
            size="xs"
            variant="default"
            loading={isEnding(SESSIONS)}
            onClick={() => end.mutate({ method: 'DELETE', path: SESSIONS })}
          >
            End all others
          </Button>
        </Group>
      }
    >
      <DataTable
        label="Sessions"
        path={SESSIONS}
        query={sessions}
        rows={bare}
        id={({ id }) => id}
        {...paging}
        columns={[
          shown(
            'From',
            ({ address, current }) => (
              <Group gap="xs" wrap="nowrap">
                {address ?? '–'}
                {current && <Status value="This one" />}
              </Group>
            ),
            'address',
          ),
          shown(
            'With',
            ({ userAgent }) => (
              <Text size="sm" span lineClamp={1} maw={380}>
                {userAgent ?? '–'}
              </Text>
            ),
            'userAgent',
            { wide: true },
          ),
          time('Signed in', 'createdAt', { wide: true }),
          time('Last used', 'lastUsedAt'),
          buttons('End', ({ id, current }) =>
            current ? (
              '–'
            ) : (
              <Group component="span" gap={6} justify="flex-end" wrap="nowrap">
                <Curl method="DELETE" path={`${SESSIONS}/${id}`} />
                <Button
                  size="compact-xs"
                  variant="default"
                  aria-label={`End session ${id}`}
                  loading={isEnding(`${SESSIONS}/${id}`)}
                  onClick={() => end.mutate({ method: 'DELETE', path: `${SESSIONS}/${id}` })}
                >
                  End
                </Button>
              </Group>
            ),
          ),
        ]}
        empty={<Empty title="No session" />}
      />
    </Section>
  )
}
