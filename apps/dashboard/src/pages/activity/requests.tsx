import { Alert, Button, Drawer, Stack, Table, Text } from '@mantine/core'
import { useState } from 'react'
import type { SentRequest } from '../../api/client.ts'
import { useRequestLog } from '../../lib/use-request-log.ts'
import { Snippet } from '../../parts/curl.tsx'
import { Section } from '../../parts/page.tsx'
import { Hash } from '../../parts/values.tsx'

/** The log of this tab: errors first found here, with the id that the operator's log has, too. */
export function Requests() {
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
        <Table.ScrollContainer minWidth={0} type="native" tabIndex={0} role="region" aria-label="Requests">
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
                      aria-label={`curl or SDK: ${each.method} ${each.path}`}
                    >
                      curl or SDK
                    </Button>
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      </Section>
      <Drawer opened={shown !== undefined} onClose={() => setShown(undefined)} title="The request">
        {shown && <Snippet request={shown} />}
      </Drawer>
    </Stack>
  )
}
