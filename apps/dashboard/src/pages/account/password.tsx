import { Alert, Button, Group, PasswordInput, Stack } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { ApiError, post } from '../../api/client.ts'
import { useSessionState } from '../../api/session.tsx'
import { Section } from '../../parts/frame/page.tsx'

export function Password() {
  const { refresh } = useSessionState()
  const [problem, setProblem] = useState<string>()
  const [done, setDone] = useState(false)
  const [busy, setBusy] = useState(false)
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const { currentPassword, newPassword } = Object.fromEntries(new FormData(form))
    setProblem(undefined)
    setDone(false)
    setBusy(true)
    try {
      await post('/api/core/auth/password', { currentPassword, newPassword })
      form.reset()
      setDone(true)
      await refresh()
    } catch (error) {
      setProblem(error instanceof ApiError ? error.message : 'The service does not respond.')
    }
    setBusy(false)
  }
  const eye = { visibilityToggleButtonProps: { 'aria-label': 'Show the password' } }
  return (
    <Section title="Password">
      <form onSubmit={(event) => void submit(event)}>
        <Stack gap="sm">
          {problem && (
            <Alert color="red" role="alert">
              {problem}
            </Alert>
          )}
          {done && (
            <Alert color="teal" role="status">
              Your password is set, and your other sessions have ended.
            </Alert>
          )}
          <Group align="flex-end">
            <PasswordInput
              name="currentPassword"
              label="Current password"
              required
              autoComplete="current-password"
              w={240}
              {...eye}
            />
            <PasswordInput
              name="newPassword"
              label="New password"
              placeholder="Twelve characters or more"
              required
              minLength={12}
              autoComplete="new-password"
              w={300}
              {...eye}
            />
            <Button type="submit" variant="default" loading={busy}>
              Change
            </Button>
          </Group>
        </Stack>
      </form>
    </Section>
  )
}
