import { Alert, Button, Code, Group, PasswordInput, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { ApiError, post } from '../../api/client.ts'
import { useSessionState } from '../../api/session.tsx'
import type { Schema } from '../../api/types.ts'
import { useAction, useApi } from '../../api/use-api.ts'
import { Loaded, Section } from '../../parts/page.tsx'
import { passkeyAttestation } from '../../parts/passkey.ts'
import { Time } from '../../parts/values.tsx'

const FACTORS = '/api/core/auth/factors'

export function Factors() {
  const { refresh } = useSessionState()
  const factors = useApi<Schema<'SecondFactors'>>(FACTORS)
  const [secret, setSecret] = useState<{ secret: string; uri: string }>()
  const [codes, setCodes] = useState<readonly string[]>()
  const [password, setPassword] = useState('')
  const [code, setCode] = useState('')
  const [problem, setProblem] = useState<string>()
  const remove = useAction('Removed.')
  const run = async (work: () => Promise<{ recoveryCodes?: readonly string[] | null } | undefined>) => {
    setProblem(undefined)
    try {
      const made = await work()
      if (made?.recoveryCodes) setCodes(made.recoveryCodes)
      if (made) {
        setSecret(undefined)
        setPassword('')
        if (!made.recoveryCodes) await refresh()
        else await factors.refetch()
      }
    } catch (error) {
      setProblem(error instanceof ApiError ? error.message : 'The browser made no passkey.')
    }
  }
  const mine = password === '' ? {} : { currentPassword: password }
  const begin = () =>
    run(async () => {
      setSecret(await post(`${FACTORS}/totp`, mine))
      return undefined
    })
  const passkey = () =>
    run(async () => {
      const attestation = await passkeyAttestation(await post(`${FACTORS}/passkeys/options`, mine))
      return post<{ recoveryCodes: readonly string[] | null }>(`${FACTORS}/passkeys`, {
        name: `Passkey of ${new Date().toISOString().slice(0, 10)}`,
        passkey: attestation,
      })
    })
  return (
    <Section title="Second factors">
      <Loaded query={factors} height={120}>
        {(list) => (
          <Stack gap="sm">
            {problem && (
              <Alert color="red" role="alert">
                {problem}
              </Alert>
            )}
            {codes && (
              <Alert color="teal" title="Your recovery codes">
                <Text size="sm">Each replaces a factor once. They are shown only now.</Text>
                <Code block tabIndex={0}>
                  {codes.join('\n')}
                </Code>
                <Button
                  mt="xs"
                  size="xs"
                  onClick={() => {
                    setCodes(undefined)
                    void refresh()
                  }}
                >
                  I have stored them
                </Button>
              </Alert>
            )}
            <Text size="sm">
              {list.totp === null && list.passkeys.length === 0
                ? 'You have none: your password alone opens your account.'
                : `${list.recoveryCodesLeft} recovery codes left.`}
            </Text>
            {list.totp && (
              <Group justify="space-between">
                <Text size="sm">
                  Authenticator app, since <Time iso={list.totp.since} />
                </Text>
                <Button
                  size="compact-xs"
                  variant="default"
                  onClick={() => remove.mutate({ method: 'DELETE', path: `${FACTORS}/totp` })}
                >
                  Remove the app
                </Button>
              </Group>
            )}
            {list.passkeys.map((each) => (
              <Group key={each.id} justify="space-between">
                <Text size="sm">
                  {each.name}, last used <Time iso={each.lastUsedAt} />
                </Text>
                <Button
                  size="compact-xs"
                  variant="default"
                  aria-label={`Remove ${each.name}`}
                  onClick={() => remove.mutate({ method: 'DELETE', path: `${FACTORS}/passkeys/${each.id}` })}
                >
                  Remove
                </Button>
              </Group>
            ))}
            {secret ? (
              <Stack gap="xs">
                <Text size="sm">Add this key to your app, then enter the first code.</Text>
                <Code block tabIndex={0}>
                  {secret.secret}
                </Code>
                <Group align="flex-end">
                  <TextInput
                    label="First code"
                    value={code}
                    onChange={(event) => setCode(event.currentTarget.value)}
                    inputMode="numeric"
                    autoComplete="one-time-code"
                  />
                  <Button onClick={() => void run(() => post(`${FACTORS}/totp/confirm`, { code: code.trim() }))}>
                    Confirm
                  </Button>
                </Group>
              </Stack>
            ) : (
              <Group align="flex-end">
                <PasswordInput
                  label="Your password"
                  description="Not needed within five minutes of signing in"
                  value={password}
                  onChange={(event) => setPassword(event.currentTarget.value)}
                  autoComplete="current-password"
                  w={300}
                  visibilityToggleButtonProps={{ 'aria-label': 'Show the password' }}
                />
                {list.totp === null && (
                  <Button variant="default" onClick={() => void begin()}>
                    Add an app
                  </Button>
                )}
                <Button variant="default" onClick={() => void passkey()}>
                  Add a passkey
                </Button>
              </Group>
            )}
          </Stack>
        )}
      </Loaded>
    </Section>
  )
}
