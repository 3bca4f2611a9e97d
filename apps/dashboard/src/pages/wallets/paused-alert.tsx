import { Alert, Anchor } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { HISTORY } from '../../api/paths.ts'
import type { Data, Schema } from '../../api/types.ts'
import { useApi } from '../../api/use-api.ts'
import { exactTime } from '../../lib/dates/time.ts'
import { usePreferences } from '../../lib/page/preferences.ts'
import { endOf, pausedAfter } from './paused.ts'

interface Props {
  readonly wallet: Schema<'OperationalWallet'>
  readonly plan: Schema<'RebalancePreview'>
  readonly until: string
}

/** Why Weir plans nothing for now, and until when. */
export function PausedAlert({ wallet, plan, until }: Props) {
  const { zone } = usePreferences()
  const ended = useApi<Data<'getOperationHistory'>>(`${HISTORY}?opWalletId=${wallet.id}&limit=10&offset=0`)
  const move = pausedAfter(ended.data?.data.items ?? [], plan.moves[0]?.type)
  return (
    <Alert color="yellow">
      {move ? (
        <Anchor
          component={Link}
          to={'/app/operations' as never}
          search={{ open: move.id, tab: 'history' } as never}
          size="sm"
          underline="always"
        >
          Operation {move.id}
        </Anchor>
      ) : (
        'The last move'
      )}{' '}
      {endOf(move)}. Weir plans the next one after {exactTime(until, zone)}.
    </Alert>
  )
}
