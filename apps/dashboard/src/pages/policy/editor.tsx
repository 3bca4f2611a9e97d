import { Alert, Button, Checkbox, Group, NumberInput, SegmentedControl, Stack } from '@mantine/core'
import { useState } from 'react'
import { APPROVAL_POLICY } from '../../api/paths.ts'
import { useMay } from '../../api/session.tsx'
import { useAction } from '../../api/use-api.ts'
import { Curl } from '../../parts/curl.tsx'
import { LeaveGuard } from '../../parts/frame/leave-guard.tsx'
import { Section } from '../../parts/frame/page.tsx'
import { CONDITION_NAMES, isComplete } from './conditions.ts'
import { contentOf, differences, MODES, type PolicyContent, type Rule, type Version } from './draft.ts'
import { DryRun } from './dry-run.tsx'
import { Meanwhile } from './meanwhile.tsx'
import { Rules } from './rules.tsx'

const isSame = (a: PolicyContent, b: PolicyContent) => differences(a, b).length === 0

/** Whether the service would take the rules. */
const areReady = (rules: readonly Rule[]) =>
  rules.every(
    ({ name, when }, at) =>
      name.trim() !== '' &&
      !rules.some((other, index) => index < at && other.name === name) &&
      CONDITION_NAMES.every((condition) => when[condition] === undefined || isComplete(condition, when)),
  )

/** A draft beside what is in force: the difference, what it would have done, and only then the button. */
export function Editor({ current }: { readonly current: Version }) {
  const may = useMay()
  const [base, setBase] = useState(current)
  const [draft, setDraft] = useState(() => contentOf(current))
  const set = (next: Partial<PolicyContent>) => setDraft((previous) => ({ ...previous, ...next }))
  const take = () => {
    setBase(current)
    setDraft(contentOf(current))
  }
  // What waits for approval is kept as a request, no longer on this page only.
  const publish = useAction('Policy published.', undefined, take)
  const isOld = current.version !== base.version
  // Without a draft, or once it is in force, nobody has to decide.
  if (isOld && (isSame(contentOf(base), draft) || isSame(contentOf(current), draft))) take()
  const difference = differences(contentOf(base), draft)
  const disabled = !may.administer
  const isReady = areReady(draft.rules)
  const body = { ...draft, basedOnVersion: base.version }
  return (
    <Section title={`Version ${base.version}${difference.length > 0 ? ', and your draft' : ''}`}>
      <LeaveGuard when={difference.length > 0}>
        Your draft of the policy is on this page only, and would be lost.
      </LeaveGuard>
      <Stack>
        {isOld && <Meanwhile base={base} current={current} onTake={take} onKeep={() => setBase(current)} />}
        <Group align="flex-end" gap="lg">
          <SegmentedControl
            aria-label="Mode"
            disabled={disabled}
            data={Object.entries(MODES).map(([value, label]) => ({ value, label }))}
            value={draft.mode}
            onChange={(mode) => set({ mode: mode as PolicyContent['mode'] })}
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
            label="Requesters may approve their own operations"
            disabled={disabled}
            checked={draft.requesterMayApprove ?? false}
            onChange={(event) => set({ requesterMayApprove: event.currentTarget.checked })}
            mb={8}
          />
        </Group>
        {draft.mode === 'conditional' && <Rules draft={draft} onChange={set} />}
        {difference.length > 0 && (
          <Alert title="Changes from the policy in force" color="yellow">
            <ul>
              {difference.map((line) => (
                <li key={line}>{line}</li>
              ))}
            </ul>
          </Alert>
        )}
        <DryRun draft={draft} isReady={isReady} />
        {may.administer && (
          <Group justify="flex-end">
            <Curl method="PUT" path={APPROVAL_POLICY} body={body} />
            <Button variant="default" disabled={difference.length === 0} onClick={take}>
              Discard the draft
            </Button>
            <Button
              disabled={difference.length === 0 || isOld || !isReady}
              loading={publish.isPending}
              onClick={() => publish.mutate({ method: 'PUT', path: APPROVAL_POLICY, body })}
            >
              Publish
            </Button>
          </Group>
        )}
      </Stack>
    </Section>
  )
}
