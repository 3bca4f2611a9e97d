import { useMemo } from 'react'
import type { Schema } from '../../api/types.ts'
import { useApi } from '../../api/use-api.ts'
import { everyDay } from '../../lib/dates/day-axis.ts'
import { Loaded, Section } from '../../parts/frame/page.tsx'
import { Chart } from '../../parts/treasury/chart.tsx'

export const SUMMARY = '/v1/ramp/org/ramp-summary'

/** The volume of each day from the first payment to the last one. A payment counts on the day on which it was created. */
export function Volume() {
  const summary = useApi<Schema<'OrganizationRampSummary'>>(SUMMARY)
  const days = summary.data?.data.periodBreakdown
  const points = useMemo(
    () => everyDay((days ?? []).map(({ date, volumeUsd }) => ({ day: date.slice(0, 10), value: volumeUsd }))),
    [days],
  )
  return (
    <Section title="Volume">
      <Loaded query={summary} height={250}>
        {() => <Chart title="Completed payments by day of creation" unit="USD" points={points} />}
      </Loaded>
    </Section>
  )
}
