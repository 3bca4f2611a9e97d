import { Text } from '@mantine/core'
import { BREAKERS } from '../../api/paths.ts'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { type Breaker, because, opensAgain } from './use-breakers.ts'

interface Props {
  readonly breaker: Breaker
  readonly onClose: () => void
}

/** Lifts a breaker: an admin accepts the fact that opened it. */
export function AcceptBreaker({ breaker, onClose }: Props) {
  const { strategyId, strategyName, kind, state } = breaker
  return (
    <FormDialog
      title={`Deposit into ${strategyName} again?`}
      action={{ method: 'POST', path: `${BREAKERS}/accept`, body: { strategyId, kind } }}
      submit="Accept"
      done={`Deposits into ${strategyName} resume.`}
      onClose={onClose}
    >
      <Text size="sm">{because(breaker)}</Text>
      <Text size="sm">
        {state === 'recovering'
          ? 'It has recovered, but not for long enough yet. Deposits resume at once.'
          : `You accept the current facts, which may be worse. Deposits resume at once. ${opensAgain[kind]}`}
      </Text>
    </FormDialog>
  )
}
