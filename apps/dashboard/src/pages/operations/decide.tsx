import { Button, Group, Stack, Text } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { ApiError, get } from '../../api/client.ts'
import { useMay } from '../../api/session.tsx'
import type { Data, Schema } from '../../api/types.ts'
import { useAction } from '../../api/use-api.ts'
import { Curl } from '../../parts/curl.tsx'
import { ExplanationFields, isComplete, NO_EXPLANATION, said } from '../../parts/decisions/explanation.tsx'
import { Modal } from '../../parts/dialogs.tsx'
import { notifyRefusal } from '../../parts/frame/notify.tsx'
import { SignApproval } from './sign-approval.tsx'

interface Props {
  readonly operation: Pick<Schema<'CoreOperation'>, 'id' | 'executor'>
  /** Of the calls that the page shows: what the approval is over. */
  readonly callsHash?: string | undefined
}

/** Approve and reject, for those who may, and why. Where the organization wants approvals signed, the passkey signs what the dialog shows. */
export function Decide({ operation, callsHash }: Props) {
  const may = useMay()
  const path = `/api/core/operations/${operation.id}`
  const [asking, setAsking] = useState(false)
  const [explanation, setExplanation] = useState(NO_EXPLANATION)
  const [request, setRequest] = useState<Schema<'ApprovalSignatureRequest'>>()
  const approve = useAction<Data<'approveOperation'>>(
    ({ approvals, requiredApprovals, status }) =>
      status === 'PENDING_APPROVAL'
        ? `${approvals} of ${requiredApprovals} approvals.`
        : `The last approval arrived. The ${operation.executor} may sign.`,
    () => setRequest(undefined),
  )
  const reject = useAction('Operation rejected.')
  const [rejecting, setRejecting] = useState(false)
  const rejectNow = () => {
    setRejecting(false)
    reject.mutate({ method: 'POST', path: `${path}/reject`, body: said(explanation) })
  }
  const button = useRef<HTMLButtonElement>(null)
  const isBusy = asking || approve.isPending || reject.isPending
  // A disabled button loses the keyboard, which would begin at the top of the page again.
  const wasBusy = useRef(false)
  useEffect(() => {
    if (wasBusy.current && !isBusy && document.activeElement === document.body)
      (button.current ?? document.getElementById('main'))?.focus()
    wasBusy.current = isBusy
  }, [isBusy])
  const approval = { ...said(explanation), ...(callsHash && { callsHash }) }
  const send = (body: object) =>
    approve.mutateAsync({ method: 'POST', path: `${path}/approve`, body: { ...approval, ...body } })
  const begin = async () => {
    setAsking(true)
    try {
      const wanted = await get<Data<'getApprovalRequest'>>(`${path}/approval-request`)
      if (wanted.required) setRequest(wanted)
      else await send({}).catch(() => undefined)
    } catch (error) {
      if (error instanceof ApiError) notifyRefusal(error)
    }
    setAsking(false)
  }
  if (!may.approve)
    return (
      <Text size="sm" c="dimmed">
        Only approvers decide.
      </Text>
    )
  const isReady = isComplete(explanation)
  return (
    <>
      <Stack gap="sm">
        <ExplanationFields
          value={explanation}
          onChange={(change) => setExplanation((before) => ({ ...before, ...change }))}
        />
        <Group gap={6}>
          <Button
            ref={button}
            loading={isBusy}
            disabled={!isReady}
            onClick={() => void begin()}
            aria-label={`Approve operation ${operation.id}`}
          >
            Approve
          </Button>
          <Curl method="POST" path={`${path}/approve`} body={approval} />
          <Button
            variant="default"
            color="red.9"
            disabled={isBusy || !isReady}
            onClick={() => setRejecting(true)}
            aria-label={`Reject operation ${operation.id}`}
          >
            Reject
          </Button>
          <Curl method="POST" path={`${path}/reject`} body={said(explanation)} />
        </Group>
      </Stack>
      {rejecting && (
        <Modal opened onClose={() => setRejecting(false)} title={`Reject operation ${operation.id}?`}>
          <Stack>
            <Text size="sm">
              This ends the operation for everybody. {said(explanation).reason === undefined && 'You gave no reason.'}
            </Text>
            <Group justify="flex-end" gap="xs">
              <Button variant="default" onClick={() => setRejecting(false)}>
                Go back
              </Button>
              <Button color="red.9" onClick={rejectNow}>
                Reject
              </Button>
            </Group>
          </Stack>
        </Modal>
      )}
      {request && (
        <SignApproval
          request={request}
          callsHash={callsHash}
          onSigned={(passkey) => send({ passkey })}
          onClose={() => setRequest(undefined)}
        />
      )}
    </>
  )
}
