import { Button, Group, Stack } from '@mantine/core'
import { useEffect, useState } from 'react'
import type { Schema } from '../../api/types.ts'
import { useApi } from '../../api/use-api.ts'
import { fromBaseUnits } from '../../lib/money.ts'
import { Chart } from '../../parts/chart.tsx'
import { Loaded } from '../../parts/page.tsx'

const PERIODS = ['30', '90', '365'] as const

export function Earnings({ wallet }: { readonly wallet: Schema<'OperationalWallet'> }) {
  const [days, setDays] = useState<string>('30')
  const query = `walletId=${wallet.orgWalletId}&blockchain=${wallet.blockchain}&token=${wallet.token}&days=${days}`
  const earnings = useApi<Schema<'Earnings'>>(`/v1/allocations/earnings?${query}`)
  const [points, setPoints] = useState<{ at: string; value: string }[]>([])
  useEffect(() => {
    if (earnings.data)
      setPoints(
        earnings.data.data.history.map(({ date, cumulativeYield }) => ({
          at: `${date.slice(0, 10)}T00:00:00Z`,
          value: fromBaseUnits(cumulativeYield),
        })),
      )
  }, [earnings.data])
  return (
    <Stack gap="xs" component="section" aria-label="Yield">
      <Group justify="flex-end" gap={4} className="no-print">
        {PERIODS.map((each) => (
          <Button
            key={each}
            size="compact-xs"
            variant={each === days ? 'light' : 'subtle'}
            aria-pressed={each === days}
            onClick={() => setDays(each)}
          >
            {each} days
          </Button>
        ))}
      </Group>
      <Loaded query={earnings} height={250}>
        {() => <Chart title="Yield, summed" unit={wallet.token} points={points} />}
      </Loaded>
    </Stack>
  )
}
