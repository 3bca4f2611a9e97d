import { Button, Group } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useMay } from '../../api/session.tsx'
import type { Schema } from '../../api/types.ts'
import { mayPlanAgain, requestAgain } from '../../lib/transactions/plan-again.ts'
import { Curl } from '../../parts/curl.tsx'

/** The way on: the form with its wallet, strategy and amount; of an API client's operation the request, which its program signs. */
export function PlanAgain({ operation }: { readonly operation: Schema<'CoreOperation'> }) {
  const may = useMay()
  if (!may.administer || !mayPlanAgain(operation)) return null
  if (operation.executor === 'client')
    return (
      <Group>
        <Curl {...requestAgain(operation)} label="Plan again as curl" />
      </Group>
    )
  return (
    <Group>
      <Button
        component={Link}
        to={'/app/allocations' as never}
        search={{ again: operation.id } as never}
        size="xs"
        variant="default"
      >
        Plan again
      </Button>
    </Group>
  )
}
