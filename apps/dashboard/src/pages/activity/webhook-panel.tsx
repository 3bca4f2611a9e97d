import { Button, Group, Stack } from '@mantine/core'
import { WEBHOOKS } from '../../api/paths.ts'
import { useMay } from '../../api/session.tsx'
import type { Schema } from '../../api/types.ts'
import { useAction, useApi } from '../../api/use-api.ts'
import { Curl } from '../../parts/curl.tsx'
import { Facts, Status, Time } from '../../parts/values.tsx'
import { Deliveries } from './deliveries.tsx'
import { answerOf } from './delivery.tsx'
import { eventsOf, stateOf } from './webhook-text.ts'

/** A webhook with everything that was sent to it: the missing one is here, with the reason. */
export function WebhookPanel({ hook }: { readonly hook: Schema<'Webhook'> }) {
  const may = useMay()
  const test = useAction('A test event is on its way.')
  const change = useAction('Saved.')
  const failure = useFailure(hook)
  const isDisabled = hook.status === 'disabled'
  const enable = () => change.mutate({ method: 'PATCH', path: `${WEBHOOKS}/${hook.id}`, body: { enabled: isDisabled } })
  return (
    <Stack>
      <Facts
        items={[
          ['Address', hook.url],
          ['State', <Status key="s" value={stateOf(hook)} />],
          ['Gets', eventsOf(hook)],
          ['Failing since', <Time key="f" iso={hook.failingSince} />],
          ...(failure === undefined ? [] : [['Last answer', failure] as const]),
        ]}
      />
      {may.administer && (
        <Group gap="xs">
          <Button
            size="xs"
            loading={test.isPending}
            onClick={() => test.mutate({ method: 'POST', path: `${WEBHOOKS}/${hook.id}/test`, body: {} })}
          >
            Send a test event
          </Button>
          <Button size="xs" variant="default" onClick={enable}>
            {isDisabled ? 'Enable' : 'Disable'}
          </Button>
          <Curl method="POST" path={`${WEBHOOKS}/${hook.id}/test`} />
        </Group>
      )}
      <Deliveries hook={hook} />
    </Stack>
  )
}

/** What the failing receiver answered last: one delivery is tried, and it need not be one that is shown. */
function useFailure({ id, failingSince }: Schema<'Webhook'>): string | undefined {
  const pending = useApi<Schema<'WebhookDelivery'>[]>(
    failingSince === null ? null : `${WEBHOOKS}/${id}/deliveries?status=pending&limit=100&offset=0`,
  )
  const tried = pending.data?.data.find(({ attempts }) => attempts.length > 0)
  return tried && answerOf(tried.attempts.at(-1))
}
