import { Button, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useSessionState } from '../../api/session.tsx'
import type { Data, Schema } from '../../api/types.ts'
import { useAction, useApi } from '../../api/use-api.ts'
import { counted } from '../../lib/text/counted.ts'
import { Loaded, Section } from '../../parts/frame/page.tsx'
import { Time } from '../../parts/values.tsx'
import { AddApp } from './add-app.tsx'
import { AddPasskey } from './add-passkey.tsx'
import { FACTORS, type FactorMade } from './factor-made.ts'
import { RecoveryCodes } from './recovery-codes.tsx'

/** The second factors of the user, and the dialogs that add them. */
export function Factors() {
  const { refresh } = useSessionState()
  const factors = useApi<Schema<'SecondFactors'>>(FACTORS)
  const [adding, setAdding] = useState<'app' | 'passkey'>()
  const [codes, setCodes] = useState<readonly string[]>()
  const remove = useAction('Removed.', () => void refresh())
  const renew = useAction<Data<'renewRecoveryCodes'>>(undefined, ({ recoveryCodes }) => setCodes(recoveryCodes))
  const close = () => setAdding(undefined)
  // A session that had to enroll a factor continues once its codes are stored.
  const onMade = ({ recoveryCodes }: FactorMade) => {
    close()
    if (recoveryCodes) setCodes(recoveryCodes)
    else void refresh()
  }
  const removal = (path: string) => () => remove.mutate({ method: 'DELETE', path: `${FACTORS}/${path}` })
  return (
    <Section title="Second factors">
      <Loaded query={factors} height={120}>
        {({ totp, passkeys, recoveryCodesLeft }) => (
          <Stack gap="sm">
            {totp && (
              <Factor onRemove={removal('totp')} name="the app">
                Authenticator app, since <Time iso={totp.since} />
              </Factor>
            )}
            {passkeys.map(({ id, name, lastUsedAt }) => (
              <Factor key={id} onRemove={removal(`passkeys/${id}`)} name={name}>
                {name}, {lastUsedAt === null ? 'not used yet' : 'last used '}
                {lastUsedAt !== null && <Time iso={lastUsedAt} />}
              </Factor>
            ))}
            {totp === null && passkeys.length === 0 ? (
              <Text size="sm">You have none: your password is enough to sign in.</Text>
            ) : (
              <Group justify="space-between">
                <Text size="sm">{counted(recoveryCodesLeft, 'recovery code')} left.</Text>
                <Button
                  size="compact-xs"
                  variant="default"
                  loading={renew.isPending}
                  onClick={() => renew.mutate({ method: 'POST', path: `${FACTORS}/recovery-codes` })}
                >
                  Generate new codes
                </Button>
              </Group>
            )}
            <Group>
              {totp === null && (
                <Button variant="default" onClick={() => setAdding('app')}>
                  Add an app
                </Button>
              )}
              <Button variant="default" onClick={() => setAdding('passkey')}>
                Add a passkey
              </Button>
            </Group>
          </Stack>
        )}
      </Loaded>
      {adding === 'app' && <AddApp onClose={close} onMade={onMade} />}
      {adding === 'passkey' && <AddPasskey onClose={close} onMade={onMade} />}
      {codes && (
        <RecoveryCodes
          codes={codes}
          onStored={() => {
            setCodes(undefined)
            void refresh()
          }}
        />
      )}
    </Section>
  )
}

interface FactorProps {
  readonly name: string
  readonly onRemove: () => void
  readonly children: React.ReactNode
}

function Factor({ name, onRemove, children }: FactorProps) {
  return (
    <Group justify="space-between">
      <Text size="sm">{children}</Text>
      <Button size="compact-xs" variant="default" aria-label={`Remove ${name}`} onClick={onRemove}>
        Remove
      </Button>
    </Group>
  )
}
