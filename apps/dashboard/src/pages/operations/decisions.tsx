import { Group, Stack, Text } from '@mantine/core'
import type { Schema } from '../../api/types.ts'
import { Evidence } from '../../parts/decisions/evidence.tsx'
import { Status, Time } from '../../parts/values.tsx'

interface Props {
  readonly decisions: readonly Schema<'OperationDecision'>[]
  /** Whether the operation still waits for approval. */
  readonly waits: boolean
}

/** Who approved or rejected, when, why, and where the evidence is. */
export function Decisions({ decisions, waits }: Props) {
  if (decisions.length === 0) return null
  return (
    <Stack gap={6} component="ul" className="decisions" aria-label="Decisions">
      {decisions.map(({ userId, email, decision, at, signed, counts, reason, link, fileSha256 }) => (
        <li key={userId}>
          <Group gap={6}>
            <Status value={decision === 'approve' ? 'approved' : 'rejected'} />
            <Text size="sm">
              {email}, <Time iso={at} />
              {signed && ', signed with a passkey'}
            </Text>
          </Group>
          <Evidence reason={reason} link={link} fileSha256={fileSha256} />
          {waits && decision === 'approve' && !counts && (
            <Text size="sm" c="dimmed">
              Does not count now: the member may no longer approve this, or the signature is missing.
            </Text>
          )}
        </li>
      ))}
    </Stack>
  )
}
