import { Button, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useSessionState } from '../../api/session.tsx'
import type { Data, Schema } from '../../api/types.ts'
import { useApi } from '../../api/use-api.ts'
import { counted } from '../../lib/text/counted.ts'
import { FormDialog } from '../../parts/forms/form-dialog.tsx'
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
  const [removing, setRemoving] = useState<{ readonly path: string; readonly name: string }>()
  const [renewing, setRenewing] = useState(false)
  const close = () => setAdding(undefined)
  // A session that had to enroll a factor continues once its codes are stored.
  const onMade = ({ recoveryCodes }: FactorMade) => {
    close()
    if (recoveryCodes) setCodes(recoveryCodes)
    else void refresh()
  }
  return (
    <Section title="Second factors">
      <Loaded query={factors} height={120}>
        {({ totp, passkeys, recoveryCodesLeft }) => (
          <Stack gap="sm">
            {totp && (
              <Factor onRemove={() => setRemoving({ path: 'totp', name: 'the app' })} name="the app">
                Authenticator app, since <Time iso={totp.since} />
              </Factor>
            )}
            {passkeys.map(({ id, name, lastUsedAt }) => (
              <Factor key={id} onRemove={() => setRemoving({ path: `passkeys/${id}`, name })} name={name}>
                {name}, {lastUsedAt === null ? 'not used yet' : 'last used '}
                {lastUsedAt !== null && <Time iso={lastUsedAt} />}
              </Factor>
            ))}
            {totp === null && passkeys.length === 0 ? (
              <Text size="sm">You have none: your password is enough to sign in.</Text>
            ) : (
              <Group justify="space-between">
                <Text size="sm">{counted(recoveryCodesLeft, 'recovery code')} left.</Text>
                <Button size="compact-xs" variant="default" onClick={() => setRenewing(true)}>
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
      {removing && (
        <FormDialog
          title={`Remove ${removing.name}?`}
          action={{ method: 'DELETE', path: `${FACTORS}/${removing.path}` }}
          isPrivate
          submit="Remove"
          keep="Keep it"
          isFinal
          done="Removed."
          onDone={() => void refresh()}
          onClose={() => setRemoving(undefined)}
        >
          <Text size="sm">
            It no longer signs you in or proves changes. Without another one, your password is enough.
          </Text>
        </FormDialog>
      )}
      {renewing && (
        <FormDialog<Data<'renewRecoveryCodes'>>
          title="Generate new recovery codes?"
          action={{ method: 'POST', path: `${FACTORS}/recovery-codes` }}
          isPrivate
          submit="Generate new codes"
          isShownOnce
          keep="Keep the old ones"
          isFinal
          onDone={({ recoveryCodes }) => setCodes(recoveryCodes)}
          onClose={() => setRenewing(false)}
        >
          <Text size="sm">The codes that you have stored stop working at once.</Text>
        </FormDialog>
      )}
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
