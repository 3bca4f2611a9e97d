import { Alert, Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { post } from '../../api/client.ts'
import type { Data } from '../../api/types.ts'
import { Modal } from '../../parts/dialogs.tsx'
import { passkeyAttestation, passkeyProblem } from '../../parts/forms/passkey.ts'
import { FACTORS, type FactorMade } from './factor-made.ts'
import { OwnPassword, ownPassword } from './own-password.tsx'

interface Props {
  readonly onClose: () => void
  readonly onMade: (made: FactorMade) => void
}

/** Makes a passkey on this device or a security key. It signs in without a password and signs approvals. */
export function AddPasskey({ onClose, onMade }: Props) {
  const [name, setName] = useState(`Passkey of ${new Date().toISOString().slice(0, 10)}`)
  const [password, setPassword] = useState('')
  const [problem, setProblem] = useState<string>()
  const [busy, setBusy] = useState(false)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setBusy(true)
    setProblem(undefined)
    try {
      const options = await post<Data<'beginPasskey'>>(`${FACTORS}/passkeys/options`, ownPassword(password))
      const passkey = await passkeyAttestation(options)
      onMade(await post<Data<'addPasskey'>>(`${FACTORS}/passkeys`, { name: name.trim(), passkey }))
    } catch (error) {
      setProblem(passkeyProblem(error))
    }
    setBusy(false)
  }
  return (
    <Modal opened onClose={onClose} title="Add a passkey">
      <form onSubmit={(event) => void submit(event)}>
        <Stack>
          {problem && (
            <Alert color="red" role="alert">
              {problem}
            </Alert>
          )}
          <Text size="sm">
            It signs you in without a password, and signs approvals where your organization wants it.
          </Text>
          <TextInput
            label="Name"
            required
            maxLength={100}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <OwnPassword value={password} onChange={setPassword} />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={busy} disabled={name.trim() === ''}>
              Create the passkey
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
