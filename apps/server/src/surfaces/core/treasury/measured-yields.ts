import Type from 'typebox'
import type { MeasuredYield } from '../../../venues/index.ts'
import { orNull, percent, percentText } from '../formats.ts'
import { dateTime } from '../schemas.ts'

const Yield = Type.Object(
  {
    days: Type.Integer({ description: 'Length of the period: 1, 7 or 30 days.' }),
    base: orNull(percentText('APY.'), 'APY of the share price since `from`; null if no reading is old enough.'),
    reward: orNull(
      percentText('APY.'),
      'APY of rewards in another token that the protocol tracked for depositors, at the last price of its feed. `base` and every other APY are without it, and Weir does not claim it. Null if the protocol does not report it, there is no recent price, or no reading with it is old enough; always null for past days.',
    ),
    from: orNull(dateTime('Time.'), 'The reading it is measured from, from the clock of the chain.'),
  },
  { description: 'What a deposit really earned.' },
)

export const Yields = Type.Array(Yield, { description: 'Measured yields over 1, 7 and 30 days.' })

export const presentYields = (yields: readonly MeasuredYield[]) =>
  yields.map(({ days, apy, rewardApy, from }) => ({
    days,
    base: apy === null ? null : percent(apy),
    reward: rewardApy === null ? null : percent(rewardApy),
    from: from?.toISOString() ?? null,
  }))
