import { Group, Switch, Text, TextInput } from '@mantine/core'

interface Props {
  readonly label: string
  readonly description: string
  /** What the field holds when somebody switches the breaker on. */
  readonly suggestion: string
  /** A percentage as text; null: off. */
  readonly value: string | null
  readonly onChange: (value: string | null) => void
}

/** A percentage that the service takes: 0 to 100, with two places at most. */
export const isShare = (text: string): boolean => /^(?:\d{1,2}(?:\.\d{1,2})?|100(?:\.0{1,2})?)$/.test(text)

/** A breaker with a threshold: off, or on above or below it. */
export function Threshold({ label, description, suggestion, value, onChange }: Props) {
  return (
    <Group justify="space-between" align="flex-start" gap="xs" wrap="nowrap">
      <Switch
        label={label}
        description={description}
        checked={value !== null}
        onChange={(event) => onChange(event.currentTarget.checked ? suggestion : null)}
      />
      <TextInput
        aria-label={`Threshold: ${label}`}
        value={value ?? ''}
        placeholder="off"
        disabled={value === null}
        error={value !== null && !isShare(value) ? 'Enter a percentage such as 2.50' : undefined}
        onChange={(event) => onChange(event.currentTarget.value.trim())}
        inputMode="decimal"
        rightSection={
          <Text size="xs" c="dimmed">
            %
          </Text>
        }
        w={{ base: 104, sm: 160 }}
        style={{ flexShrink: 0 }}
      />
    </Group>
  )
}
