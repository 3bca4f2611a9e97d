import { Alert, Button, Group, Select, Stack, Switch, Text } from '@mantine/core'
import { BREAKERS } from '../../api/paths.ts'
import type { Schema } from '../../api/types.ts'
import { useAction } from '../../api/use-api.ts'
import { useDraft } from '../../lib/forms/use-draft.ts'
import { Curl } from '../../parts/curl.tsx'
import { LeaveGuard } from '../../parts/frame/leave-guard.tsx'
import { Meanwhile } from '../limits/meanwhile.tsx'
import { recoveryChoices } from './recoveries.ts'
import { isShare, Threshold } from './threshold.tsx'

type InForce = Schema<'CircuitBreakers'>

/** Which facts open a breaker. They are replaced as a whole, after a step-up where the service asks for one. */
export function BreakerSettings({ inForce }: { readonly inForce: InForce }) {
  const { breakers, ...settings } = inForce
  const { updatedAt } = settings
  const { draft, set, isOld, isChanged, body, take, keep, saves, wasSaved } = useDraft(settings)
  const save = useAction<InForce>('Circuit breakers saved.', wasSaved, take)
  const { maxPriceFall, maxPegDistance, minWithdrawableShare, onUpgrade, withdraw, recoverySeconds } = draft
  const isValid = [maxPriceFall, maxPegDistance, minWithdrawableShare].every((each) => each === null || isShare(each))
  return (
    <Stack maw={720}>
      <LeaveGuard when={isChanged} within={['tab']}>
        The circuit breakers that you entered are on this page only, and would be lost.
      </LeaveGuard>
      <Text size="sm" c="dimmed">
        {updatedAt === null ? 'Nobody has set them: all are off.' : 'They apply to every strategy.'}
      </Text>
      {isOld && !save.isPending && (
        <Meanwhile what="circuit breakers" updatedAt={updatedAt} onTake={take} onKeep={keep} />
      )}
      <Threshold
        label="Price fall"
        description="The share price is more than this below its highest daily reading in 30 days."
        suggestion="1"
        value={maxPriceFall}
        onChange={(value) => set({ maxPriceFall: value })}
      />
      <Threshold
        label="Depeg"
        description="The price of the token deviates from $1 by more than this."
        suggestion="2"
        value={maxPegDistance}
        onChange={(value) => set({ maxPegDistance: value })}
      />
      <Threshold
        label="Illiquidity"
        description="Less than this share of your position can be withdrawn."
        suggestion="20"
        value={minWithdrawableShare}
        onChange={(value) => set({ minWithdrawableShare: value })}
      />
      <Switch
        label="Upgrade"
        description="The code of a contract of the strategy has changed since this was switched on."
        checked={onUpgrade}
        onChange={(event) => set({ onUpgrade: event.currentTarget.checked })}
      />
      <Select
        label="Closes automatically"
        description="When its fact has been good for this long. Until then, deposits stay stopped."
        data={recoveryChoices(inForce.recoverySeconds)}
        value={String(recoverySeconds)}
        onChange={(value) => value !== null && set({ recoverySeconds: Number(value) })}
        allowDeselect={false}
        maw={320}
      />
      <Switch
        label="Withdraw as well"
        description="While a breaker is open, Weir withdraws everything that the strategy can pay."
        checked={withdraw}
        onChange={(event) => set({ withdraw: event.currentTarget.checked })}
      />
      {withdraw && !inForce.withdraw && (
        <Alert color="yellow">
          This moves money without a request: everything in a strategy whose breaker is open or opens, subject to your
          approval policy.
        </Alert>
      )}
      <Group justify="flex-end" gap="xs">
        <Curl method="PUT" path={BREAKERS} body={body} />
        <Button variant="default" disabled={!isChanged} onClick={take}>
          Undo
        </Button>
        <Button
          disabled={!isChanged || !isValid || isOld}
          loading={save.isPending}
          onClick={() => {
            saves()
            save.mutate({ method: 'PUT', path: BREAKERS, body })
          }}
        >
          Save
        </Button>
      </Group>
    </Stack>
  )
}
