import { Text } from '@mantine/core'
import type { Schema } from '../../api/types.ts'
import { isZero, sum } from '../../lib/money/money.ts'
import { columnsFor } from '../../parts/tables/columns.tsx'
import { Status, Time } from '../../parts/values.tsx'

export type Exit = Schema<'Exit'>

export const EXITS = '/api/core/exits'

/** When the money can be claimed, or when it was. What is to come is a date of the chain, whose clock may be ahead. */
export function When({ exit }: { readonly exit: Exit }) {
  if (exit.status === 'claimed') return <Time iso={exit.claimedAt} />
  if (exit.status === 'claimable') return isZero(exit.pending) ? 'now' : 'a part now'
  return exit.claimableAt === null ? 'when the vault pays' : <Time iso={exit.claimableAt} isPast />
}

const { money, shown } = columnsFor<Exit>()
export const exitColumns = {
  state: shown(
    'State',
    (exit) => (
      <>
        <Status value={exit.status} />
        <Text size="xs" c="dimmed" component="div">
          <When exit={exit} />
        </Text>
      </>
    ),
    'status',
  ),
  requested: money('Requested', 'requested', undefined, { wide: true }),
  left: money('Left', ({ pending, claimable }) => sum([pending, claimable]), 'token'),
  claimable: money('Claimable', 'claimable', undefined, { wide: true }),
  claimed: money('Claimed', 'claimed', undefined, { wide: true }),
}
