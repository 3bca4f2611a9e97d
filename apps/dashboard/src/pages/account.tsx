import { Alert, Button, Code, Group, PasswordInput, Stack, Text, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { ApiError, post } from '../api/client.ts'
import { useSession, useSessionState } from '../api/session.tsx'
import { useAction, useApi } from '../api/use-api.ts'
import { DataTable, paged } from '../parts/data-table.tsx'
import { Empty, Loaded, Page, Section } from '../parts/page.tsx'
import { passkeyAttestation } from '../parts/passkey.ts'
import { Facts, Status, Time, words } from '../parts/values.tsx'

interface OpenSession {
  readonly id: number
  readonly createdAt: string
  readonly lastUsedAt: string
  readonly address: string | null
  readonly userAgent: string | null
  readonly current: boolean
}

export function MyAccount() {
  const { user, organization } = useSession()
  return (
    <Page title="Your account" description={user.email}>
      <Section title="You">
        <Facts
          items={[
            ['Name', user.name ?? '–'],
            ['E-mail', user.email],
            ['Role', words(user.role)],
            ['Organization', organization.name],
          ]}
        />
      </Section>
      <Password />
      <Factors />
      <Sessions />
    </Page>
  )
}

const SESSIONS = '/api/core/auth/sessions'

function Sessions() {
  const sessions = useApi<OpenSession[]>(paged(SESSIONS, 0, 100))
  const end = useAction('Ended.')
  return (
    <Section
      title="Where you are signed in"
      pad={false}
      actions={
        <Button size="xs" variant="default" onClick={() => end.mutate({ method: 'DELETE', path: SESSIONS })}>
          End all others
        </Button>
      }
    >
      <DataTable
        label="Sessions"
        path={SESSIONS}
        query={sessions}
        rows={(items, { total }) => ({ items, total: total ?? items.length })}
        id={({ id }) => id}
        columns={[
          {
            title: 'From',
            cell: ({ address, current }) => (
              <Group gap="xs" wrap="nowrap">
                {address ?? '–'}
                {current && <Status value="This one" />}
              </Group>
            ),
            csv: ({ address }) => address,
          },
          {
            title: 'With',
            wide: true,
            cell: ({ userAgent }) => (
              <Text size="sm" span lineClamp={1} maw={380}>
                {userAgent ?? '–'}
              </Text>
            ),
            csv: ({ userAgent }) => userAgent,
          },
          {
            title: 'Signed in',
            wide: true,
            right: true,
            cell: ({ createdAt }) => <Time iso={createdAt} />,
            csv: ({ createdAt }) => createdAt,
          },
          {
            title: 'Last used',
            right: true,
            cell: ({ lastUsedAt }) => <Time iso={lastUsedAt} />,
            csv: ({ lastUsedAt }) => lastUsedAt,
          },
          {
            title: 'End',
            right: true,
            cell: ({ id, current }) =>
              current ? (
                '–'
              ) : (
                <Button
                  size="compact-xs"
                  variant="default"
                  aria-label={`End session ${id}`}
                  onClick={() => end.mutate({ method: 'DELETE', path: `${SESSIONS}/${id}` })}
                >
                  End
                </Button>
              ),
          },
        ]}
        empty={<Empty title="No session" />}
      />
    </Section>
  )
}

export function Password() {
  const { refresh } = useSessionState()
  const [problem, setProblem] = useState<string>()
  const [done, setDone] = useState(false)
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const { currentPassword, newPassword } = Object.fromEntries(new FormData(form))
    setProblem(undefined)
    try {
      await post('/api/core/auth/password', { currentPassword, newPassword })
      form.reset()
      setDone(true)
      await refresh()
    } catch (error) {
      setProblem(error instanceof ApiError ? error.message : 'The service does not respond.')
    }
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
              label="New password, twelve characters or more"
              required
              minLength={12}
              autoComplete="new-password"
              w={300}
              {...eye}
            />
            <Button type="submit" variant="default">
              Change
            </Button>
          </Group>
        </Stack>
      </form>
    </Section>
  )
}

interface FactorList {
  readonly totp: { readonly since: string } | null
  readonly passkeys: readonly {
    readonly id: number
    readonly name: string
    readonly createdAt: string
    readonly lastUsedAt: string | null
  }[]
  readonly recoveryCodesLeft: number
}

const FACTORS = '/api/core/auth/factors'

export function Factors() {
  const { refresh } = useSessionState()
  const factors = useApi<FactorList>(FACTORS)
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
