import { Alert, Button, Group, Text } from '@mantine/core'
import { ALLOCATIONS } from '../../api/paths.ts'
import { useMay } from '../../api/session.tsx'
import type { Schema } from '../../api/types.ts'
import { useAction } from '../../api/use-api.ts'
import { Curl } from '../../parts/curl.tsx'
import { Money, Time } from '../../parts/values.tsx'

interface Props {
  readonly allocationId: number
  readonly token: string
  readonly awaited: Schema<'AwaitedWithdrawal'> | undefined
}

/** What the strategy could not pay at once of a withdrawal, and how to stop fetching it. */
export function Awaited({ allocationId, token, awaited }: Props) {
  const may = useMay()
  const cancel = useAction('Withdrawal no longer awaited.')
  const path = `${ALLOCATIONS}/${allocationId}/awaited-withdrawal`
  if (awaited === undefined) return null
  return (
    <Alert color="gray" title="Awaited withdrawal">
      <Text size="sm">
        {awaited.amount === null ? 'All of it' : <Money amount={awaited.amount} token={token} />} was requested{' '}
        <Time iso={awaited.requestedAt} />. <Money amount={awaited.fetched} token={token} /> arrived; Weir withdraws{' '}
        <Money amount={awaited.rest} token={token} /> as it becomes available.
      </Text>
      {may.administer && (
        <Group gap="xs" mt="xs">
          <Button
            size="compact-sm"
            variant="default"
            loading={cancel.isPending}
            onClick={() => cancel.mutate({ method: 'DELETE', path })}
          >
            Stop waiting
          </Button>
          <Curl method="DELETE" path={path} />
        </Group>
      )}
    </Alert>
  )
}
