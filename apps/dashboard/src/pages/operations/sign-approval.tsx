import { Alert, Anchor, Button, Group, Stack, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { Schema } from '../../api/types.ts'
import { challengeOf, linesOf } from '../../lib/proofs/approval-challenge.ts'
import { Modal } from '../../parts/dialogs.tsx'
import { passkeyAssertion, passkeyProblem } from '../../parts/forms/passkey.ts'
import { Facts, Hash } from '../../parts/values.tsx'

interface Props {
  readonly request: Schema<'ApprovalSignatureRequest'>
  /** Of the calls that the page showed. */
  readonly callsHash: string | undefined
  /** Sends the approval; rejects if the service refuses it. */
  readonly onSigned: (passkey: Schema<'PasskeyAssertion'>) => Promise<unknown>
  readonly onClose: () => void
}

/**
 * Shows what an approval signs, then asks for the passkey. The authenticator shows no text, so this page signs only a
 * challenge that it computed itself from the text that it shows.
 */
export function SignApproval({ request, callsHash, onSigned, onClose }: Props) {
  const { text, passkey } = request
  const [problem, setProblem] = useState<string>()
  const [busy, setBusy] = useState(false)
  const sign = async (options: Schema<'PasskeyRequest'>) => {
    setBusy(true)
    setProblem(undefined)
    try {
      const challenge = await challengeOf(text)
      if (challenge !== options.challenge)
        setProblem('The service asks for a signature over something else. Do not approve.')
      else await onSigned(await passkeyAssertion({ ...options, challenge }))
    } catch (error) {
      setProblem(passkeyProblem(error))
    }
    setBusy(false)
  }
  return (
    <Modal opened onClose={onClose} title="Sign the approval" size="lg">
      <Stack>
        <Text size="sm">Your signature counts for exactly this and nothing else. Compare it before you sign.</Text>
        <Facts
          items={linesOf(text).map(([name, value]) => [
            name,
            value.length > 30 && !value.includes(':') ? <Hash key={name} value={value} length={10} /> : value,
          ])}
        />
        {callsHash && (
          <Text size="sm">
            It says which money moves where. The calls that do it have the hash <Hash value={callsHash} length={10} />,
            which is sent with your approval.
          </Text>
        )}
        {problem && (
          <Alert color="red" role="alert">
            {problem}
          </Alert>
        )}
        {passkey === null && (
          <Alert color="yellow">
            Your organization wants approvals signed, and you have no passkey.{' '}
            <Anchor component={Link} to={'/app/account' as never} size="sm" underline="always">
              Add one in your account
            </Anchor>
            .
          </Alert>
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          {passkey && (
            <Button loading={busy} onClick={() => void sign(passkey)}>
              Sign with your passkey
            </Button>
          )}
        </Group>
      </Stack>
    </Modal>
  )
}
