import { Alert, Anchor, TextInput } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { FormDialog } from '../../parts/forms/form-dialog.tsx'
import { useAddressProved } from '../account/address-proof.tsx'
import { INVITATIONS } from './invitations.tsx'
import { RoleSelect } from './roles.tsx'

export function Invite({ onClose }: { readonly onClose: () => void }) {
  const [email, setEmail] = useState('')
  const [role, setRole] = useState('viewer')
  const isProved = useAddressProved()
  return (
    <FormDialog
      title="Invite a member"
      action={{ method: 'POST', path: INVITATIONS, body: { email, role } }}
      submit="Send the invitation"
      done="Invitation sent. In the sandbox, the email is in the mailbox on the Sandbox page."
      ready={email !== ''}
      onClose={onClose}
    >
      {isProved === false && (
        <Alert color="yellow">
          To invite members, prove your own address first:{' '}
          <Anchor component={Link} to={'/app/account' as never}>
            your account
          </Anchor>{' '}
          sends you the link.
        </Alert>
      )}
      <TextInput
        label="Email address"
        type="email"
        required
        value={email}
        onChange={(event) => setEmail(event.currentTarget.value)}
      />
      <RoleSelect value={role} onChange={setRole} />
    </FormDialog>
  )
}
