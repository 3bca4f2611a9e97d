import { Button, Group, Select, Stack, Text } from '@mantine/core'
import { useMay } from '../../api/session.tsx'
import type { PolicyContent, Rule } from './draft.ts'
import { RuleCard } from './rule-card.tsx'

interface Props {
  readonly draft: PolicyContent
  readonly onChange: (next: Partial<PolicyContent>) => void
}

/** The rules of a policy in their order, and what happens if none holds. */
export function Rules({ draft, onChange }: Props) {
  const may = useMay()
  const { rules } = draft
  const change = (at: number, next: Partial<Rule>) =>
    onChange({ rules: rules.map((rule, index) => (index === at ? { ...rule, ...next } : rule)) })
  const remove = (at: number) => onChange({ rules: rules.filter((_, index) => index !== at) })
  const move = (at: number, by: number) => {
    const moved = [...rules]
    const [rule] = moved.splice(at, 1)
    moved.splice(at + by, 0, rule!)
    onChange({ rules: moved })
  }
  const add = () =>
    onChange({
      rules: [...rules, { name: freeName(rules), when: { amountAtLeast: '10000.00' }, then: 'require_approval' }],
    })
  return (
    <Stack gap="sm">
      <Text size="sm" fw={600}>
        The first rule that holds decides
      </Text>
      {rules.map((rule, at) => (
        <RuleCard
          // biome-ignore lint/suspicious/noArrayIndexKey: the order is what a rule is known by.
          key={at}
          rule={rule}
          at={at}
          isLast={at === rules.length - 1}
          isTaken={rules.some(({ name }, index) => index < at && name === rule.name)}
          onChange={(next) => change(at, next)}
          onMove={(by) => move(at, by)}
          onRemove={() => remove(at)}
        />
      ))}
      <Group>
        {may.administer && (
          <Button variant="default" size="xs" onClick={add}>
            Add a rule
          </Button>
        )}
        <Select
          aria-label="Otherwise"
          w={240}
          size="xs"
          disabled={!may.administer}
          data={[
            { value: 'approve', label: 'Otherwise let it proceed' },
            { value: 'require_approval', label: 'Otherwise ask' },
          ]}
          value={draft.default}
          onChange={(value) => value && onChange({ default: value as PolicyContent['default'] })}
          allowDeselect={false}
        />
      </Group>
    </Stack>
  )
}

function freeName(rules: readonly Rule[]): string {
  for (let at = rules.length + 1; ; at += 1) {
    const name = `rule ${at}`
    if (!rules.some((rule) => rule.name === name)) return name
  }
}
