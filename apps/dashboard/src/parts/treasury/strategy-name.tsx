import { Text } from '@mantine/core'
import { type Column, columnsFor } from '../tables/columns.tsx'

interface Named {
  readonly strategy?: string
  readonly venue: string
}

/** A column for a strategy by its name, and its venue below: one venue has several strategies. */
export function strategyNamed<T extends Named>(): Column<T> {
  return columnsFor<T>().shown(
    'Strategy',
    ({ strategy, venue }) => (
      <>
        {strategy ?? venue}
        {strategy !== undefined && (
          <Text size="xs" c="dimmed" component="div">
            {venue}
          </Text>
        )}
      </>
    ),
    ({ strategy }) => strategy,
  )
}
