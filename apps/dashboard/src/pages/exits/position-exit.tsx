import { Alert, Anchor, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { Data, Schema } from '../../api/types.ts'
import { useApi } from '../../api/use-api.ts'
import { Money } from '../../parts/values.tsx'
import { EXITS } from './exit-columns.tsx'

interface Props {
  readonly walletId: number
  readonly strategyId: number
}

/** Before somebody withdraws: that the strategy pays later, and what of the position is requested back already. */
export function PositionExit({ walletId, strategyId }: Props) {
  const risk = useApi<Schema<'StrategyRisk'>>(`/api/core/strategy-risks/${strategyId}`).data?.data
  // Newest first, and only the newest can be open: a wallet has one exit of a strategy at a time.
  const exits = useApi<Data<'listExits'>>(`${EXITS}?walletId=${walletId}&strategyId=${strategyId}&limit=1&offset=0`)
  const exit = exits.data?.data.exits.find(({ status }) => status !== 'claimed')
  if (exit === undefined && risk?.facts?.exit === undefined) return null
  return (
    <Alert color="gray" title="This strategy pays later">
      {risk?.facts?.exit && <Text size="sm">{risk.facts.exit}</Text>}
      {exit && (
        <Text size="sm">
          Requested back: <Money amount={exit.pending} token={exit.token} /> waits,{' '}
          <Money amount={exit.claimable} token={exit.token} /> can be claimed.{' '}
          <Anchor component={Link} to={'/app/allocations' as never} search={{ exit: exit.id } as never}>
            Show the exit
          </Anchor>
        </Text>
      )}
    </Alert>
  )
}
