import { Alert, Anchor, Button, Code, Group, Stack, Text, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { ApiError, post } from '../../api/client.ts'
import type { Data } from '../../api/types.ts'
import { Modal } from '../../parts/dialogs.tsx'
import { FACTORS, type FactorMade } from './factor-made.ts'
import { OwnPassword, ownPassword } from './own-password.tsx'

interface Props {
  readonly onClose: () => void
  readonly onMade: (made: FactorMade) => void
}

/** Adds an authenticator app: its key, then the first code, which proves that the app has it. */
export function AddApp({ onClose, onMade }: Props) {
  const [password, setPassword] = useState('')
  const [secret, setSecret] = useState<Data<'beginTotp'>>()
  const [code, setCode] = useState('')
  const [problem, setProblem] = useState<string>()
  const [busy, setBusy] = useState(false)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setBusy(true)
    setProblem(undefined)
    try {
      if (secret === undefined) setSecret(await post(`${FACTORS}/totp`, ownPassword(password)))
      else onMade(await post<Data<'confirmTotp'>>(`${FACTORS}/totp/confirm`, { code: code.replaceAll(' ', '') }))
    } catch (error) {
      setProblem(error instanceof ApiError ? error.message : 'The service does not respond.')
    }
    setBusy(false)
  }
  return (
    <Modal opened onClose={onClose} title="Add an authenticator app">
      <form onSubmit={(event) => void submit(event)}>
        <Stack>
          {problem && (
            <Alert color="red" role="alert">
              {problem}
            </Alert>
          )}
          {secret === undefined ? (
            <OwnPassword value={password} onChange={setPassword} />
          ) : (
            <>
              <Text size="sm">
                Enter this key in your app, or{' '}
                <Anchor href={secret.uri} size="sm" underline="always">
                  open the app on this device
                </Anchor>
                . Then enter the code that the app shows.
              </Text>
              <Code block tabIndex={0} aria-label="Key for the app">
                {secret.secret}
              </Code>
              <TextInput
                label="First code"
                value={code}
                onChange={(event) => setCode(event.currentTarget.value)}
                inputMode="numeric"
                autoComplete="one-time-code"
                data-autofocus
              />
            </>
          )}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={busy} disabled={secret !== undefined && code.trim() === ''}>
              {secret === undefined ? 'Continue' : 'Confirm'}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
