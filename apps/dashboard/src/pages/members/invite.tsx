import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { INVITATIONS } from './invitations.tsx'
import { RoleSelect } from './roles.tsx'

export function Invite({ onClose }: { readonly onClose: () => void }) {
  const [email, setEmail] = useState('')
  const [role, setRole] = useState('viewer')
  return (
    <FormDialog
      title="Invite a member"
      action={{ method: 'POST', path: INVITATIONS, body: { email, role } }}
      submit="Send the invitation"
      done="A mail is on its way. In the sandbox it is in the mailbox on the Sandbox page."
      ready={email !== ''}
      onClose={onClose}
    >
      <TextInput
        label="E-mail address"
        type="email"
        required
        value={email}
        onChange={(event) => setEmail(event.currentTarget.value)}
      />
      <RoleSelect value={role} onChange={setRole} />
    </FormDialog>
  )
}
