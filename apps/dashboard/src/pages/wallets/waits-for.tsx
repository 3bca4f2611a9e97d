import { Alert, Anchor } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useSilence, waitsForAgent } from '../../api/silence.ts'
import type { Schema } from '../../api/types.ts'
import { useApi } from '../../api/use-api.ts'
import { SilentAgent } from '../../parts/treasury/silent-agent.tsx'
import { Money } from '../../parts/values.tsx'

type Operation = Schema<'CoreOperation'>

/** The unfinished operation that keeps the planner from moving anything else, and what it waits for itself. */
export function WaitsFor({ operationId }: { readonly operationId: number }) {
  const operation = useApi<Operation>(`/api/core/operations/${operationId}`).data?.data
  const { silence } = useSilence(operation !== undefined && waitsForAgent(operation))
  return (
    <>
      <Alert color="yellow">
        Nothing else moves before{' '}
        <Anchor
          component={Link}
          to={'/app/operations' as never}
          search={{ open: operationId } as never}
          size="sm"
          underline="always"
        >
          operation {operationId}
        </Anchor>{' '}
        has ended
        {operation && (
          <>
            : a {operation.type === 'SUPPLY' ? 'deposit' : 'withdrawal'} of{' '}
            <Money amount={operation.amount.amount} token={operation.amount.currency} />, which {waitsOn(operation)}
          </>
        )}
        .
      </Alert>
      <SilentAgent silence={silence} waits={`operation ${operationId} waits`} />
    </>
  )
}

function waitsOn({ status, executor, requiredApprovals, decisions = [], pausedBecause }: Operation): string {
  if (pausedBecause !== null) return `cannot be signed now: ${pausedBecause.replace(/\.$/, '')}`
  if (status === 'PENDING_APPROVAL') {
    const missing = requiredApprovals - decisions.filter(({ counts }) => counts).length
    return `waits for ${missing} ${missing === 1 ? 'approval' : 'approvals'}`
  }
  if (status === 'EXECUTING') return executor === 'agent' ? 'waits for your agent to sign it' : 'its client must sign'
  return status === 'CONFIRMING' ? 'waits for blocks of the chain' : 'ends now'
}
