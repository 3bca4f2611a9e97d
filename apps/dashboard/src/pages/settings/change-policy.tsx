import { Alert, Button, Group, NumberInput, Select, Stack, Table, Text } from '@mantine/core'
import { useState } from 'react'
import { useMay } from '../../api/session.tsx'
import type { Schema } from '../../api/types.ts'
import { useAction, useApi } from '../../api/use-api.ts'
import { Curl } from '../../parts/curl.tsx'
import { LeaveGuard } from '../../parts/frame/leave-guard.tsx'
import { Loaded, Section } from '../../parts/frame/page.tsx'
import { Time } from '../../parts/values.tsx'
import { APPROVALS_MAX, type ChangeRules, coolingOffChoices, isSame, KINDS } from './change-rules.ts'

const PATH = '/api/core/change-policy'

/** Which changes of the configuration need a second person, and how long they wait after that. */
export function ChangePolicy() {
  const policy = useApi<Schema<'ChangePolicy'>>(PATH)
  return (
    <Section title="Change policy">
      <Loaded query={policy} height={480}>
        {(current) => <Rules current={current} />}
      </Loaded>
    </Section>
  )
}

function Rules({ current }: { readonly current: Schema<'ChangePolicy'> }) {
  const may = useMay()
  const [base, setBase] = useState(current)
  const [rules, setRules] = useState<ChangeRules>(current.rules)
  const take = () => {
    setBase(current)
    setRules(current.rules)
  }
  // What waits for approval is kept as a request, no longer on this page only.
  const save = useAction('Change policy saved.', undefined, take)
  const isOld = current.version !== base.version
  if (isOld && (isSame(rules, base.rules) || isSame(rules, current.rules))) take()
  const isChanged = !isSame(rules, base.rules)
  const set = (kind: keyof ChangeRules, next: Partial<Schema<'ChangeRule'>>) =>
    setRules((previous) => ({ ...previous, [kind]: { ...previous[kind], ...next } }))
  const body = { rules, basedOnVersion: base.version }
  return (
    <Stack>
      <Text size="sm" c="dimmed">
        {current.version === 0 ? (
          'Nobody has set it: every change takes effect at once.'
        ) : (
          <>
            Version {current.version}, set <Time iso={current.updatedAt} />
            {current.updatedBy && ` by ${current.updatedBy.email}`}. A change of it needs the most approvals and the
            longest wait of all.
          </>
        )}
      </Text>
      <LeaveGuard when={isChanged && may.own} within={['tab']}>
        The rules that you entered are on this page only, and would be lost.
      </LeaveGuard>
      {!may.own && <Text size="sm">Only owners change it.</Text>}
      {isOld && (
        <Alert color="yellow" title={`Version ${current.version} came into force while you were editing`}>
          <Group gap="xs">
            <Button size="xs" onClick={() => setBase(current)}>
              Keep what I entered
            </Button>
            <Button size="xs" variant="default" onClick={take}>
              Take theirs
            </Button>
          </Group>
        </Alert>
      )}
      <Table.ScrollContainer
        className="flush"
        minWidth={0}
        type="native"
        tabIndex={0}
        role="region"
        aria-label="Change policy"
      >
        <Table aria-label="Change policy" verticalSpacing="xs">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Changes of</Table.Th>
              <Table.Th>Approvals</Table.Th>
              <Table.Th>Cooling-off</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {KINDS.map(({ kind, title, about }) => (
              <Table.Tr key={kind}>
                <Table.Td>
                  <Text size="sm" fw={500}>
                    {title}
                  </Text>
                  <Text size="xs" c="dimmed" visibleFrom="sm">
                    {about}
                  </Text>
                </Table.Td>
                <Table.Td>
                  <NumberInput
                    aria-label={`Approvals for changes of ${title.toLowerCase()}`}
                    size="xs"
                    w={{ base: 56, sm: 70 }}
                    min={0}
                    max={APPROVALS_MAX}
                    allowDecimal={false}
                    clampBehavior="strict"
                    disabled={!may.own}
                    value={rules[kind].requiredApprovals}
                    onChange={(value) => set(kind, { requiredApprovals: Number(value) || 0 })}
                  />
                </Table.Td>
                <Table.Td>
                  <Select
                    aria-label={`Cooling-off period for changes of ${title.toLowerCase()}`}
                    size="xs"
                    w={{ base: 96, sm: 130 }}
                    disabled={!may.own}
                    data={coolingOffChoices(rules[kind].coolingOffSeconds)}
                    value={String(rules[kind].coolingOffSeconds)}
                    onChange={(value) => value !== null && set(kind, { coolingOffSeconds: Number(value) })}
                    allowDeselect={false}
                  />
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      {may.own && (
        <Group justify="flex-end" gap="xs">
          <Curl method="PUT" path={PATH} body={body} />
          <Button variant="default" disabled={!isChanged} onClick={take}>
            Undo
          </Button>
          <Button
            disabled={!isChanged || isOld}
            loading={save.isPending}
            onClick={() => save.mutate({ method: 'PUT', path: PATH, body })}
          >
            Save
          </Button>
        </Group>
      )}
    </Stack>
  )
}
