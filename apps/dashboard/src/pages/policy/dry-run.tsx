import { Alert, Button, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { type ApiError, send } from '../../api/client.ts'
import { APPROVAL_POLICY } from '../../api/paths.ts'
import type { Data, Schema } from '../../api/types.ts'
import { columnsFor } from '../../parts/columns.tsx'
import { paged } from '../../parts/data-table.tsx'
import { SmallTable } from '../../parts/small-table.tsx'
import { words } from '../../parts/values.tsx'
import type { PolicyContent } from './draft.ts'

const DRY_RUN_OPERATIONS = 25
const MONTH_MS = 30 * 86_400_000

interface Verdict {
  readonly operation: Schema<'OperationHistoryItem'>
  readonly outcome: string
  readonly explanation: string
}

const { money, shown, text } = columnsFor<Verdict>()
const columns = [
  shown(
    'Operation',
    ({ operation }) => `${words(operation.type)} #${operation.id}`,
    ({ operation }) => operation.id,
  ),
  money(
    'Amount',
    ({ operation }) => operation.amount,
    ({ operation }) => operation.token,
  ),
  text('The draft says', ({ outcome }) => words(outcome)),
  text('Because', 'explanation', { wide: true }),
]

/** What the draft would have said to last month's operations. It changes nothing. */
export function DryRun({ draft }: { readonly draft: PolicyContent }) {
  const [verdicts, setVerdicts] = useState<readonly Verdict[]>()
  const [problem, setProblem] = useState<string>()
  const [busy, setBusy] = useState(false)
  const run = async () => {
    setBusy(true)
    setProblem(undefined)
    try {
      const { data } = await send<Data<'getOperationHistory'>>(
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
        const answer = await send<Data<'evaluateApprovalPolicy'>>('POST', `${APPROVAL_POLICY}/evaluate`, { body })
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
        <SmallTable label="Dry run" rows={verdicts} columns={columns} id={({ operation }) => operation.id} />
      )}
    </Stack>
  )
}
