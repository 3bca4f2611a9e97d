import { Alert, Button, Code, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import type { Method } from '../../api/client.ts'
import { APPROVAL_POLICY, CHANGE_REQUESTS } from '../../api/paths.ts'
import { useMay, useSession } from '../../api/session.tsx'
import type { Schema } from '../../api/types.ts'
import { useAction } from '../../api/use-api.ts'
import { useReached } from '../../lib/dates/use-reached.ts'
import { nameOfActor } from '../../lib/text/name-of-actor.ts'
import { Curl } from '../../parts/curl.tsx'
import { Evidence } from '../../parts/decisions/evidence.tsx'
import { ExplanationFields, isComplete, NO_EXPLANATION, said } from '../../parts/decisions/explanation.tsx'
import { ShownOnceGuard } from '../../parts/forms/shown-once.tsx'
import { Facts, Status, Time, words } from '../../parts/values.tsx'
import type { PolicyContent } from '../policy/draft.ts'
import { EnterAgain } from './enter-again.tsx'
import { PolicyDifferences } from './policy-differences.tsx'
import { maskedFields, secretIn } from './secrets.ts'

interface Props {
  readonly change: Schema<'ChangeRequest'>
  /** The secret that the change made, if any: shown outside of the panel, which Escape closes. */
  readonly onSecret: (secret: string | undefined) => void
}

/** One change that waits for others: what it is, who said yes or no and why, and what its requester can do then. */
export function ChangePanel({ change, onSecret }: Props) {
  const { user } = useSession()
  const may = useMay()
  const act = useAction('Done.')
  const [explanation, setExplanation] = useState(NO_EXPLANATION)
  const [entering, setEntering] = useState(false)
  const complete = useAction<unknown>('Change made.', (made) => onSecret(secretIn(made)))
  const isOwn = change.requestedBy.type === 'user' && change.requestedBy.id === user.id
  const ofRequest = `${CHANGE_REQUESTS}/${change.id}`
  const send = (verb: string, sent: object) => () =>
    act.mutate({ method: 'POST', path: `${ofRequest}/${verb}`, body: sent })
  const { method, path, body } = change.request
  const masked = maskedFields(body)
  const isMasked = masked.length > 0
  const canComplete = change.status === 'approved' && isOwn
  const isDue = useReached(change.earliestAt)
  const completion = {
    method: method as Method,
    path,
    ...(method === 'DELETE' ? {} : { body }),
    headers: { 'change-request-id': String(change.id) },
  }
  const isOpen = change.status === 'requested' || change.status === 'approved'
  const isAboutMe = change.concernedUserId === user.id
  const canDecide = isOpen && !isOwn && may.approve
  const canApprove = canDecide && change.status === 'requested'
  const canReject = canDecide && !isAboutMe
  const why = said(explanation)
  const isReady = isComplete(explanation)
  return (
    <Stack>
      <ShownOnceGuard pending={complete.isPending} />
      <Facts
        items={[
          ['State', <Status key="s" value={change.status} />],
          ['Change', change.summary],
          ...(change.concernedMember === null ? [] : [['About', change.concernedMember.email] as const]),
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
      {isOpen && method === 'PUT' && path === APPROVAL_POLICY && (
        <PolicyDifferences requested={body as unknown as PolicyContent} />
      )}
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
        {canComplete && !isMasked && (
          <>
            <Button loading={complete.isPending} disabled={!isDue} onClick={() => complete.mutate(completion)}>
              Make the change
            </Button>
            <Curl {...completion} />
          </>
        )}
        {canComplete && isMasked && (
          <Button disabled={!isDue} onClick={() => setEntering(true)}>
            Enter the details again
          </Button>
        )}
      </Group>
      {canDecide && isAboutMe && <Alert>This change is about you: other members decide whether to reject it.</Alert>}
      {change.status === 'requested' && isOwn && <Alert>You requested this. Another member must approve it.</Alert>}
      {canComplete && !isDue && (
        <Alert>
          It is in its cooling-off period: you can make it <Time iso={change.earliestAt} />.
        </Alert>
      )}
      {canComplete && isMasked && (
        <Alert>
          The request contained what is not stored. Enter it again to make the change: everything else is sent as it was
          approved. Elsewhere, repeat the request with the header Change-Request-Id: {change.id}.
        </Alert>
      )}
      {entering && canComplete && (
        <EnterAgain
          completion={completion}
          masked={masked}
          onDone={(made) => onSecret(secretIn(made))}
          onClose={() => setEntering(false)}
        />
      )}
    </Stack>
  )
}
