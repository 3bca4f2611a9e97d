import { Alert, Anchor, Card, Group, Stack, Title } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useSilence, waitsForAgent } from '../../api/silence.ts'
import type { Schema } from '../../api/types.ts'
import { useApi } from '../../api/use-api.ts'
import { Curl } from '../../parts/curl.tsx'
import { Loaded } from '../../parts/frame/page.tsx'
import { SilentAgent } from '../../parts/treasury/silent-agent.tsx'
import { chainName, Facts, Hash, Money, Status, words } from '../../parts/values.tsx'
import { ActivityLinks } from '../activity/activity-links.tsx'
import { Approval } from './approval.tsx'
import { By } from './by.tsx'
import { Decide } from './decide.tsx'
import { FINISHED } from './finished.ts'
import { PlanAgain } from './plan-again.tsx'
import { Reasons, Weighed } from './reasons.tsx'
import { Rescue } from './rescue.tsx'
import { Timeline } from './timeline.tsx'
import { useSeenCalls } from './use-seen-calls.ts'
import { WhatIsSigned } from './what-is-signed.tsx'
import { whyNot } from './why-not.ts'

const EXIT_STEPS = { request: 'Requests the money back', claim: 'Brings the money' } as const

/** What it does, and where its money is. */
function ExitStep({ operation: { exitStep, exit } }: { readonly operation: Schema<'CoreOperation'> }) {
  const step = exitStep && EXIT_STEPS[exitStep]
  if (!exit) return step
  return (
    <>
      {step};{' '}
      <Anchor
        component={Link}
        to={'/app/allocations' as never}
        search={{ exit: exit.id } as never}
        size="sm"
        underline="always"
      >
        its exit is {words(exit.status).toLowerCase()}
      </Anchor>
    </>
  )
}

/** One operation: why it exists, who must say yes, what would be signed, and what has happened. */
export function OperationPanel({ id }: { readonly id: number }) {
  const path = `/api/core/operations/${id}`
  const detail = useApi<Schema<'CoreOperation'>>(path)
  const { silence } = useSilence(detail.data !== undefined && waitsForAgent(detail.data.data))
  return (
    <Loaded query={detail} height={480}>
      {(operation) => (
        <Stack gap="lg">
          <WhyNot operation={operation} />
          <Facts
            items={[
              ['State', <Status key="s" value={operation.status} />],
              [
                words(operation.type),
                <Money key="m" amount={operation.amount.amount} token={operation.amount.currency} strong />,
              ],
              ...(operation.revokesAllowance
                ? [
                    [
                      'Revokes an allowance of',
                      <Money key="r" amount={operation.revokesAllowance} token={operation.token.symbol} />,
                    ] as const,
                  ]
                : []),
              ...(operation.leftAllowance
                ? [
                    [
                      'Left allowance',
                      <Group key="l" gap={4}>
                        <Money amount={operation.leftAllowance.amount.amount} token={operation.token.symbol} />
                        for
                        <Hash value={operation.leftAllowance.spender} chain={operation.opWallet.blockchain} />
                      </Group>,
                    ] as const,
                  ]
                : []),
              ...(operation.exitStep ? [['Exit', <ExitStep key="e" operation={operation} />] as const] : []),
              ['Strategy', `${operation.strategy.name}, ${operation.strategy.estimatedAPY} a year`],
              [
                'Wallet',
                <Hash
                  key="w"
                  value={operation.opWallet.address}
                  label={operation.opWallet.label}
                  chain={operation.opWallet.blockchain}
                />,
              ],
              ['Chain', chainName(operation.opWallet.blockchain)],
              ['Planned by', <By key="b" origin={operation.origin} actor={operation.requestedBy} />],
              ['Signed by', words(operation.executor)],
            ]}
          />
          <SilentAgent silence={silence} waits="this operation waits" />
          <BeforeTheYes operation={operation} />
          <Timeline operation={operation} />
          <Rescue operation={operation} />
          <Group justify="space-between">
            <ActivityLinks about="operation" id={id} />
            <Curl method="GET" path={path} label="This operation as curl" />
          </Group>
        </Stack>
      )}
    </Loaded>
  )
}

/** Why it has no effect, or none yet, and the way on. */
function WhyNot({ operation }: { readonly operation: Schema<'CoreOperation'> }) {
  const why = whyNot(operation)
  return (
    why && (
      <Alert color={why.color} title={why.title}>
        <Stack gap="xs">
          {why.text}
          <PlanAgain operation={operation} />
        </Stack>
      </Alert>
    )
  )
}

/** First why it exists and why people are asked; then what it calls, and the buttons: an approver has seen the calls. */
function BeforeTheYes({ operation }: { readonly operation: Schema<'CoreOperation'> }) {
  const seen = useSeenCalls(operation)
  return (
    <>
      <Reasons operation={operation} />
      <Approval operation={operation} />
      {!FINISHED.has(operation.status) && <WhatIsSigned operation={operation} seen={seen} />}
      {operation.status === 'PENDING_APPROVAL' && (
        <Card withBorder component="section" aria-label="Your decision">
          <Stack gap="xs">
            <Title order={3} size="h5">
              Your decision
            </Title>
            <Decide operation={operation} callsHash={seen.hash} />
          </Stack>
        </Card>
      )}
      <Weighed operation={operation} />
    </>
  )
}
