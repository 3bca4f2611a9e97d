import { useMemo } from 'react'
import type { Schema } from '../../api/types.ts'
import { useApi } from '../../api/use-api.ts'
import { Chart } from '../../parts/chart.tsx'
import { Loaded, Section } from '../../parts/page.tsx'

export const SUMMARY = '/v1/ramp/org/ramp-summary'

/** The volume of each day that has payments. */
export function Volume() {
  const summary = useApi<Schema<'OrganizationRampSummary'>>(SUMMARY)
  const days = summary.data?.data.periodBreakdown
  const points = useMemo(
    () => (days ?? []).map(({ date, volumeUsd }) => ({ day: date.slice(0, 10), value: volumeUsd })),
    [days],
  )
  return (
    <Section title="Volume">
      <Loaded query={summary} height={250}>
        {() => <Chart title="Completed payments by day" unit="USD" points={points} />}
      </Loaded>
    </Section>
  )
}
