import { Button, Group, Select, SimpleGrid, TextInput } from '@mantine/core'
import { useMay } from '../../api/session.tsx'
import { otherConditions, type Rule, withAmount } from './draft.ts'

interface Props {
  readonly rule: Rule
  readonly at: number
  readonly isLast: boolean
  readonly onChange: (next: Partial<Rule>) => void
  readonly onMove: (by: 1 | -1) => void
  readonly onRemove: () => void
}

export function RuleRow({ rule, at, isLast, onChange, onMove, onRemove }: Props) {
  const may = useMay()
  const disabled = !may.administer
  return (
    <SimpleGrid cols={{ base: 1, sm: 4 }} spacing="xs" style={{ alignItems: 'start' }}>
      <TextInput
        label={`Rule ${at + 1}`}
        disabled={disabled}
        value={rule.name}
        onChange={(event) => onChange({ name: event.currentTarget.value })}
      />
      <TextInput
        label="From this amount"
        disabled={disabled}
        inputMode="decimal"
        placeholder="any"
        value={rule.when.amountAtLeast ?? ''}
        onChange={(event) => onChange({ when: withAmount(rule.when, event.currentTarget.value) })}
        description={otherConditions(rule)}
        inputWrapperOrder={['label', 'input', 'description']}
      />
      <Select
        label="Then"
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
        <Group gap={4} mt={{ sm: 32 }}>
          <Button
            size="compact-xs"
            variant="default"
            disabled={at === 0}
            aria-label={`Move rule ${at + 1} up`}
            onClick={() => onMove(-1)}
          >
            Up
          </Button>
          <Button
            size="compact-xs"
            variant="default"
            disabled={isLast}
            aria-label={`Move rule ${at + 1} down`}
            onClick={() => onMove(1)}
          >
            Down
          </Button>
          <Button
            size="compact-xs"
            variant="default"
            color="red.9"
            aria-label={`Remove rule ${at + 1}`}
            onClick={onRemove}
          >
            Remove
          </Button>
        </Group>
      )}
    </SimpleGrid>
  )
}
