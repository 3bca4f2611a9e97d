import {
  Alert,
  Anchor,
  Button,
  Card,
  Center,
  Divider,
  PasswordInput,
  Stack,
  Text,
  TextInput,
  Title,
} from '@mantine/core'
import { useDocumentTitle } from '@mantine/hooks'
import { type FormEvent, useEffect, useState } from 'react'
import { ApiError, post } from '../api/client.ts'
import { useSessionState } from '../api/session.tsx'
import type { Data, Schema } from '../api/types.ts'
import { passkeyAssertion, passkeyProblem } from '../parts/forms/passkey.ts'

/** As the service wrote it into the page: nobody is signed in whose session could say it. */
const isSandbox = () => document.querySelector<HTMLMetaElement>('meta[name=environment]')?.content === 'sandbox'

/** The session comes as a cookie that no script reads. */
const COOKIE = { headers: { 'x-weir-session': 'cookie' }, isSignIn: true } as const
/** Set when this tab starts a single sign-on: a code from a link that somebody else made is not redeemed. */
const SSO_MARK = 'weir.sso'

type Challenge = Schema<'SecondFactorChallenge'>

type Mode = 'password' | 'register' | 'sso' | 'reset'

export function SignIn({ ended }: { readonly ended: boolean }) {
  useDocumentTitle('Sign in · Weir')
  const { refresh } = useSessionState()
  const [mode, setMode] = useState<Mode>('password')
  const [problem, setProblem] = useState<string>()
  const [note, setNote] = useState<string>()
  const [busy, setBusy] = useState(false)
  const [challenge, setChallenge] = useState<Challenge>()

  const run = async (work: () => Promise<unknown>) => {
    setBusy(true)
    setProblem(undefined)
    setNote(undefined)
    try {
      await work()
    } catch (error) {
      if (error instanceof ApiError && error.reason === 'challenge_expired') setChallenge(undefined)
      setProblem(passkeyProblem(error))
    }
    setBusy(false)
  }
  const signIn = async (path: string, body: unknown) => {
    const answer = await post<Partial<Challenge>>(`/api/core/auth/${path}`, body, COOKIE)
    if (answer.secondFactorRequired) setChallenge(answer as Challenge)
    else if ('mail' in answer) setNote('Open the link in the email to confirm your address.')
    else await refresh()
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: the code in the address is redeemed once.
  useEffect(() => {
    const code = /^#sso=([0-9A-Za-z_-]{1,100})$/.exec(location.hash)?.[1]
    const startedAt = sessionStorage.getItem(SSO_MARK)
    if (code === undefined || startedAt === null) return
    sessionStorage.removeItem(SSO_MARK)
    history.replaceState(null, '', startedAt)
    void run(() => signIn('sso/token', { code }))
  }, [])

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const fields = Object.fromEntries(new FormData(event.currentTarget)) as Record<string, string>
    const { email = '', password = '', code = '' } = fields
    void run(async () => {
      if (challenge) {
        const digits = code.replaceAll(' ', '')
        const factor = /^\d{6}$/.test(digits) ? { totp: digits } : { recoveryCode: code.trim() }
        return signIn('second-factor', { challengeToken: challenge.challengeToken, ...factor })
      }
      if (mode === 'register')
        return signIn('register', {
          email,
          password,
          organizationName: fields.organizationName,
          ...(fields.invitation ? { invitation: fields.invitation } : {}),
        })
      if (mode === 'sso') {
        sessionStorage.setItem(SSO_MARK, location.pathname + location.search)
        location.href = `/api/core/auth/sso/start?email=${encodeURIComponent(email)}`
        return undefined
      }
      if (mode === 'reset') {
        await post('/api/core/auth/password-reset', { email }, { isSignIn: true })
        return setNote('If the address has an account, we sent it an email.')
      }
      return signIn('login', { email, password })
    })
  }
  const passkey = () =>
    run(async () => {
      if (challenge)
        return signIn('second-factor', {
          challengeToken: challenge.challengeToken,
          passkey: await passkeyAssertion(challenge.passkey!),
        })
      return signIn('passkey', {
        passkey: await passkeyAssertion(
          await post<Data<'beginPasskeySignIn'>>('/api/core/auth/passkey/options', {}, { isSignIn: true }),
        ),
      })
    })
  const title = challenge
    ? 'Second factor'
    : mode === 'register'
      ? 'Create an organization'
      : mode === 'reset'
        ? 'Reset your password'
        : 'Sign in to Weir'
  const asks = (next: Mode) => () => {
    setMode(next)
    setProblem(undefined)
    setNote(undefined)
  }
  return (
    <Center mih="100vh" p="md" component="main">
      <Card withBorder w="100%" maw={400} padding="xl">
        <form onSubmit={submit}>
          <Stack>
            <Title order={1} size="h3">
              {title}
            </Title>
            {ended && !problem && (
              <Alert color="yellow">Your session has ended. Sign in to return to where you were.</Alert>
            )}
            {problem && (
              <Alert color="red" role="alert">
                {problem}
              </Alert>
            )}
            {note && <Alert role="status">{note}</Alert>}
            {challenge ? (
              <TextInput
                key="code"
                name="code"
                label="Code of your app, or a recovery code"
                autoComplete="one-time-code"
                required
                data-autofocus
              />
            ) : (
              <>
                {mode === 'register' && (
                  <TextInput
                    name="organizationName"
                    label="Organization"
                    required
                    maxLength={200}
                    autoComplete="organization"
                  />
                )}
                <TextInput name="email" label="Email address" type="email" required autoComplete="username" />
                {(mode === 'password' || mode === 'register') && (
                  <PasswordInput
                    name="password"
                    label="Password"
                    required
                    minLength={mode === 'register' ? 12 : 1}
                    description={mode === 'register' ? 'Twelve characters or more' : undefined}
                    autoComplete={mode === 'register' ? 'new-password' : 'current-password'}
                    visibilityToggleButtonProps={{ 'aria-label': 'Show the password' }}
                  />
                )}
                {mode === 'register' && (
                  <TextInput name="invitation" label="Invitation" description="Only where the operator gave you one" />
                )}
              </>
            )}
            <Button type="submit" loading={busy} fullWidth>
              {challenge
                ? 'Continue'
                : mode === 'register'
                  ? 'Create and sign in'
                  : mode === 'sso'
                    ? 'Continue to your provider'
                    : mode === 'reset'
                      ? 'Send the link'
                      : 'Sign in'}
            </Button>
            {(challenge ? challenge.passkey !== null : mode === 'password') && (
              <Button variant="default" onClick={() => void passkey()} disabled={busy}>
                Use a passkey
              </Button>
            )}
            <Divider />
            <Stack gap={4}>
              {challenge && (
                <Anchor component="button" type="button" size="sm" onClick={() => setChallenge(undefined)}>
                  Start over
                </Anchor>
              )}
              {!challenge && mode !== 'password' && (
                <Anchor component="button" type="button" size="sm" onClick={asks('password')}>
                  Sign in with a password
                </Anchor>
              )}
              {!challenge && mode !== 'sso' && (
                <Anchor component="button" type="button" size="sm" onClick={asks('sso')}>
                  Single sign-on
                </Anchor>
              )}
              {!challenge && mode !== 'register' && (
                <Anchor component="button" type="button" size="sm" onClick={asks('register')}>
                  Create an organization
                </Anchor>
              )}
              {!challenge && mode !== 'reset' && (
                <Anchor component="button" type="button" size="sm" onClick={asks('reset')}>
                  Forgot your password?
                </Anchor>
              )}
            </Stack>
            {isSandbox() && (
              <Text size="xs" c="dimmed">
                The sandbox has a demo organization: its email address and password are in{' '}
                <code>sandbox-credentials.json</code> of the data folder, which is <code>.data</code> unless DATA_DIR
                names another.
              </Text>
            )}
          </Stack>
        </form>
      </Card>
    </Center>
  )
}
