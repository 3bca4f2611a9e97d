import { Chip, Group, Input, Select, Stack, TextInput } from '@mantine/core'
import { DAYS, dayName, type Hours } from './conditions.ts'

interface Props {
  readonly hours: Hours
  readonly disabled: boolean
  readonly error: string | undefined
  readonly onChange: (next: Hours) => void
}

const ZONES = Intl.supportedValuesOf('timeZone')

/** Office hours; the condition holds at every other time. */
export function HoursField({ hours, disabled, error, onChange }: Props) {
  const { timezone, from, to, days } = hours
  const set = (next: Partial<Hours>) => onChange({ ...hours, ...next })
  const chosen = days.flatMap((day) => dayName(day) ?? [])
  return (
    <Stack gap="xs">
      <Group gap="xs" align="flex-start">
        <TextInput
          aria-label="Hours from"
          w={80}
          disabled={disabled}
          value={from}
          onChange={(event) => set({ from: event.currentTarget.value.trim() })}
        />
        <TextInput
          aria-label="Hours to"
          w={80}
          disabled={disabled}
          value={to}
          onChange={(event) => set({ to: event.currentTarget.value.trim() })}
        />
        <Select
          aria-label="Time zone"
          flex={1}
          miw={180}
          disabled={disabled}
          data={[...new Set([timezone, ...ZONES])]}
          value={timezone}
          onChange={(value) => value && set({ timezone: value })}
          searchable
          allowDeselect={false}
          limit={100}
        />
      </Group>
      <Chip.Group multiple value={chosen} onChange={(next) => set({ days: DAYS.filter((day) => next.includes(day)) })}>
        <Group gap={6} role="group" aria-label="Days">
          {DAYS.map((day) => (
            <Chip key={day} value={day} size="xs" disabled={disabled}>
              {day}
            </Chip>
          ))}
        </Group>
      </Chip.Group>
      {error && <Input.Error>{error}</Input.Error>}
    </Stack>
  )
}
