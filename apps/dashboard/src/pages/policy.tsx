import {
  Alert,
  Button,
  Checkbox,
  Group,
  NumberInput,
  SegmentedControl,
  Select,
  SimpleGrid,
  Stack,
  Table,
  Text,
  TextInput,
} from '@mantine/core'
import { useState } from 'react'
import { type ApiError, send } from '../api/client.ts'
import { useMay } from '../api/session.tsx'
import type { OperationItem } from '../api/types.ts'
import { useAction, useApi } from '../api/use-api.ts'
import { Curl } from '../parts/curl.tsx'
import { DataTable, paged } from '../parts/data-table.tsx'
import { Empty, Loaded, Page, Section } from '../parts/page.tsx'
import { Money, Time, words } from '../parts/values.tsx'

const PATH = '/api/core/approval-policy'
const DRY_RUN_OPERATIONS = 25
const MONTH_MS = 30 * 86_400_000

type Then = 'require_approval' | 'approve' | 'reject'
interface Rule {
  readonly name: string
  readonly when: { readonly amountAtLeast?: string; readonly types?: readonly string[] } & Readonly<
    Record<string, unknown>
  >
  readonly then: Then
}
interface Policy {
  readonly mode: 'automatic' | 'manual' | 'conditional'
  readonly rules: readonly Rule[]
  readonly default: 'require_approval' | 'approve'
  readonly requiredApprovals: number
  readonly requesterMayApprove: boolean
}
interface Version extends Policy {
  readonly version: number
  readonly updatedAt: string | null
  readonly updatedBy: { readonly id: number; readonly email: string; readonly name: string | null } | null
}

export function Policy() {
  const policy = useApi<Version>(PATH)
  const history = useApi<{ changes: Version[]; pagination: { total: number } }>(paged(`${PATH}/history`, 0))
  return (
    <Page title="Approval policy" description="Which operations need how many people before the agent may sign">
      <Loaded query={policy} height={420}>
        {(current) => <Editor key={current.version} current={current} />}
      </Loaded>
      <Section title="Versions" pad={false}>
        <DataTable
          label="Versions"
          path={`${PATH}/history`}
          query={history}
          rows={({ changes, pagination }) => ({ items: changes, total: pagination.total })}
          id={({ version }) => version}
          columns={[
            { title: 'Version', cell: ({ version }) => version, csv: ({ version }) => version },
            { title: 'Mode', cell: ({ mode }) => words(mode), csv: ({ mode }) => mode },
            { title: 'Rules', right: true, cell: ({ rules }) => rules.length, csv: ({ rules }) => rules.length },
            {
              title: 'Approvals',
              right: true,
              wide: true,
              cell: ({ requiredApprovals }) => requiredApprovals,
              csv: ({ requiredApprovals }) => requiredApprovals,
            },
            {
              title: 'By',
              wide: true,
              cell: ({ updatedBy }) => updatedBy?.email ?? '–',
              csv: ({ updatedBy }) => updatedBy?.email ?? '',
            },
            {
              title: 'Since',
              right: true,
              cell: ({ updatedAt }) => <Time iso={updatedAt} />,
              csv: ({ updatedAt }) => updatedAt,
            },
          ]}
          empty={
            <Empty title="The first version is in force">Every operation proceeds until somebody sets a policy.</Empty>
          }
        />
      </Section>
    </Page>
  )
}

const contentOf = ({ mode, rules, default: otherwise, requiredApprovals, requesterMayApprove }: Policy): Policy => ({
  mode,
  rules,
  default: otherwise,
  requiredApprovals,
  requesterMayApprove,
})

/** A draft beside what is in force: the difference, what it would have done, and only then the button. */
function Editor({ current }: { readonly current: Version }) {
  const may = useMay()
  const [draft, setDraft] = useState<Policy>(() => contentOf(current))
  const publish = useAction('The policy is in force.')
  const set = (next: Partial<Policy>) => setDraft((previous) => ({ ...previous, ...next }))
  const setRule = (at: number, next: Partial<Rule>) =>
    set({ rules: draft.rules.map((rule, index) => (index === at ? { ...rule, ...next } : rule)) })
  const move = (at: number, by: number) => {
    const rules = [...draft.rules]
    const [rule] = rules.splice(at, 1)
    rules.splice(at + by, 0, rule!)
    set({ rules })
  }
  const difference = differences(contentOf(current), draft)
  const disabled = !may.administer
  return (
    <Section title={`Version ${current.version}${difference.length > 0 ? ', and your draft' : ''}`}>
      <Stack>
        <Group align="flex-end" gap="lg">
          <SegmentedControl
            aria-label="Mode"
            disabled={disabled}
            data={[
              { value: 'automatic', label: 'Automatic' },
              { value: 'conditional', label: 'By rules' },
              { value: 'manual', label: 'Always ask' },
            ]}
            value={draft.mode}
            onChange={(mode) => set({ mode: mode as Policy['mode'] })}
          />
          <NumberInput
            label="Approvals required"
            min={1}
            max={5}
            allowDecimal={false}
            w={160}
            disabled={disabled}
            value={draft.requiredApprovals}
            onChange={(value) => set({ requiredApprovals: Number(value) || 1 })}
          />
          <Checkbox
            label="Requesters may approve their own"
            disabled={disabled}
            checked={draft.requesterMayApprove}
            onChange={(event) => set({ requesterMayApprove: event.currentTarget.checked })}
            mb={8}
          />
        </Group>
        {draft.mode === 'conditional' && (
          <Stack gap="sm">
            <Text size="sm" fw={600}>
              The first rule that holds decides
            </Text>
            {draft.rules.map((rule, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the order is what a rule is known by.
              <SimpleGrid key={at} cols={{ base: 1, sm: 4 }} spacing="xs" style={{ alignItems: 'end' }}>
                <TextInput
                  label={`Rule ${at + 1}`}
                  disabled={disabled}
                  value={rule.name}
                  onChange={(event) => setRule(at, { name: event.currentTarget.value })}
                />
                <TextInput
                  label="From this amount"
                  disabled={disabled}
                  inputMode="decimal"
                  placeholder="any"
                  value={rule.when.amountAtLeast ?? ''}
                  onChange={(event) => setRule(at, { when: withAmount(rule.when, event.currentTarget.value) })}
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
                  onChange={(value) => value && setRule(at, { then: value as Then })}
                  allowDeselect={false}
                />
                {may.administer && (
                  <Group gap={4} pb={4}>
                    <Button
                      size="compact-xs"
                      variant="default"
                      disabled={at === 0}
                      aria-label={`Move rule ${at + 1} up`}
                      onClick={() => move(at, -1)}
                    >
                      Up
                    </Button>
                    <Button
                      size="compact-xs"
                      variant="default"
                      disabled={at === draft.rules.length - 1}
                      aria-label={`Move rule ${at + 1} down`}
                      onClick={() => move(at, 1)}
                    >
                      Down
                    </Button>
                    <Button
                      size="compact-xs"
                      variant="default"
                      color="red.9"
                      aria-label={`Remove rule ${at + 1}`}
                      onClick={() => set({ rules: draft.rules.filter((_, index) => index !== at) })}
                    >
                      Remove
                    </Button>
                  </Group>
                )}
              </SimpleGrid>
            ))}
            <Group>
              {may.administer && (
                <Button
                  variant="default"
                  size="xs"
                  onClick={() =>
                    set({
                      rules: [
                        ...draft.rules,
                        {
                          name: `rule ${draft.rules.length + 1}`,
                          when: { amountAtLeast: '10000.00' },
                          then: 'require_approval',
                        },
                      ],
                    })
                  }
                >
                  Add a rule
                </Button>
              )}
              <Select
                aria-label="Otherwise"
                w={240}
                size="xs"
                disabled={disabled}
                data={[
                  { value: 'approve', label: 'Otherwise let it proceed' },
                  { value: 'require_approval', label: 'Otherwise ask' },
                ]}
                value={draft.default}
                onChange={(value) => value && set({ default: value as Policy['default'] })}
                allowDeselect={false}
              />
            </Group>
          </Stack>
        )}
        {difference.length > 0 && (
          <Alert title="Difference to what is in force" color="yellow">
            <ul>
              {difference.map((line) => (
                <li key={line}>{line}</li>
              ))}
            </ul>
          </Alert>
        )}
        <DryRun draft={draft} />
        {may.administer && (
          <Group justify="flex-end">
            <Curl method="PUT" path={PATH} body={draft} />
            <Button variant="default" disabled={difference.length === 0} onClick={() => setDraft(contentOf(current))}>
              Discard the draft
            </Button>
            <Button
              disabled={difference.length === 0}
              loading={publish.isPending}
              onClick={() => publish.mutate({ method: 'PUT', path: PATH, body: draft })}
            >
              Publish
            </Button>
          </Group>
        )}
      </Stack>
    </Section>
  )
}

function withAmount(when: Rule['when'], amount: string): Rule['when'] {
  const { amountAtLeast: _, ...rest } = when
  return amount === '' ? rest : { ...rest, amountAtLeast: amount }
}

function otherConditions({ when }: Rule): string {
  const others = Object.entries(when)
    .filter(([name]) => name !== 'amountAtLeast')
    .map(
      ([name, value]) =>
        `${words(name.replaceAll(/([A-Z])/g, ' $1')).toLowerCase()}: ${Array.isArray(value) ? value.join(', ') : JSON.stringify(value)}`,
    )
  return others.length > 0 ? `and ${others.join('; ')}` : 'of any operation'
}

function differences(before: Policy, after: Policy): string[] {
  const lines: string[] = []
  if (before.mode !== after.mode) lines.push(`Mode: ${before.mode} → ${after.mode}`)
  if (before.requiredApprovals !== after.requiredApprovals)
    lines.push(`Approvals required: ${before.requiredApprovals} → ${after.requiredApprovals}`)
  if (before.requesterMayApprove !== after.requesterMayApprove)
    lines.push(
      `Requesters may approve their own: ${before.requesterMayApprove ? 'yes' : 'no'} → ${after.requesterMayApprove ? 'yes' : 'no'}`,
    )
  if (before.default !== after.default) lines.push(`Otherwise: ${words(before.default)} → ${words(after.default)}`)
  for (let at = 0; at < Math.max(before.rules.length, after.rules.length); at += 1) {
    const [old, next] = [before.rules[at], after.rules[at]]
    if (JSON.stringify(old) !== JSON.stringify(next))
      lines.push(`Rule ${at + 1}: ${old ? sentence(old) : 'none'} → ${next ? sentence(next) : 'none'}`)
  }
  return lines
}

const sentence = ({ name, when, then }: Rule) =>
  `“${name}” ${when.amountAtLeast ? `from ${when.amountAtLeast} ` : ''}${words(then).toLowerCase()}`

interface Verdict {
  readonly operation: OperationItem
  readonly outcome: string
  readonly explanation: string
}

/** What the draft would have said to last month's operations. It changes nothing. */
function DryRun({ draft }: { readonly draft: Policy }) {
  const [verdicts, setVerdicts] = useState<readonly Verdict[]>()
  const [problem, setProblem] = useState<string>()
  const [busy, setBusy] = useState(false)
  const run = async () => {
    setBusy(true)
    setProblem(undefined)
    try {
      const { data } = await send<{ items: OperationItem[] }>(
        'GET',
        paged('/api/core/operations/history', 0, DRY_RUN_OPERATIONS),
      )
      const recent = data.items.filter(
        ({ createdAt, opWalletId }) => opWalletId !== null && Date.parse(createdAt) > Date.now() - MONTH_MS,
      )
      const found: Verdict[] = []
      for (const operation of recent) {
        const body = {
          type: operation.type,
          amount: operation.amount,
          opWalletId: operation.opWalletId,
          at: operation.createdAt,
          policy: draft,
        }
        const answer = await send<{ outcome: string; explanation: string }>('POST', `${PATH}/evaluate`, { body })
        found.push({ operation, outcome: answer.data.outcome, explanation: answer.data.explanation })
      }
      setVerdicts(found)
    } catch (error) {
      setProblem((error as ApiError).message)
    }
    setBusy(false)
  }
  return (
    <Stack gap="xs" align="flex-start">
      <Button variant="default" size="xs" loading={busy} onClick={() => void run()}>
        Try it on last month's operations
      </Button>
      {problem && <Alert color="red">{problem}</Alert>}
      {verdicts?.length === 0 && (
        <Text size="sm" c="dimmed">
          No operation of an operational wallet in the last 30 days.
        </Text>
      )}
      {verdicts && verdicts.length > 0 && (
        <Table aria-label="Dry run">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Operation</Table.Th>
              <Table.Th ta="right">Amount</Table.Th>
              <Table.Th>The draft says</Table.Th>
              <Table.Th visibleFrom="sm">Because</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {verdicts.map(({ operation, outcome, explanation }) => (
              <Table.Tr key={operation.id}>
                <Table.Td>
                  {words(operation.type)} #{operation.id}
                </Table.Td>
                <Table.Td ta="right">
                  <Money amount={operation.amount} token={operation.token} />
                </Table.Td>
                <Table.Td>{words(outcome)}</Table.Td>
                <Table.Td visibleFrom="sm">{explanation}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
    </Stack>
  )
}
