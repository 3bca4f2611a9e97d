import { Text } from '@mantine/core'
import { useState } from 'react'
import { MEMBERS } from '../../api/paths.ts'
import type { Schema } from '../../api/types.ts'
import { FormDialog } from '../../parts/forms/form-dialog.tsx'
import { words } from '../../parts/values.tsx'
import { MAY, RoleSelect } from './roles.tsx'

export function ChangeRole({ member, onClose }: { readonly member: Schema<'Member'>; readonly onClose: () => void }) {
  const [role, setRole] = useState<string>(member.role)
  return (
    <FormDialog
      title={`Role of ${member.email}`}
      action={{ method: 'PATCH', path: `${MEMBERS}/${member.id}`, body: { role } }}
      submit="Change"
      done="Role changed. It applies from the next request."
      ready={role !== member.role}
      onClose={onClose}
    >
      <Text size="sm">
        Now {words(member.role).toLowerCase()}: {MAY[member.role]}.
      </Text>
      <RoleSelect value={role} onChange={setRole} />
    </FormDialog>
  )
}
