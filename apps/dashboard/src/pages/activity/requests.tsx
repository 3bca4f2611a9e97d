import { Alert, Button, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import type { SentRequest } from '../../api/client.ts'
import { useRequestLog } from '../../lib/requests/use-request-log.ts'
import { Snippet } from '../../parts/curl.tsx'
import { Drawer } from '../../parts/dialogs.tsx'
import { Section } from '../../parts/frame/page.tsx'
import { columnsFor } from '../../parts/tables/columns.tsx'
import { SmallTable } from '../../parts/tables/small-table.tsx'

const { buttons, hash, shown, text, time } = columnsFor<SentRequest>()

/** The log of this tab: errors first found here, with the id that the operator's log has, too. */
export function Requests() {
  const log = useRequestLog()
  const [request, setShown] = useState<SentRequest>()
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
        <SmallTable
          label="Requests of this tab"
          rows={log}
          id={({ id }) => id}
          columns={[
            shown(
              'Request',
              ({ method, path }) => (
                <Text size="sm" ff="monospace" style={{ overflowWrap: 'anywhere' }}>
                  {method} {path}
                </Text>
              ),
              ({ method, path }) => `${method} ${path}`,
            ),
            text('Status', ({ error, status }) => error ?? status, { right: true }),
            text('Duration', ({ durationMs }) => `${durationMs} ms`, { right: true, wide: true }),
            hash('Request ID', 'requestId', { wide: true }),
            time('When', ({ at }) => at.toISOString(), { csvOnly: true }),
            buttons('Show', (each) => (
              <Button
                size="compact-xs"
                variant="default"
                onClick={() => setShown(each)}
                aria-label={`curl or SDK: ${each.method} ${each.path}`}
              >
                curl or SDK
              </Button>
            )),
          ]}
        />
      </Section>
      <Drawer opened={request !== undefined} onClose={() => setShown(undefined)} title="The request">
        {request && <Snippet request={request} />}
      </Drawer>
    </Stack>
  )
}
