import { Group, Stack, Text } from '@mantine/core'
import { useSession } from '../../api/session.tsx'
import { useApi } from '../../api/use-api.ts'
import { exactTime } from '../../lib/dates/time.ts'
import { isZero } from '../../lib/money/money.ts'
import { usePreferences } from '../../lib/page/preferences.ts'
import { Curl } from '../../parts/curl.tsx'
import { Loaded } from '../../parts/frame/page.tsx'
import { chainName, Facts, Hash, Money, Status, Time } from '../../parts/values.tsx'
import { EXITS, type Exit, When } from './exit-columns.tsx'
import { ExitOperations } from './exit-operations.tsx'

/** One exit: how much waits, when it can be claimed, who claims it, and the operations that did or do so. */
export function ExitPanel({ id }: { readonly id: number }) {
  const { environment } = useSession()
  const path = `${EXITS}/${id}`
  const detail = useApi<Exit>(path)
  return (
    <Loaded query={detail} height={420}>
      {(exit) => (
        <Stack gap="lg">
          <Facts
            items={[
              ['Strategy', `${exit.strategy}, ${exit.venue}`],
              ['Wallet', <Hash key="w" value={exit.walletAddress} label={exit.walletLabel} chain={exit.blockchain} />],
              ['Chain', chainName(exit.blockchain)],
              ['State', <Status key="s" value={exit.status} />],
              ['Requested', <Money key="r" amount={exit.requested} token={exit.token} />],
              ['Waiting, at its current value', <Money key="p" amount={exit.pending} token={exit.token} strong />],
              ['Claimable', <Money key="c" amount={exit.claimable} token={exit.token} strong />],
              ['Claimed so far', <Money key="d" amount={exit.claimed} token={exit.token} />],
              [exit.status === 'claimed' ? 'Claimed' : 'Can be claimed', <CanBeClaimed key="n" exit={exit} />],
              ['First requested', <Time key="o" iso={exit.openedAt} />],
            ]}
          />
          <Text size="sm">{nextStep(exit)}</Text>
          {environment === 'sandbox' && (
            <Text size="xs" c="dimmed">
              Times are by the clock of the chain, which this sandbox can move ahead of yours.
            </Text>
          )}
          <ExitOperations exit={exit} />
          <Group justify="flex-end" gap="xs">
            {exit.opWalletId === null && exit.status === 'claimable' && (
              <Curl
                method="POST"
                path="/v1/operations/claim"
                body={{ walletId: exit.walletId, strategyId: exit.strategyId }}
                label="Claim as curl"
              />
            )}
            <Curl method="GET" path={path} label="This exit as curl" />
          </Group>
        </Stack>
      )}
    </Loaded>
  )
}

function CanBeClaimed({ exit }: { readonly exit: Exit }) {
  const { zone } = usePreferences()
  const ahead = exit.status === 'claimed' || isZero(exit.pending) ? null : exit.claimableAt
  return (
    <>
      <When exit={exit} />
      {ahead !== null && (
        <Text size="xs" c="dimmed">
          {exactTime(ahead, zone)}
        </Text>
      )}
    </>
  )
}

function nextStep({ status, opWalletId, claimableAt }: Exit): string {
  if (status === 'claimed') return 'All of it was claimed. Nothing is left to do.'
  const wait =
    claimableAt === null
      ? 'The vault settles requests when it can, and does not say when.'
      : 'It can be claimed when the cooldown is over. Another request restarts the cooldown for all of it.'
  const claim =
    opWalletId === null
      ? 'Only the owner of this wallet can claim: an API client plans the claim, and the owner signs it.'
      : 'Weir plans the claim by itself, through your approval policy, and your agent signs it.'
  return status === 'claimable' ? claim : `${wait} ${claim}`
}
