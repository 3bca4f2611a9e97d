import { Alert, Button, Checkbox, Group, NumberInput, SegmentedControl, Stack } from '@mantine/core'
import { useState } from 'react'
import { APPROVAL_POLICY } from '../../api/paths.ts'
import { useMay } from '../../api/session.tsx'
import { useAction } from '../../api/use-api.ts'
import { Curl } from '../../parts/curl.tsx'
import { Section } from '../../parts/page.tsx'
import { contentOf, differences, type PolicyContent, type Version } from './draft.ts'
import { DryRun } from './dry-run.tsx'
import { Rules } from './rules.tsx'

/** A draft beside what is in force: the difference, what it would have done, and only then the button. */
export function Editor({ current }: { readonly current: Version }) {
  const may = useMay()
  const [draft, setDraft] = useState<PolicyContent>(() => contentOf(current))
  const publish = useAction('The policy is in force.')
  const set = (next: Partial<PolicyContent>) => setDraft((previous) => ({ ...previous, ...next }))
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
            label="Requesters may approve their own"
            disabled={disabled}
            checked={draft.requesterMayApprove}
            onChange={(event) => set({ requesterMayApprove: event.currentTarget.checked })}
            mb={8}
          />
        </Group>
        {draft.mode === 'conditional' && <Rules draft={draft} onChange={set} />}
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
            <Curl method="PUT" path={APPROVAL_POLICY} body={draft} />
            <Button variant="default" disabled={difference.length === 0} onClick={() => setDraft(contentOf(current))}>
              Discard the draft
            </Button>
            <Button
              disabled={difference.length === 0}
              loading={publish.isPending}
              onClick={() => publish.mutate({ method: 'PUT', path: APPROVAL_POLICY, body: draft })}
            >
              Publish
            </Button>
          </Group>
        )}
      </Stack>
    </Section>
  )
}
