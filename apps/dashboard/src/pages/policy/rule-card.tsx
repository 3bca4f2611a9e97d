import { Button, Card, Group, Select, Stack, Text, TextInput } from '@mantine/core'
import { useMay } from '../../api/session.tsx'
import { ConditionField } from './condition-field.tsx'
import { begun, CONDITION_NAMES, CONDITIONS, type ConditionName, type When } from './conditions.ts'
import type { Rule } from './draft.ts'

interface Props {
  readonly rule: Rule
  readonly at: number
  readonly isLast: boolean
  /** Of another rule: the service takes each name once. */
  readonly isTaken: boolean
  readonly onChange: (next: Partial<Rule>) => void
  readonly onMove: (by: 1 | -1) => void
  readonly onRemove: () => void
}

/** One rule: its conditions, all of which must hold, and what it decides. */
export function RuleCard({ rule, at, isLast, isTaken, onChange, onMove, onRemove }: Props) {
  const may = useMay()
  const disabled = !may.administer
  const held = CONDITION_NAMES.filter((name) => rule.when[name] !== undefined)
  const set = (next: When) => onChange({ when: { ...rule.when, ...next } })
  const remove = (name: ConditionName) => {
    const { [name]: _, ...rest } = rule.when
    onChange({ when: rest })
  }
  return (
    <Card withBorder padding="sm" component="section" aria-label={`Rule ${at + 1}`}>
      <Stack gap="xs">
        <Group gap="xs" align="flex-start">
          <TextInput
            aria-label={`Name of rule ${at + 1}`}
            flex={1}
            miw={140}
            disabled={disabled}
            value={rule.name}
            error={rule.name.trim() === '' ? 'Enter a name' : isTaken ? 'Another rule has this name' : undefined}
            onChange={(event) => onChange({ name: event.currentTarget.value })}
          />
          <Select
            aria-label={`What rule ${at + 1} decides`}
            w={150}
            disabled={disabled}
            data={[
              { value: 'require_approval', label: 'ask' },
              { value: 'approve', label: 'let it proceed' },
              { value: 'reject', label: 'reject it' },
            ]}
            value={rule.then}
            onChange={(value) => value && onChange({ then: value as Rule['then'] })}
            allowDeselect={false}
          />
          {may.administer && (
            <Group gap={4} mt={6}>
              <Step name="Up" disabled={at === 0} label={`Up: move rule ${at + 1}`} onClick={() => onMove(-1)} />
              <Step name="Down" disabled={isLast} label={`Down: move rule ${at + 1}`} onClick={() => onMove(1)} />
              <Step name="Remove" label={`Remove rule ${at + 1}`} onClick={onRemove} />
            </Group>
          )}
        </Group>
        {held.length === 0 && (
          <Text size="sm" c="dimmed">
            Any operation.
          </Text>
        )}
        {held.map((name) => (
          <Group key={name} gap="xs" align="flex-start" className="condition">
            <Text size="sm" w={150} pt={8}>
              {CONDITIONS[name]}
            </Text>
            <div className="condition-field">
              <ConditionField name={name} when={rule.when} disabled={disabled} onChange={set} />
            </div>
            {may.administer && (
              <Button
                size="compact-xs"
                variant="subtle"
                color="gray"
                mt={8}
                aria-label={`× ${CONDITIONS[name]}, remove from rule ${at + 1}`}
                onClick={() => remove(name)}
              >
                ×
              </Button>
            )}
          </Group>
        ))}
        {may.administer && held.length < CONDITION_NAMES.length && (
          <Select
            aria-label={`Add a condition to rule ${at + 1}`}
            placeholder="Add a condition"
            size="xs"
            w={200}
            data={CONDITION_NAMES.filter((name) => !held.includes(name)).map((value) => ({
              value,
              label: CONDITIONS[value],
            }))}
            value={null}
            onChange={(value) => value && set(begun(value as ConditionName))}
          />
        )}
      </Stack>
    </Card>
  )
}

function Step({
  name,
  label,
  disabled = false,
  onClick,
}: {
  readonly name: string
  readonly label: string
  readonly disabled?: boolean
  readonly onClick: () => void
}) {
  return (
    <Button size="compact-xs" variant="default" disabled={disabled} aria-label={label} onClick={onClick}>
      {name}
    </Button>
  )
}
