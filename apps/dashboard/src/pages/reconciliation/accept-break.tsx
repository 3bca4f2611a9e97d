import { Text, Textarea } from '@mantine/core'
import { useState } from 'react'
import { FormDialog } from '../../parts/forms/form-dialog.tsx'

/** Records why a difference is known; it moves no money and changes no balance. */
export function AcceptBreak({ path, onClose }: { readonly path: string; readonly onClose: () => void }) {
  const [reason, setReason] = useState('')
  return (
    <FormDialog
      title="Accept this difference?"
      action={{ method: 'POST', path, body: { reason } }}
      submit="Accept"
      done="Break accepted."
      ready={reason.trim() !== ''}
      onClose={onClose}
    >
      <Text size="sm">
        An accepted break no longer counts as open. It changes no balance, and opens again if the difference grows.
      </Text>
      <Textarea
        label="Reason"
        description="Auditors read it; it cannot be changed later."
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
        maxLength={1_000}
        autosize
        minRows={2}
        required
        data-autofocus
      />
    </FormDialog>
  )
}
