import { Button, Group, Select, Stack, Text, TextInput } from '@mantine/core'
import { isShare } from '../breakers/threshold.tsx'
import { type Cap, choicesOf, KINDS, type Listed } from './limits.ts'

interface Props {
  readonly caps: readonly Cap[]
  readonly listed: readonly Listed[]
  readonly onChange: (caps: Cap[]) => void
}

/** Caps on the share of everything that the organization holds, deployed or not. */
export function Caps({ caps, listed, onChange }: Props) {
  const change = (at: number, next: Partial<Cap>) =>
    onChange(caps.map((cap, index) => (index === at ? { ...cap, ...next } : cap)))
  return (
    <Stack gap="xs" component="section" aria-label="Caps">
      <Text size="sm" fw={600}>
        Maximum share of everything that you hold
      </Text>
      {caps.map((cap, at) => {
        const choices = choicesOf(cap.kind, listed)
        const known = choices.some(({ value }) => value === cap.of)
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: a cap is known by its place until it is saved.
          <Group key={at} gap="xs" align="flex-start">
            <Select
              aria-label={`Cap ${at + 1} counts`}
              data={Object.entries(KINDS).map(([value, label]) => ({ value, label }))}
              value={cap.kind}
              onChange={(kind) =>
                kind &&
                change(at, { kind: kind as Cap['kind'], of: choicesOf(kind as Cap['kind'], listed)[0]?.value ?? '' })
              }
              allowDeselect={false}
              w={130}
            />
            <Select
              aria-label={`Cap ${at + 1} is of`}
              data={known ? choices : [{ value: cap.of, label: cap.of }, ...choices]}
              value={cap.of}
              onChange={(of) => of && change(at, { of })}
              searchable
              allowDeselect={false}
              style={{ flex: '1 1 12rem' }}
            />
            <TextInput
              aria-label={`Share of cap ${at + 1}`}
              value={cap.maxShare}
              onChange={(event) => change(at, { maxShare: event.currentTarget.value.trim() })}
              error={isShare(cap.maxShare) ? undefined : 'Enter a percentage such as 25.00'}
              inputMode="decimal"
              rightSection={
                <Text size="xs" c="dimmed">
                  %
                </Text>
              }
              w={130}
            />
            <Button
              variant="subtle"
              color="gray"
              aria-label={`Remove cap ${at + 1}`}
              onClick={() => onChange(caps.filter((_, index) => index !== at))}
            >
              Remove
            </Button>
          </Group>
        )
      })}
      <Group>
        <Button
          variant="default"
          size="xs"
          disabled={listed.length === 0}
          onClick={() => onChange([...caps, { kind: 'protocol', of: listed[0]!.protocol, maxShare: '50' }])}
        >
          Add a cap
        </Button>
      </Group>
    </Stack>
  )
}
