import { Alert, Anchor, Button, Group, Select, Stack, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { type ApiError, send } from '../../api/client.ts'
import { APPROVAL_POLICY } from '../../api/paths.ts'
import type { Schema } from '../../api/types.ts'
import { counted } from '../../lib/text/counted.ts'
import { Curl } from '../../parts/curl.tsx'
import { columnsFor } from '../../parts/tables/columns.tsx'
import { SmallTable } from '../../parts/tables/small-table.tsx'
import { words } from '../../parts/values.tsx'
import type { PolicyContent } from './draft.ts'

type Result = Schema<'PolicyDryRun'>
type Change = Schema<'PolicyDryRunChange'>

const PERIODS = [7, 30, 90] as const

/** `Require approval (2)`: of some outcomes only the number of approvals changes. */
const decided = ({ outcome, requiredApprovals }: Change['tried']) =>
  requiredApprovals > 0 ? `${words(outcome)} (${requiredApprovals})` : words(outcome)

const { money, shown, text } = columnsFor<Change>()
const columns = [
  shown(
    'Operation',
    ({ operationId, type }) => (
      <Anchor component={Link} to={'/app/operations' as never} search={{ open: operationId } as never} size="sm">
        {`${words(type)} #${operationId}`}
      </Anchor>
    ),
    'operationId',
  ),
  money('Amount', 'amount', 'token'),
  text('In force', ({ inForce }) => decided(inForce), { wide: true }),
  text('The draft', ({ tried }) => decided(tried)),
  text('Because', ({ tried }) => tried.explanation, { wide: true }),
]

/** What the draft would have decided about the operations of the last days, in one request. It changes nothing. */
export function DryRun({ draft, isReady }: { readonly draft: PolicyContent; readonly isReady: boolean }) {
  const [days, setDays] = useState('30')
  const [run, setRun] = useState<{ readonly of: string; readonly result: Result }>()
  const [problem, setProblem] = useState<string>()
  const [busy, setBusy] = useState(false)
  const path = `${APPROVAL_POLICY}/dry-run`
  const body = { policy: draft, days: Number(days) }
  const asked = JSON.stringify(body)
  const start = async () => {
    setBusy(true)
    setProblem(undefined)
    try {
      setRun({ of: asked, result: (await send<Result>('POST', path, { body })).data })
    } catch (error) {
      setProblem((error as ApiError).message)
    }
    setBusy(false)
  }
  return (
    <Stack gap="xs" component="section" aria-label="Dry run" className="flush">
      <Group gap="xs">
        <Button variant="default" size="xs" loading={busy} disabled={!isReady} onClick={() => void start()}>
          Try it on past operations
        </Button>
        <Select
          aria-label="Period of the dry run"
          size="xs"
          w={130}
          data={PERIODS.map((each) => ({ value: String(each), label: `${each} days` }))}
          value={days}
          onChange={(value) => value && setDays(value)}
          allowDeselect={false}
        />
        <Curl method="POST" path={path} body={body} />
      </Group>
      {problem && (
        <Alert color="red" role="alert">
          {problem}
        </Alert>
      )}
      {/* A result of another draft would mislead. */}
      {run?.of === asked && <Outcome result={run.result} days={Number(days)} />}
    </Stack>
  )
}

function Outcome({ result, days }: { readonly result: Result; readonly days: number }) {
  const { operations, truncated, outcomes, changed, changes } = result
  if (operations === 0)
    return (
      <Text size="sm" c="dimmed" role="status">
        No operation of an operational wallet in the last {days} days.
      </Text>
    )
  return (
    <Stack gap="xs">
      <Text size="sm" role="status">
        {truncated ? `The newest ${operations}` : counted(operations, 'operation')} of the last {days} days
        {truncated && ' were checked; the period has more'}: {outcomes.approve} would proceed,{' '}
        {outcomes.require_approval} would need approval, {outcomes.reject} would be rejected.{' '}
        {changed === 0
          ? 'The policy in force decides all of them alike.'
          : `The policy in force decides ${changed} of them differently${changed > changes.length ? `; the newest ${changes.length} are` : ':'}`}
      </Text>
      {changes.length > 0 && (
        <SmallTable
          label={changed > changes.length ? `Dry run, the newest ${changes.length}` : 'Dry run'}
          rows={changes}
          columns={columns}
          id={({ operationId }) => operationId}
        />
      )}
    </Stack>
  )
}
