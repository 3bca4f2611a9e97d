import { Stack, Text } from '@mantine/core'
import { Facts } from '../../parts/values.tsx'
import { KINDS, type Limits, type Listed, labelOf, nameOf, SHARES } from './limits.ts'

interface Props {
  readonly inForce: Limits
  readonly listed: readonly Listed[]
}

/** The limits in force, for those who may not change them. */
export function LimitsFacts({ inForce, listed }: Props) {
  const { allowedStrategies, caps } = inForce
  return (
    <Stack>
      <Facts
        items={[
          [
            'May take deposits',
            allowedStrategies === null
              ? 'all but those whose withdrawals take time'
              : namesOf(allowedStrategies, listed),
          ],
          ...caps.map((cap) => [`${KINDS[cap.kind]} ${nameOf(cap, listed)}`, `at most ${cap.maxShare}%`] as const),
          ...SHARES.map(({ field, label }) => {
            const value = inForce[field] ?? null
            return [label, value === null ? 'no limit' : `${value}%`] as const
          }),
        ]}
      />
      <Text size="sm" c="dimmed">
        Admins change them. They limit what Weir deposits on its own; existing positions stay.
      </Text>
    </Stack>
  )
}

function namesOf(ids: readonly number[], listed: readonly Listed[]): string {
  if (ids.length === 0) return 'none: deposits are stopped'
  return ids
    .map((id) => {
      const found = listed.find(({ strategyId }) => strategyId === id)
      return found ? labelOf(found) : `strategy ${id}`
    })
    .join(', ')
}
