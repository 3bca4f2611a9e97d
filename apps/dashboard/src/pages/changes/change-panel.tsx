import { Alert, Button, Code, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import type { Method } from '../../api/client.ts'
import { CHANGE_REQUESTS } from '../../api/paths.ts'
import { useMay, useSession } from '../../api/session.tsx'
import type { Schema } from '../../api/types.ts'
import { useAction } from '../../api/use-api.ts'
import { nameOfActor } from '../../lib/text/name-of-actor.ts'
import { Curl } from '../../parts/curl.tsx'
import { NewSecret } from '../../parts/forms/new-secret.tsx'
import { Facts, Status, Time, words } from '../../parts/values.tsx'
import { isMasked, secretIn } from './secrets.ts'

/** One change that waits for others: what it is, who said yes, and what its requester can do then. */
export function ChangePanel({ change }: { readonly change: Schema<'ChangeRequest'> }) {
  const { user } = useSession()
  const may = useMay()
  const act = useAction('Done.')
  const [secret, setSecret] = useState<string>()
  const complete = useAction<unknown>('Change made.', (made) => setSecret(secretIn(made)))
  const isOwn = change.requestedBy.type === 'user' && change.requestedBy.id === user.id
  const ofRequest = `${CHANGE_REQUESTS}/${change.id}`
  const send = (verb: string) => () => act.mutate({ method: 'POST', path: `${ofRequest}/${verb}`, body: {} })
  const { method, path, body } = change.request
  const masked = isMasked(body)
  const isOpen = change.status === 'requested' || change.status === 'approved'
  const isAboutMe = change.concernedUserId === user.id
  const canDecide = isOpen && !isOwn && may.approve
  return (
    <Stack>
      <Facts
        items={[
          ['State', <Status key="s" value={change.status} />],
          ['Change', change.summary],
          ['Kind', words(change.kind)],
          ['Requested by', nameOfActor(change.requestedBy)],
          ['Approvals', `${change.approvals} of ${change.requiredApprovals}`],
          ['Not before', <Time key="e" iso={change.earliestAt} />],
          ['Expires', <Time key="x" iso={change.expiresAt} />],
        ]}
      />
      <Text size="sm" fw={600}>
        What would change
      </Text>
      <Code block tabIndex={0} className="curl" aria-label="What would change">
        {body === undefined ? `${method} ${path}` : `${method} ${path}\n${JSON.stringify(body, null, 2)}`}
      </Code>
      {change.decisions.map((each) => (
        <Text key={each.userId} size="sm">
          {each.decision === 'approve' ? 'Approved' : 'Rejected'} by {each.email} <Time iso={each.at} />
          {each.counts ? '' : ' (no longer counts)'}
        </Text>
      ))}
      <Group gap="xs">
        {canDecide && change.status === 'requested' && (
          <>
            <Button loading={act.isPending} onClick={send('approve')}>
              Approve
            </Button>
            <Curl method="POST" path={`${ofRequest}/approve`} body={{}} />
          </>
        )}
        {canDecide && !isAboutMe && (
          <>
            <Button variant="default" color="red" onClick={send('reject')}>
              Reject
            </Button>
            <Curl method="POST" path={`${ofRequest}/reject`} body={{}} />
          </>
        )}
        {isOpen && isOwn && (
          <>
            <Button variant="default" onClick={send('cancel')}>
              Cancel
            </Button>
            <Curl method="POST" path={`${ofRequest}/cancel`} body={{}} />
          </>
        )}
        {change.status === 'approved' && isOwn && !masked && (
          <>
            <Button
              loading={complete.isPending}
              onClick={() =>
                complete.mutate({
                  method: method as Method,
                  path,
                  ...(method === 'DELETE' ? {} : { body }),
                  headers: { 'change-request-id': String(change.id) },
                })
              }
            >
              Make the change
            </Button>
            <Curl
              method={method as Method}
              path={path}
              {...(method === 'DELETE' ? {} : { body })}
              headers={{ 'change-request-id': String(change.id) }}
            />
          </>
        )}
      </Group>
      {canDecide && isAboutMe && <Alert>This change is about you: other members decide whether to reject it.</Alert>}
      {change.status === 'requested' && isOwn && <Alert>You requested this. Another member must approve it.</Alert>}
      {change.status === 'approved' && isOwn && masked && (
        <Alert>
          The request contained a secret, which is not stored. Repeat it where you made it, with the header
          Change-Request-Id: {change.id}.
        </Alert>
      )}
      <NewSecret
        secret={secret}
        title="The new secret"
        note="It is shown once, and to nobody else."
        onClose={() => setSecret(undefined)}
      />
    </Stack>
  )
}
