import { Button, Group, Slider, Stack, Switch, Text, TextInput, Title } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type Answer, type ApiError, send } from '../../api/client.ts'
import { useMay } from '../../api/session.tsx'
import type { Schema } from '../../api/types.ts'
import { useAction } from '../../api/use-api.ts'
import { exactTime } from '../../lib/dates/time.ts'
import { hundredths, isAmount, isSameAmount, isZero, plain, shareOf } from '../../lib/money/money.ts'
import { usePreferences } from '../../lib/page/preferences.ts'
import { Curl } from '../../parts/curl.tsx'
import { LeaveGuard } from '../../parts/frame/leave-guard.tsx'
import { Problem } from '../../parts/frame/page.tsx'
import { PayableSources } from '../../parts/treasury/payable-sources.tsx'
import { WeighedStrategies } from '../../parts/treasury/weighed.tsx'
import { Money, Time } from '../../parts/values.tsx'
import { ChangedMeanwhile } from './changed-meanwhile.tsx'
import { PausedAlert } from './paused-alert.tsx'
import { WaitsFor } from './waits-for.tsx'

/** One for each hundredth of the wallet. */
const SLIDER_STEPS = 100

/** The slider moves nothing: it shows what the planner would do, and only the button saves. */
export function Buffer({ wallet }: { readonly wallet: Schema<'OperationalWallet'> }) {
  const may = useMay()
  const [base, setBase] = useState(wallet)
  const [amount, setAmount] = useState(wallet.bufferAmount)
  const [enableYield, setEnableYield] = useState(wallet.enableYield)
  const take = () => {
    setBase(wallet)
    setAmount(wallet.bufferAmount)
    setEnableYield(wallet.enableYield)
  }
  const [savedAt, setSavedAt] = useState<string>()
  const decimals = wallet.tokenDecimals
  const isOld = wallet.updatedAt !== base.updatedAt
  const isAt = (settings: typeof wallet) =>
    isSameAmount(amount, settings.bufferAmount, decimals) && enableYield === settings.enableYield
  // Without a change here, or once it is saved, nobody has to decide.
  if (isOld && (isAt(base) || isAt(wallet))) take()
  // What was typed since one's own save is a change of what was saved.
  else if (isOld && wallet.updatedAt === savedAt) setBase(wallet)
  const [asked] = useDebouncedValue({ bufferAmount: plain(amount), enableYield }, 250)
  const isValid = isAmount(amount, decimals)
  const hasNothing = isZero(wallet.totalBalance)
  const path = `/api/core/wallets/monitored/${wallet.id}/rebalance-preview`
  const preview = useQuery<Answer<Schema<'RebalancePreview'>>, ApiError>({
    queryKey: [path, asked],
    queryFn: ({ signal }) => send('POST', path, { body: asked, signal }),
    enabled: isAmount(asked.bufferAmount, decimals),
  })
  const save = useAction<Schema<'BufferSettings'>>(
    'Buffer saved. Weir evaluates the wallet within a minute.',
    ({ updatedAt }) => setSavedAt(updatedAt),
  )
  const isChanged = !isAt(base)
  const settings = `/api/core/wallets/monitored/${wallet.id}/buffer-settings`
  // What was typed since is asked a moment later: until then, the plan that is here is of a different buffer.
  const isOfTyped = asked.bufferAmount === plain(amount) && asked.enableYield === enableYield
  const plan = isValid && isOfTyped ? preview.data?.data : undefined
  const isCalculating = isValid && plan === undefined && !(isOfTyped && preview.error)
  const body = { bufferAmount: plain(amount), enableYield, basedOnUpdatedAt: base.updatedAt }
  return (
    <Stack gap="sm" component="section" aria-label="Buffer">
      <Title order={3} size="h5">
        Buffer
      </Title>
      <LeaveGuard when={isChanged && may.administer} within={['open', 'tab']}>
        The buffer that you entered is on this page only, and would be lost.
      </LeaveGuard>
      {isOld && !save.isPending && <ChangedMeanwhile wallet={wallet} onTake={take} onKeep={() => setBase(wallet)} />}
      <Group align="flex-end" gap="md">
        <TextInput
          label="Stays liquid"
          value={amount}
          onChange={(event) => setAmount(event.currentTarget.value)}
          error={isValid ? undefined : 'Enter an amount such as 2500.00'}
          inputMode="decimal"
          rightSection={
            <Text size="xs" c="dimmed">
              {wallet.token}
            </Text>
          }
          rightSectionWidth={56}
          disabled={!may.administer}
        />
        <Switch
          label="Deploy the rest"
          checked={enableYield}
          onChange={(event) => setEnableYield(event.currentTarget.checked)}
          disabled={!may.administer}
          mb={8}
        />
      </Group>
      <Slider
        aria-label="Buffer as a share of the wallet"
        thumbLabel="Buffer as a share of the wallet"
        value={shareOf(amount, wallet.totalBalance)}
        onChange={(step) => setAmount(hundredths(wallet.totalBalance, step))}
        max={SLIDER_STEPS}
        label={(step) => `${step}%`}
        disabled={!may.administer || hasNothing}
        marks={[
          { value: 0, label: '0' },
          { value: SLIDER_STEPS, label: 'all' },
        ]}
        mb="md"
      />
      {isValid && isOfTyped && preview.error && <Problem error={preview.error} />}
      <Stack gap={6} mih={96} aria-live="polite" aria-busy={isCalculating}>
        {isCalculating && (
          <Text size="sm" c="dimmed">
            Calculating
          </Text>
        )}
        {plan?.waitsForOperationId != null && <WaitsFor operationId={plan.waitsForOperationId} />}
        {plan?.pausedUntil && <PausedAlert wallet={wallet} plan={plan} until={plan.pausedUntil} />}
        {plan && (
          <Text size="sm" fw={600}>
            {isChanged
              ? 'With this buffer Weir would'
              : plan.waitsForOperationId == null && plan.pausedUntil === null
                ? 'Now Weir would'
                : 'Then Weir would'}
          </Text>
        )}
        {plan?.moves.map((move) => (
          <Text key={`${move.from.name}${move.to.name}`} size="sm">
            move <Money amount={move.amount} token={plan.token} strong /> from {name(move.from.name)} to{' '}
            {name(move.to.name)}: {move.reason}
          </Text>
        ))}
        {plan?.moves.length === 0 && <Text size="sm">move nothing.</Text>}
        {plan?.notes.map((note) => (
          <Text key={note} size="sm" c="dimmed">
            {note}
          </Text>
        ))}
        {plan && (
          <Text size="sm" c="dimmed">
            Above the buffer: <Money amount={plan.excess} token={plan.token} />
            {!isZero(plan.held) && (
              <>
                {' '}
                and <Money amount={plan.held} token={plan.token} /> that was withdrawn on request
                {plan.heldUntil && (
                  <>
                    {' '}
                    and stays liquid until <Until iso={plan.heldUntil} />, unless you deploy it
                  </>
                )}
              </>
            )}
            . Missing: <Money amount={plan.shortfall} token={plan.token} />
            {!isZero(plan.awaited ?? '0') && (
              <>
                , of which <Money amount={plan.awaited!} token={plan.token} /> cannot be paid now and follow later
              </>
            )}
            .
          </Text>
        )}
      </Stack>
      <PayableSources sources={plan?.sources} />
      <WeighedStrategies strategies={plan?.strategies} />
      {may.administer && (
        <Group justify="flex-end">
          <Curl method="PUT" path={settings} body={body} />
          <Button variant="default" disabled={!isChanged} onClick={take}>
            Undo
          </Button>
          <Button
            disabled={!isChanged || !isValid || isOld}
            loading={save.isPending}
            onClick={() => save.mutate({ method: 'PUT', path: settings, body })}
          >
            Save
          </Button>
        </Group>
      )}
    </Stack>
  )
}

/** The exact time, and how long that is. */
function Until({ iso }: { readonly iso: string }) {
  const { zone } = usePreferences()
  return (
    <>
      {exactTime(iso, zone)} (<Time iso={iso} />)
    </>
  )
}

const name = (text: string) => (/^(0x\w{40}|\w{32,44})$/.test(text) ? 'the wallet' : text)
