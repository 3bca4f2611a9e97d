import { Button, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { WEBHOOKS } from '../../api/paths.ts'
import { useMay } from '../../api/session.tsx'
import type { Schema } from '../../api/types.ts'
import { useAction, useApi } from '../../api/use-api.ts'
import { Curl } from '../../parts/curl.tsx'
import { FormDialog } from '../../parts/forms/form-dialog.tsx'
import { Facts, Status, Time } from '../../parts/values.tsx'
import { Deliveries } from './deliveries.tsx'
import { answerOf } from './delivery.tsx'
import { EditWebhook } from './edit-webhook.tsx'
import { eventsOf, stateOf } from './webhook-text.ts'

interface Props {
  readonly hook: Schema<'Webhook'>
  readonly onDeleted: () => void
  /** A new secret: shown outside of the panel, which Escape closes. */
  readonly onSecret: (secret: string | null) => void
}

/** A webhook with everything that was sent to it: the missing one is here, with the reason. */
export function WebhookPanel({ hook, onDeleted, onSecret }: Props) {
  const may = useMay()
  const failure = useFailure(hook)
  return (
    <Stack>
      <Facts
        items={[
          ['Address', hook.url],
          ['State', <Status key="s" value={stateOf(hook)} />],
          ['Gets', eventsOf(hook)],
          ...(hook.description === null ? [] : [['Description', hook.description] as const]),
          ['Failing since', <Time key="f" iso={hook.failingSince} />],
          ...(failure === undefined ? [] : [['Last response', failure] as const]),
        ]}
      />
      {may.administer && <Actions hook={hook} onDeleted={onDeleted} onSecret={onSecret} />}
      <Deliveries hook={hook} />
    </Stack>
  )
}

function Actions({ hook, onDeleted, onSecret }: Props) {
  const [dialog, setDialog] = useState<'edit' | 'rotate' | 'delete'>()
  const test = useAction('A test event is on its way.')
  const change = useAction('Saved.')
  const path = `${WEBHOOKS}/${hook.id}`
  const isDisabled = hook.status === 'disabled'
  const close = () => setDialog(undefined)
  return (
    <Group gap="xs">
      <Button
        size="xs"
        loading={test.isPending}
        onClick={() => test.mutate({ method: 'POST', path: `${path}/test`, body: {} })}
      >
        Send a test event
      </Button>
      <Button
        size="xs"
        variant="default"
        loading={change.isPending}
        onClick={() => change.mutate({ method: 'PATCH', path, body: { enabled: isDisabled } })}
      >
        {isDisabled ? 'Enable' : 'Disable'}
      </Button>
      <Button size="xs" variant="default" onClick={() => setDialog('edit')}>
        Edit
      </Button>
      <Button size="xs" variant="default" onClick={() => setDialog('rotate')}>
        Rotate the secret
      </Button>
      <Button size="xs" variant="default" color="red.9" onClick={() => setDialog('delete')}>
        Delete
      </Button>
      <Curl method="POST" path={`${path}/test`} label="Test as curl" />
      <Curl
        method="PATCH"
        path={path}
        body={{ enabled: isDisabled }}
        label={isDisabled ? 'Enable as curl' : 'Disable as curl'}
      />
      {dialog === 'edit' && <EditWebhook hook={hook} onClose={close} />}
      {dialog === 'rotate' && (
        <FormDialog<{ secret: string | null }>
          title="Rotate the secret?"
          action={{ method: 'POST', path: `${path}/rotate-secret`, body: {} }}
          submit="Rotate"
          isShownOnce
          onDone={({ secret }) => onSecret(secret)}
          onClose={close}
        >
          <Text size="sm">
            You get a new secret, shown once. For a day, deliveries are also signed with the current one: give your
            server the new one before then.
          </Text>
        </FormDialog>
      )}
      {dialog === 'delete' && (
        <FormDialog
          title="Delete the webhook?"
          action={{ method: 'DELETE', path }}
          submit="Delete"
          done="Webhook deleted."
          onDone={onDeleted}
          onClose={close}
        >
          <Text size="sm">
            From then on {hook.url} gets nothing, and its deliveries are deleted, including pending ones. This cannot be
            undone.
          </Text>
        </FormDialog>
      )}
    </Group>
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
