import { Text } from '@mantine/core'
import { MEMBERS } from '../../api/paths.ts'
import type { Schema } from '../../api/types.ts'
import { FormDialog } from '../../parts/forms/form-dialog.tsx'

/** For a lost device: the member signs in again, and keeps everything else. */
export function EndSessions({ member, onClose }: { readonly member: Schema<'Member'>; readonly onClose: () => void }) {
  return (
    <FormDialog
      title={`End the sessions of ${member.email}?`}
      action={{ method: 'DELETE', path: `${MEMBERS}/${member.id}/sessions` }}
      submit="End them"
      done="Sessions ended."
      onClose={onClose}
    >
      <Text size="sm">
        They are signed out of every browser and program at once. They can sign in again, and their keys keep working.
      </Text>
    </FormDialog>
  )
}
