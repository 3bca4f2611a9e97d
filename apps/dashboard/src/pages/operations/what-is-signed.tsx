import { Alert, Code, Stack, Text, Title } from '@mantine/core'
import type { Schema } from '../../api/types.ts'
import { useApi } from '../../api/use-api.ts'
import { Facts, Hash } from '../../parts/values.tsx'
import { Call } from './call.tsx'
import { namesIn } from './named-addresses.ts'
import { Transaction } from './transaction.tsx'
import type { SeenCalls } from './use-seen-calls.ts'

type Operation = Schema<'CoreOperation'>

/** What this operation signs, decoded in this browser: a client's bytes, or the calls that an agent will get bytes of. */
export function WhatIsSigned({ operation, seen }: { readonly operation: Operation; readonly seen: SeenCalls }) {
  const client = useApi<Schema<'Operation'>>(operation.executor === 'client' ? `/v1/operations/${operation.id}` : null)
  const unsigned = (client.data?.data.transactions ?? []).filter(({ unsignedTransaction }) => unsignedTransaction)
  return (
    <Stack gap="sm" component="section" aria-label="What would be signed">
      <Title order={3} size="h5">
        What would be signed
      </Title>
      {unsigned.length > 0
        ? unsigned.map((each) => (
            <Transaction
              key={each.id}
              description={each.description}
              bytes={each.unsignedTransaction!}
              operation={operation}
            />
          ))
        : operation.steps.map((step, at) => <Step key={step.id} operation={operation} step={step} at={at} />)}
      {unsigned.length === 0 && <CallsHash operation={operation} seen={seen} />}
    </Stack>
  )
}

function Step({
  operation,
  step,
  at,
}: {
  readonly operation: Operation
  readonly step: Operation['steps'][number]
  readonly at: number
}) {
  const names = namesIn(operation)
  return (
    <Stack gap="xs">
      <Text size="sm" fw={500}>
        Step {at + 1} of {operation.steps.length}
      </Text>
      {(step.calls ?? []).map((call, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the calls of a step have an order and never move.
        <Call key={index} call={call} operation={operation} names={names} />
      ))}
      {step.calls === undefined && <Alert color="yellow">The service does not say what this step calls.</Alert>}
    </Stack>
  )
}

function CallsHash({ operation, seen }: { readonly operation: Operation; readonly seen: SeenCalls }) {
  if (seen.hash === undefined) return null
  return (
    <>
      <Facts items={[['Hash of these calls, computed here', <Hash key="h" value={seen.hash} length={16} />]]} />
      <Text size="sm" c="dimmed">
        {operation.requiredApprovals > 0
          ? 'Two approvers see the same hash, and exactly these calls are signed. '
          : 'Weir plans the steps again if the allowance of the token changes before they are signed. '}
        Nonce, fees and blockhash are chosen when the agent asks for bytes.
      </Text>
      <details>
        <summary>
          <Text span size="sm">
            What the hash covers
          </Text>
        </summary>
        <Code block tabIndex={0} className="curl" mt="xs" aria-label="What the hash covers">
          {seen.text}
        </Code>
      </details>
    </>
  )
}
