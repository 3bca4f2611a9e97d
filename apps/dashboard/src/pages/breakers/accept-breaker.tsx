import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { BREAKERS } from '../../api/paths.ts'
import { FormDialog } from '../../parts/forms/form-dialog.tsx'
import { Hash } from '../../parts/values.tsx'
import { type Breaker, because, becauseAnnounced, opensAgain } from './breaker-text.ts'

interface Props {
  /** As the admin saw it when the dialog opened: this is what they accept. */
  readonly breaker: Breaker
  /** As it was read last; `undefined`: it is closed. */
  readonly present: Breaker | undefined
  readonly onReview: (present: Breaker) => void
  readonly onClose: () => void
}

/** Lifts a breaker: an admin accepts the fact that opened it, as they see it here. */
export function AcceptBreaker({ breaker, present, onReview, onClose }: Props) {
  const { strategyId, strategyName, kind, state, observation } = breaker
  const isOther = present !== undefined && present.observation !== observation
  const body = { strategyId, kind, ...(observation !== null && { observation }) }
  return (
    <FormDialog
      title={`Deposit into ${strategyName} again?`}
      action={{ method: 'POST', path: `${BREAKERS}/accept`, body }}
      submit="Accept"
      done={`Deposits into ${strategyName} resume.`}
      ready={!isOther}
      onClose={onClose}
    >
      <Text size="sm">{becauseAnnounced(breaker)}</Text>
      {kind === 'upgrade' && observation !== null && (
        <Group gap="xs">
          <Text size="sm">Fingerprint of its contracts and their code:</Text>
          <Hash value={observation} />
        </Group>
      )}
      {isOther && (
        <Alert color="yellow" title="The fact is no longer the one you saw">
          <Stack gap="xs" align="flex-start">
            <Text size="sm">{because(present)}</Text>
            <Button size="xs" onClick={() => onReview(present)}>
              Review that
            </Button>
          </Stack>
        </Alert>
      )}
      <Text size="sm">
        {state === 'recovering'
          ? 'It has recovered, but not for long enough yet. Deposits resume at once.'
          : `You accept this, and nothing worse. Deposits resume at once. ${opensAgain(kind)}`}
      </Text>
    </FormDialog>
  )
}
