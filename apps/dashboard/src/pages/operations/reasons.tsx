import { Stack, Text, Title } from '@mantine/core'
import type { Schema } from '../../api/types.ts'
import { PayableSources } from '../../parts/treasury/payable-sources.tsx'
import { WeighedStrategies } from '../../parts/treasury/weighed.tsx'
import { Money } from '../../parts/values.tsx'

interface Props {
  readonly operation: Schema<'CoreOperation'>
}

/** Why the operation exists. */
export function Reasons({ operation }: Props) {
  const { reasons } = operation
  if (reasons === null) return null
  return (
    <Stack gap={6} component="section" aria-label="Why">
      <Title order={3} size="h5">
        Why
      </Title>
      <Text size="sm">{reasons.why}</Text>
      {reasons.worth && (
        <Text size="sm">
          The money at stake: <Money amount={reasons.worth} token="USD" />
        </Text>
      )}
      {reasons.notes?.map((note) => (
        <Text key={note} size="sm" c="dimmed">
          {note}
        </Text>
      ))}
    </Stack>
  )
}

/** What else the planner considered. */
export function Weighed({ operation: { reasons } }: Props) {
  if (!reasons?.sources?.length && !reasons?.weighed?.length) return null
  return (
    <Stack gap={6} component="section" aria-label="What the planner weighed">
      <Title order={3} size="h5">
        What the planner weighed
      </Title>
      <PayableSources sources={reasons.sources} />
      <WeighedStrategies strategies={reasons.weighed} />
    </Stack>
  )
}
