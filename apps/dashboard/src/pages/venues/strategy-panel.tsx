import { Group, Stack } from '@mantine/core'
import { useMemo, useState } from 'react'
import type { Schema } from '../../api/types.ts'
import { useApi } from '../../api/use-api.ts'
import { isZero } from '../../lib/money/money.ts'
import { Curl } from '../../parts/curl.tsx'
import { Loaded } from '../../parts/frame/page.tsx'
import { Periods } from '../../parts/tables/periods.tsx'
import { Chart, type Point } from '../../parts/treasury/chart.tsx'
import { chainName, Facts, Money } from '../../parts/values.tsx'
import { BreakerAlert } from '../breakers/breaker-alert.tsx'
import { stops, useBreakers } from '../breakers/use-breakers.ts'
import { FactSheet } from './fact-sheet.tsx'
import { depositsText, withdrawalsText } from './terms.ts'

type Risk = Schema<'StrategyRiskDetail'>

/** One strategy: what it really paid, how large its pool was, what is yours of it, and who can change what. */
export function StrategyPanel({ id }: { readonly id: number }) {
  const [days, setDays] = useState('30')
  const path = `/api/core/strategy-risks/${id}?days=${days}`
  const risk = useApi<Risk>(path)
  const breakers = useBreakers().data?.data.breakers ?? []
  const history = risk.data?.data.history
  const [apys, prices, sizes, liquid] = useMemo(
    () => [
      pointsOf(history, ({ apy }) => apy?.replace('%', '')),
      pointsOf(history, ({ sharePriceIndex }) => sharePriceIndex),
      pointsOf(history, ({ tvl }) => tvl),
      pointsOf(history, ({ liquidity }) => liquidity),
    ],
    [history],
  )
  return (
    <Loaded query={risk} height={1400}>
      {(strategy) => (
        <Stack gap="lg">
          <Facts
            items={[
              ['Strategy', `${strategy.name}, ${strategy.venue}`],
              ['Chain', chainName(strategy.blockchain)],
              ['APY now', strategy.apy],
              ...strategy.yields.map(({ days: period, base }) => [paid(period), base ?? 'not measured yet'] as const),
              ...rewards(strategy),
              ['TVL', <Money key="t" amount={strategy.tvl} token={strategy.token} />],
              ...shortfall(strategy),
              ['Can be withdrawn now', payable(strategy)],
              ['Lent out', strategy.utilization ?? 'not known'],
              ['Deposits', deposits(strategy)],
              ['Withdrawals', strategy.withdrawals ? withdrawalsText(strategy.withdrawals) : 'known by position only'],
              ...peg(strategy),
              ['Yours', <Money key="o" amount={strategy.own.value} token={strategy.token} strong />],
              ['Your share of it', strategy.own.shareOfPool ?? 'not known'],
              [
                'Withdrawable now, this strategy alone',
                <Money key="w" amount={strategy.own.withdrawable} token={strategy.token} />,
              ],
              ...unread(strategy),
            ]}
          />
          <BreakerAlert breakers={breakers.filter((each) => each.strategyId === id && stops(each))} />
          <Stack gap="xs" component="section" aria-label="History">
            <Periods days={days} onDays={setDays} />
            <Chart title="Daily APY" unit="%" points={apys} />
            <Chart title="Share price, indexed to 1" unit={strategy.token} points={prices} />
            <Chart title="TVL" unit={strategy.token} points={sizes} />
            {strategy.liquidity !== null && (
              <Chart title="Can be withdrawn now" unit={strategy.token} points={liquid} />
            )}
          </Stack>
          <FactSheet strategy={strategy} />
          <Group justify="flex-end">
            <Curl method="GET" path={path} label="This strategy as curl" />
          </Group>
        </Stack>
      )}
    </Loaded>
  )
}

/** What the protocol pays in another token, where it tells: beside the APY, never in it. */
const rewards = ({ yields }: Risk) =>
  yields.flatMap(({ days, reward }) =>
    reward === null ? [] : [[rewarded(days), `${reward}, ${NOT_INCLUDED}`] as const],
  )

const rewarded = (days: number) => (days === 1 ? 'Rewards of the last day' : `Rewards of ${days} days`)

const NOT_INCLUDED = 'not included in APY; Weir does not claim it'

/** What its token is worth, where a feed says so. */
const peg = ({ peg: read, token }: Risk) =>
  read ? [[`Peg of ${token}`, `${read.price} USD, ${read.distance} off`] as const] : []

function deposits({ deposits: accepted, token }: Risk) {
  if (!accepted) return 'not read yet'
  if (accepted.state !== 'open' || accepted.room === null) return depositsText(accepted)
  return (
    <>
      up to <Money amount={accepted.room} token={token} />
    </>
  )
}

/** By all depositors together, where the contract reports it. */
function payable({ liquidity, withdrawals, token }: Risk) {
  if (withdrawals?.state === 'paused') return 'nothing'
  return liquidity === null ? 'not known' : <Money amount={liquidity} token={token} />
}

/** What the vault counts and does not hold, where there is any. */
const shortfall = ({ shortfall: lacks, token }: Risk) =>
  lacks === null || isZero(lacks)
    ? []
    : [['Lost, not covered', <Money key="s" amount={lacks} token={token} />] as const]

/** The part of the organization's money of which this is unknown, where there is any. */
const unread = ({ own, token }: Risk) =>
  isZero(own.unread) ? [] : [['Not read yet', <Money key="u" amount={own.unread} token={token} />] as const]

const paid = (days: number) => (days === 1 ? 'APY of the last day' : `APY of ${days} days`)

/** The days on which it was recorded. */
const pointsOf = (
  history: Risk['history'] | undefined,
  read: (entry: Risk['history'][number]) => string | null | undefined,
): readonly Point[] =>
  (history ?? []).flatMap((entry) => {
    const value = read(entry)
    return value == null ? [] : [{ day: entry.day, value }]
  })
