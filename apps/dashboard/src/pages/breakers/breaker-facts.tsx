import { Stack, Text } from '@mantine/core'
import type { Schema } from '../../api/types.ts'
import { Facts } from '../../parts/values.tsx'
import { recoveryName } from './recoveries.ts'

/** The settings, for those who may only read them. */
export function BreakerFacts({ inForce }: { readonly inForce: Schema<'CircuitBreakers'> }) {
  const { maxPriceFall, maxPegDistance, minWithdrawableShare, onUpgrade, withdraw, recoverySeconds } = inForce
  return (
    <Stack gap="sm">
      <Text size="sm" c="dimmed">
        Admins set them.
      </Text>
      <Facts
        items={[
          ['Price fall', maxPriceFall === null ? 'off' : `more than ${maxPriceFall}% below its highest in 30 days`],
          ['Depeg', maxPegDistance === null ? 'off' : `more than ${maxPegDistance}% from 1 US dollar`],
          [
            'Illiquidity',
            minWithdrawableShare === null ? 'off' : `less than ${minWithdrawableShare}% of your position`,
          ],
          ['Upgrade', onUpgrade ? 'changed code of a contract' : 'off'],
          ['Closes automatically', `when its fact has been good for ${recoveryName(recoverySeconds)}`],
          ['While one is open', withdraw ? 'Weir withdraws everything as well' : 'Weir only stops its deposits'],
        ]}
      />
    </Stack>
  )
}
