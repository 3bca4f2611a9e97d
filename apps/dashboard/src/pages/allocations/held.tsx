import { Anchor, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { QUEUE } from '../../api/paths.ts'
import type { Data } from '../../api/types.ts'
import { useApi } from '../../api/use-api.ts'
import { paged } from '../../parts/tables/data-table.tsx'
import { Money } from '../../parts/values.tsx'
import { heldBy } from './held-by.ts'

/** What unfinished deposits hold, what it waits for, and the way to them. */
export function Held({ amount }: { readonly amount: string }) {
  const queue = useApi<Data<'getOperationQueue'>>(paged(`${QUEUE}?type=SUPPLY`, 0))
  const { what, until, search } = heldBy(queue.data?.data.intents ?? [], queue.data?.total ?? 0)
  return (
    <Text size="sm" mt="sm">
      <Money amount={amount} token="USD" /> held by{' '}
      <Anchor component={Link} to={'/app/operations' as never} search={search as never} size="sm" underline="always">
        {what}
      </Anchor>
      , until {until}
    </Text>
  )
}
