import { Alert, Button, Group, MultiSelect, Stack, Switch, Text } from '@mantine/core'
import { useAction } from '../../api/use-api.ts'
import { useDraft } from '../../lib/forms/use-draft.ts'
import { Curl } from '../../parts/curl.tsx'
import { LeaveGuard } from '../../parts/frame/leave-guard.tsx'
import { Time } from '../../parts/values.tsx'
import { isShare, Threshold } from '../breakers/threshold.tsx'
import { Caps } from './caps.tsx'
import { LIMITS, type Limits, type Listed, labelOf, SHARES } from './limits.ts'
import { Meanwhile } from './meanwhile.tsx'

interface Props {
  readonly inForce: Limits
  readonly listed: readonly Listed[]
}

/** The limits, which are replaced as a whole: after a step-up, and after approvals where the organization asks for them. */
export function LimitsForm({ inForce, listed }: Props) {
  const { updatedAt } = inForce
  const { draft, set, isOld, isChanged, body, take, keep, saves, wasSaved } = useDraft(inForce)
  const save = useAction<Limits>('Deposit limits saved.', wasSaved, take)
  const { allowedStrategies, caps } = draft
  const isValid =
    caps.every(({ of, maxShare }) => of !== '' && isShare(maxShare)) &&
    SHARES.every(({ field }) => {
      const value = draft[field] ?? null
      return value === null || isShare(value)
    })
  return (
    <Stack maw={760}>
      <LeaveGuard when={isChanged} within={['tab']}>
        The limits that you entered are on this page only, and would be lost.
      </LeaveGuard>
      <Text size="sm" c="dimmed">
        They limit what Weir deposits on its own; existing positions stay. A deployment that names its strategy ignores
        them, but counts towards them.{' '}
        {updatedAt === null ? (
          'Nobody has set them: the defaults of the installation apply.'
        ) : (
          <>
            Set <Time iso={updatedAt} />.
          </>
        )}
      </Text>
      {isOld && !save.isPending && (
        <Meanwhile what="deposit limits" updatedAt={updatedAt} onTake={take} onKeep={keep} />
      )}
      <Switch
        label="Only some strategies may take deposits"
        checked={allowedStrategies !== null}
        description="Otherwise all of them, except those whose withdrawals take time."
        onChange={(event) => set({ allowedStrategies: event.currentTarget.checked ? [] : null })}
      />
      {allowedStrategies !== null && (
        <MultiSelect
          label="May take deposits"
          data={listed.map((each) => ({ value: String(each.strategyId), label: labelOf(each) }))}
          value={allowedStrategies.map(String)}
          onChange={(ids) => set({ allowedStrategies: ids.map(Number) })}
          searchable
          hidePickedOptions
        />
      )}
      {allowedStrategies?.length === 0 && (
        <Alert color="yellow">Without a strategy, Weir deposits nothing on its own.</Alert>
      )}
      <Caps caps={caps} listed={listed} onChange={(next) => set({ caps: next })} />
      {SHARES.map(({ field, ...share }) => (
        <Threshold key={field} {...share} value={draft[field] ?? null} onChange={(value) => set({ [field]: value })} />
      ))}
      <Group justify="flex-end" gap="xs">
        <Curl method="PUT" path={LIMITS} body={body} />
        <Button variant="default" disabled={!isChanged} onClick={take}>
          Undo
        </Button>
        <Button
          disabled={!isChanged || !isValid || isOld}
          loading={save.isPending}
          onClick={() => {
            saves()
            save.mutate({ method: 'PUT', path: LIMITS, body })
          }}
        >
          Save
        </Button>
      </Group>
    </Stack>
  )
}
