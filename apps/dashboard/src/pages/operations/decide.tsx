import { Button, Group, Stack, Text } from '@mantine/core'
import { type SyntheticEvent, useEffect, useRef, useState } from 'react'
import { ApiError, get } from '../../api/client.ts'
import { useMay } from '../../api/session.tsx'
import type { Data, Schema } from '../../api/types.ts'
import { useAction } from '../../api/use-api.ts'
import { Curl } from '../../parts/curl.tsx'
import { notify } from '../../parts/notify.tsx'
import { ExplanationFields, isLink, said } from './explanation.tsx'
import { SignApproval } from './sign-approval.tsx'

interface Props {
  readonly operation: Pick<Schema<'OperationHistoryItem'>, 'id' | 'status'>
  readonly compact?: boolean
}

/**
 * Approve and reject, for those who may; in a detail also why. Where the organization wants approvals signed, the passkey signs what the
 * dialog shows. The row stays where it is until the service has answered.
 */
export function Decide({ operation, compact }: Props) {
  const may = useMay()
  const path = `/api/core/operations/${operation.id}`
  const [asking, setAsking] = useState(false)
  const [explanation, setExplanation] = useState({ reason: '', link: '' })
  const [request, setRequest] = useState<Schema<'ApprovalSignatureRequest'>>()
  const approve = useAction<Data<'approveOperation'>>(
    ({ approvals, requiredApprovals, status }) =>
      status === 'PENDING_APPROVAL'
        ? `${approvals} of ${requiredApprovals} approvals.`
        : 'The last approval arrived. The agent may sign.',
    () => setRequest(undefined),
  )
  const reject = useAction('The operation is rejected.')
  const button = useRef<HTMLButtonElement>(null)
  const isBusy = asking || approve.isPending || reject.isPending
  // A disabled button loses the keyboard, which would begin at the top of the page again.
  const wasBusy = useRef(false)
  useEffect(() => {
    if (wasBusy.current && !isBusy && document.activeElement === document.body)
      (button.current ?? document.getElementById('main'))?.focus()
    wasBusy.current = isBusy
  }, [isBusy])
  const send = (body: object) =>
    approve.mutateAsync({ method: 'POST', path: `${path}/approve`, body: { ...said(explanation), ...body } })
  const begin = async () => {
    setAsking(true)
    try {
      const wanted = await get<Data<'getApprovalRequest'>>(`${path}/approval-request`)
      if (wanted.required) setRequest(wanted)
      else await send({}).catch(() => undefined)
    } catch (error) {
      if (error instanceof ApiError) notify(error.code, error.message, 'red')
    }
    setAsking(false)
  }
  if (operation.status !== 'PENDING_APPROVAL') return <Note>–</Note>
  if (!may.approve) return <Note>Approvers decide</Note>
  const size = compact ? 'compact-xs' : 'sm'
  const isReady = isLink(explanation.link)
  // A click on a button of a row, or in its dialog, does not open the row.
  const stop = (event: SyntheticEvent) => event.stopPropagation()
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only keeps clicks from the row.
    // biome-ignore lint/a11y/useKeyWithClickEvents: as above.
    <div onClick={stop}>
      <Stack gap="sm">
        {!compact && <ExplanationFields value={explanation} onChange={setExplanation} />}
        <Group gap={6} justify={compact ? 'flex-end' : 'flex-start'} wrap="nowrap">
          <Button
            ref={button}
            size={size}
            loading={isBusy}
            disabled={!isReady}
            onClick={() => void begin()}
            aria-label={`Approve operation ${operation.id}`}
          >
            Approve
          </Button>
          <Button
            size={size}
            variant="default"
            color="red.9"
            disabled={isBusy || !isReady}
            onClick={() => reject.mutate({ method: 'POST', path: `${path}/reject`, body: said(explanation) })}
            aria-label={`Reject operation ${operation.id}`}
          >
            Reject
          </Button>
          {!compact && <Curl method="POST" path={`${path}/approve`} body={said(explanation)} />}
        </Group>
      </Stack>
      {request && (
        <SignApproval
          request={request}
          onSigned={(passkey) => send({ passkey })}
          onClose={() => setRequest(undefined)}
        />
      )}
    </div>
  )
}

const Note = ({ children }: { readonly children: string }) => (
  <Text span size="xs" c="dimmed">
    {children}
  </Text>
)
