import { Button, Group } from '@mantine/core'

const PERIODS = ['30', '90', '365'] as const

interface Props {
  readonly days: string
  readonly onDays: (days: string) => void
}

/** How far back the charts of a detail go. */
export function Periods({ days, onDays }: Props) {
  return (
    <Group justify="flex-end" gap={4} className="no-print">
      {PERIODS.map((each) => (
        <Button
          key={each}
          size="compact-xs"
          variant={each === days ? 'light' : 'subtle'}
          aria-pressed={each === days}
          onClick={() => onDays(each)}
        >
          {each} days
        </Button>
      ))}
    </Group>
  )
}
