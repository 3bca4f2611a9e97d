import { Alert, Button, Code, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import type { Method } from '../../api/client.ts'
import { CHANGE_REQUESTS } from '../../api/paths.ts'
import { useMay, useSession } from '../../api/session.tsx'
import type { Schema } from '../../api/types.ts'
import { useAction } from '../../api/use-api.ts'
import { nameOfActor } from '../../lib/text/name-of-actor.ts'
import { Curl } from '../../parts/curl.tsx'
import { Evidence } from '../../parts/decisions/evidence.tsx'
import { ExplanationFields, isComplete, NO_EXPLANATION, said } from '../../parts/decisions/explanation.tsx'
import { NewSecret } from '../../parts/forms/new-secret.tsx'
import { Facts, Status, Time, words } from '../../parts/values.tsx'
import { isMasked, secretIn } from './secrets.ts'

/** One change that waits for others: what it is, who said yes or no and why, and what its requester can do then. */
export function ChangePanel({ change }: { readonly change: Schema<'ChangeRequest'> }) {
  const { user } = useSession()
  const may = useMay()
  const act = useAction('Done.')
  const [explanation, setExplanation] = useState(NO_EXPLANATION)
  const [secret, setSecret] = useState<string>()
  const complete = useAction<unknown>('Change made.', (made) => setSecret(secretIn(made)))
  const isOwn = change.requestedBy.type === 'user' && change.requestedBy.id === user.id
  const ofRequest = `${CHANGE_REQUESTS}/${change.id}`
  const send = (verb: string, sent: object) => () =>
    act.mutate({ method: 'POST', path: `${ofRequest}/${verb}`, body: sent })
  const { method, path, body } = change.request
  const masked = isMasked(body)
  const isOpen = change.status === 'requested' || change.status === 'approved'
  const isAboutMe = change.concernedUserId === user.id
  const canDecide = isOpen && !isOwn && may.approve
  const canApprove = canDecide && change.status === 'requested'
  const canReject = canDecide && !isAboutMe
  const why = said(explanation)
  const isReady = isComplete(explanation)
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
      {change.decisions.length > 0 && (
        <Stack gap={6} component="ul" className="decisions" aria-label="Decisions">
          {change.decisions.map(({ userId, email, decision, at, counts, reason, link, fileSha256 }) => (
            <li key={userId}>
              <Text size="sm">
                {decision === 'approve' ? 'Approved' : 'Rejected'} by {email} <Time iso={at} />
                {counts ? '' : ' (no longer counts)'}
              </Text>
              <Evidence reason={reason} link={link} fileSha256={fileSha256} />
            </li>
          ))}
        </Stack>
      )}
      {(canApprove || canReject) && (
        <ExplanationFields
          value={explanation}
          onChange={(more) => setExplanation((before) => ({ ...before, ...more }))}
        />
      )}
      <Group gap="xs">
        {canApprove && (
          <>
            <Button loading={act.isPending} disabled={!isReady} onClick={send('approve', why)}>
              Approve
            </Button>
            <Curl method="POST" path={`${ofRequest}/approve`} body={why} />
          </>
        )}
        {canReject && (
          <>
            <Button variant="default" color="red" disabled={!isReady || act.isPending} onClick={send('reject', why)}>
              Reject
            </Button>
            <Curl method="POST" path={`${ofRequest}/reject`} body={why} />
          </>
        )}
        {isOpen && isOwn && (
          <>
            <Button variant="default" disabled={act.isPending} onClick={send('cancel', {})}>
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
