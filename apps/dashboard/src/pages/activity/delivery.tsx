import { Code, Group, Stack, Text } from '@mantine/core'
import { WEBHOOKS } from '../../api/paths.ts'
import type { Data, Schema } from '../../api/types.ts'
import { useApi } from '../../api/use-api.ts'
import { Curl } from '../../parts/curl.tsx'
import { Loaded } from '../../parts/frame/page.tsx'
import { columnsFor } from '../../parts/tables/columns.tsx'
import { SmallTable } from '../../parts/tables/small-table.tsx'
import { Hash, Time } from '../../parts/values.tsx'

type Attempt = Schema<'WebhookAttempt'>

const { text, time } = columnsFor<Attempt>()
const attemptColumns = [
  { ...time('Attempt', 'at'), right: false },
  text('Response', answerOf),
  text('Duration', ({ durationMs }) => `${durationMs} ms`, { right: true }),
]

export function answerOf(sent: Attempt | undefined): string {
  if (sent === undefined) return 'not sent yet'
  if (sent.statusCode === null) return sent.error ?? 'no response'
  return `${sent.statusCode}${sent.error ? `, ${sent.error}` : ''}`
}

/** One delivery: what was sent, every attempt with its answer, and when the next one is due. */
export function Delivery({ delivery }: { readonly delivery: Schema<'WebhookDelivery'> }) {
  const { id, webhookId, eventId, attempts, nextAttemptAt } = delivery
  const path = eventId === undefined ? null : `/api/core/events/${eventId}`
  const event = useApi<Data<'getOrganizationEvent'>>(path)
  return (
    <Stack gap="xs" py="xs">
      <Text size="sm">
        The header <Code>webhook-id</Code> is <Hash value={webhookId} length={12} />
        {/* One that waits for another is due since it was queued. */}
        {nextAttemptAt && attempts.length > 0 && (
          <>
            , the next attempt is due <Time iso={nextAttemptAt} />
          </>
        )}
        .
      </Text>
      {attempts.length === 0 ? (
        <Text size="sm">Not sent yet. While the receiver fails, one delivery is tried and the others wait for it.</Text>
      ) : (
        <>
          <SmallTable
            label={`Attempts of delivery ${id}`}
            rows={attempts}
            columns={attemptColumns}
            id={({ at }) => at}
          />
          <Text size="xs" c="dimmed">
            Weir keeps the status of a response but not its body, which may contain secrets. Your receiver's log has it
            under the same webhook-id.
          </Text>
        </>
      )}
      {path !== null &&
        (event.error?.status === 404 ? (
          <Text size="sm">The event was deleted because of its age.</Text>
        ) : (
          <Loaded query={event} height={200}>
            {({ id: _, ...body }) => (
              <Code block tabIndex={0} className="curl" aria-label="What is sent">
                {JSON.stringify(body, null, 2)}
              </Code>
            )}
          </Loaded>
        ))}
      <Group>
        <Curl method="POST" path={`${WEBHOOKS}/deliveries/${id}/replay`} label="Replay as curl" />
      </Group>
    </Stack>
  )
}
