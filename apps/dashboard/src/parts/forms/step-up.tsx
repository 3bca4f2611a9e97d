import { Alert, Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { post } from '../../api/client.ts'
import { Modal } from '../dialogs.tsx'
import { LAYERS } from '../layers.ts'
import { passkeyAssertion, passkeyProblem } from './passkey.ts'

interface Props {
  /** The factors to choose from; `undefined` while nothing is asked. */
  readonly factors: readonly string[] | undefined
  readonly onClose: (verified: boolean) => void
}

/** Asks for a second factor where the service asks for one, then lets the request continue. */
export function StepUpDialog({ factors, onClose }: Props) {
  const [code, setCode] = useState('')
  const [problem, setProblem] = useState<string>()
  const [busy, setBusy] = useState(false)
  // The next change that asks begins without what was entered for this one.
  const close = (verified: boolean) => {
    setCode('')
    setProblem(undefined)
    onClose(verified)
  }
  const verify = async (factor: () => Promise<object>) => {
    setBusy(true)
    setProblem(undefined)
    try {
      await post('/api/core/auth/step-up', await factor(), { isSignIn: true })
      close(true)
    } catch (error) {
      setProblem(passkeyProblem(error))
    }
    setBusy(false)
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const digits = code.replaceAll(' ', '')
    void verify(async () => (/^\d{6}$/.test(digits) ? { totp: digits } : { recoveryCode: code.trim() }))
  }
  return (
    <Modal
      opened={factors !== undefined}
      onClose={() => close(false)}
      title="Verify that it is you"
      zIndex={LAYERS.stepUp}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <form onSubmit={submit}>
        <Stack>
          <Text size="sm">This change needs your second factor. It stays verified for a while.</Text>
          {problem && (
            <Alert color="red" role="alert">
              {problem}
            </Alert>
          )}
          {factors?.includes('passkey') && (
            <Button
              loading={busy}
              onClick={() =>
                void verify(async () => ({
                  passkey: await passkeyAssertion(await post('/api/core/auth/step-up/options')),
                }))
              }
            >
              Use a passkey
            </Button>
          )}
          <TextInput
            label={factors?.includes('totp') ? 'Code of your app, or a recovery code' : 'Recovery code'}
            value={code}
            onChange={(event) => setCode(event.currentTarget.value)}
            autoComplete="one-time-code"
            data-autofocus
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={() => close(false)}>
              Cancel
            </Button>
            <Button type="submit" loading={busy} disabled={code.trim() === ''}>
              Verify
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
