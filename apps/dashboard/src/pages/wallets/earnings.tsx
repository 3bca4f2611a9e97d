import { Stack } from '@mantine/core'
import { useMemo, useState } from 'react'
import type { Schema } from '../../api/types.ts'
import { useApi } from '../../api/use-api.ts'
import { fromBaseUnits } from '../../lib/money/money.ts'
import { Loaded } from '../../parts/frame/page.tsx'
import { Periods } from '../../parts/tables/periods.tsx'
import { Chart, type Point } from '../../parts/treasury/chart.tsx'

/** What the wallet's positions earned, and what they were worth at the end of each day. */
export function Earnings({ wallet }: { readonly wallet: Schema<'OperationalWallet'> }) {
  const [days, setDays] = useState('30')
  const query = `walletId=${wallet.orgWalletId}&blockchain=${wallet.blockchain}&token=${wallet.token}&days=${days}`
  const earnings = useApi<Schema<'Earnings'>>(`/v1/allocations/earnings?${query}`)
  const history = earnings.data?.data.history
  const decimals = wallet.tokenDecimals
  const [yields, values] = useMemo(
    () => [pointsOf(history, 'cumulativeYield', decimals), pointsOf(history, 'positionValue', decimals)],
    [history, decimals],
  )
  return (
    <Stack gap="xs" component="section" aria-label="Yield">
      <Periods days={days} onDays={setDays} />
      <Loaded query={earnings} height={510}>
        {() => (
          <>
            <Chart title="Cumulative yield" unit={wallet.token} points={yields} />
            <Chart title="Value of positions" unit={wallet.token} points={values} />
          </>
        )}
      </Loaded>
    </Stack>
  )
}

type Day = Schema<'Earnings'>['history'][number]

const pointsOf = (
  history: readonly Day[] | undefined,
  name: 'cumulativeYield' | 'positionValue',
  decimals: number,
): readonly Point[] =>
  (history ?? []).map((day) => ({
    day: day.date.slice(0, 10),
    value: fromBaseUnits(day[name], decimals),
  }))
