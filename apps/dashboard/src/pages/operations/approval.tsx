import { Anchor, Card, Stack, Text, Title } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { Schema } from '../../api/types.ts'
import { Money } from '../../parts/values.tsx'
import { Decisions } from './decisions.tsx'
import { wholeOf } from './whole-move.ts'

/** Which rule asks for approvals, who gave them and why, and how many are missing. */
export function Approval({ operation }: { readonly operation: Schema<'CoreOperation'> }) {
  const { requiredApprovals, approvalRule, decisions = [], reasons, status } = operation
  const whole = wholeOf(operation)
  const waits = status === 'PENDING_APPROVAL'
  const missing = requiredApprovals - decisions.filter(({ counts }) => counts).length
  return (
    <Card withBorder component="section" aria-label="Approval">
      <Stack gap="xs">
        <Title order={3} size="h5">
          Approval
        </Title>
        <Text size="sm">
          {requiredApprovals === 0
            ? 'The approval policy lets this operation proceed.'
            : `${requiredApprovals} ${requiredApprovals === 1 ? 'approval is' : 'approvals are'} required${approvalRule ? ` by the rule “${approvalRule}”` : ' by the default of the policy'}.`}
        </Text>
        {reasons?.policy && (
          <Text size="sm" c="dimmed">
            {reasons.policy}{' '}
            <Anchor component={Link} to={'/app/policy' as never} size="sm" underline="always">
              The policy now
            </Anchor>
          </Text>
        )}
        {whole !== undefined && (
          <Text size="sm" c="dimmed">
            The rules judge a move and the parts that follow it as one: here, of up to{' '}
            <Money amount={whole} token={operation.token.symbol} />.
          </Text>
        )}
        <Decisions decisions={decisions} waits={waits} />
        {waits && (
          <Text size="sm" fw={500}>
            {missing <= 0 ? 'No approval is missing' : `${missing} ${missing === 1 ? 'approval' : 'approvals'} missing`}
          </Text>
        )}
      </Stack>
    </Card>
  )
}
