import { Alert, Anchor, Button, Group, Slider, Stack, Switch, Table, Text, TextInput, Title } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { type Answer, type ApiError, send } from '../api/client.ts'
import { useMay } from '../api/session.tsx'
import type { AllocationPage, OperationalWallet, RebalancePreview } from '../api/types.ts'
import { useAction, useApi } from '../api/use-api.ts'
import { fromBaseUnits, grouped, signedUnits } from '../lib/money.ts'
import { Chart } from '../parts/chart.tsx'
import { Curl } from '../parts/curl.tsx'
import { Empty, Loaded, Problem } from '../parts/page.tsx'
import { chainName, Facts, Hash, Money, Time } from '../parts/values.tsx'

const SLIDER_STEPS = 100

/** One operational wallet: its money, its buffer with what would move, and why it does or does not. */
export function WalletDetail({ id, labels }: { readonly id: number; readonly labels: ReadonlyMap<string, string> }) {
  const wallets = useApi<OperationalWallet[]>('/api/core/wallets/monitored?limit=100&offset=0')
  return (
    <Loaded query={wallets} height={400}>
      {(list) => {
        const wallet = list.find((each) => each.id === id)
        if (wallet === undefined)
          return (
            <Empty title="There is no such wallet">It may belong to another organization, or the link is old.</Empty>
          )
        return (
          <Stack gap="lg">
            <Facts
              items={[
                ['Address', <Hash key="a" value={wallet.address} label={labels.get(wallet.address)} />],
                ['Chain', chainName(wallet.blockchain)],
                ['Total', <Money key="t" amount={wallet.totalBalance} token={wallet.token} strong />],
                ['Liquid', <Money key="l" amount={wallet.availableBalance} token={wallet.token} />],
                ['Deployed', <Money key="d" amount={wallet.deployedBalance} token={wallet.token} />],
                ['Reserved', <Money key="r" amount={wallet.reservedBalance} token={wallet.token} />],
                ['Added', <Time key="c" iso={wallet.createdAt} />],
              ]}
            />
            <Buffer key={`${wallet.bufferAmount}${wallet.enableYield}`} wallet={wallet} />
            <Positions wallet={wallet} />
            <Earnings wallet={wallet} />
          </Stack>
        )
      }}
    </Loaded>
  )
}

/** The slider moves nothing: it shows what the planner would do, and only the button saves. */
function Buffer({ wallet }: { readonly wallet: OperationalWallet }) {
  const may = useMay()
  const [amount, setAmount] = useState(wallet.bufferAmount)
  const [enableYield, setEnableYield] = useState(wallet.enableYield)
  const [asked] = useDebouncedValue({ bufferAmount: amount, enableYield }, 250)
  const units = signedUnits(amount)
  const total = signedUnits(wallet.totalBalance) ?? 0n
  const path = `/api/core/wallets/monitored/${wallet.id}/rebalance-preview`
  const preview = useQuery<Answer<RebalancePreview>, ApiError>({
    queryKey: [path, asked],
    queryFn: ({ signal }) => send('POST', path, { body: asked, signal }),
    enabled: signedUnits(asked.bufferAmount) !== undefined,
    placeholderData: (previous) => previous,
  })
  const save = useAction('The buffer is saved. Weir evaluates the wallet within a minute.')
  const isChanged = amount !== wallet.bufferAmount || enableYield !== wallet.enableYield
  const settings = `/api/core/wallets/monitored/${wallet.id}/buffer-settings`
  const plan = preview.data?.data
  return (
    <Stack gap="sm" component="section" aria-label="Buffer">
      <Title order={3} size="h5">
        Buffer
      </Title>
      <Group align="flex-end" gap="md">
        <TextInput
          label="Stays liquid"
          value={amount}
          onChange={(event) => setAmount(event.currentTarget.value)}
          error={units === undefined ? 'An amount such as 2500.00' : undefined}
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
        value={total === 0n ? 0 : Math.min(SLIDER_STEPS, Number(((units ?? 0n) * BigInt(SLIDER_STEPS)) / total))}
        onChange={(step) =>
          setAmount(fromBaseUnits(((total * BigInt(step)) / BigInt(SLIDER_STEPS) / 10_000n) * 10_000n))
        }
        max={SLIDER_STEPS}
        label={(step) => `${step} %`}
        disabled={!may.administer || total === 0n}
        marks={[
          { value: 0, label: '0' },
          { value: SLIDER_STEPS, label: grouped(wallet.totalBalance) },
        ]}
        mb="md"
      />
      {preview.error && <Problem error={preview.error} />}
      <Stack gap={6} mih={96} aria-live="polite">
        <Text size="sm" fw={600}>
          {isChanged ? 'With this buffer Weir would' : 'Now Weir would'}
        </Text>
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
            Above the buffer: <Money amount={plan.excess} token={plan.token} />. Missing:{' '}
            <Money amount={plan.shortfall} token={plan.token} />.
          </Text>
        )}
        {plan?.waitsForOperationId != null && (
          <Alert color="yellow">
            It waits for{' '}
            <Anchor
              component={Link}
              to={'/app/operations' as never}
              search={{ open: plan.waitsForOperationId } as never}
            >
              operation {plan.waitsForOperationId}
            </Anchor>
            .
          </Alert>
        )}
        {plan?.pausedUntil && (
          <Alert color="yellow">
            After a failure it pauses until <Time iso={plan.pausedUntil} />.
          </Alert>
        )}
      </Stack>
      {plan && plan.strategies.length > 0 && (
        <Table aria-label="What the planner weighed">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Strategy</Table.Th>
              <Table.Th ta="right">APY</Table.Th>
              <Table.Th>Verdict</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {plan.strategies.map((each) => (
              <Table.Tr key={each.strategyId}>
                <Table.Td>{each.name}</Table.Td>
                <Table.Td ta="right">{each.apy}</Table.Td>
                <Table.Td>{each.verdict}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
      {may.administer && (
        <Group justify="flex-end">
          <Curl method="PUT" path={settings} body={{ bufferAmount: amount, enableYield }} />
          <Button
            variant="default"
            disabled={!isChanged}
            onClick={() => {
              setAmount(wallet.bufferAmount)
              setEnableYield(wallet.enableYield)
            }}
          >
            Undo
          </Button>
          <Button
            disabled={!isChanged || units === undefined}
            loading={save.isPending}
            onClick={() => save.mutate({ method: 'PUT', path: settings, body: { bufferAmount: amount, enableYield } })}
          >
            Save
          </Button>
        </Group>
      )}
    </Stack>
  )
}

const name = (text: string) => (/^(0x\w{40}|\w{32,44})$/.test(text) ? 'the wallet' : text)

function Positions({ wallet }: { readonly wallet: OperationalWallet }) {
  const positions = useApi<AllocationPage>(`/api/v1/allocations?opWalletId=${wallet.id}&limit=100&offset=0`)
  return (
    <Stack gap="xs" component="section" aria-label="Positions">
      <Title order={3} size="h5">
        Positions
      </Title>
      <Loaded query={positions} height={80}>
        {({ allocations }) =>
          allocations.length === 0 ? (
            <Text size="sm" c="dimmed">
              Nothing of this wallet is deployed. The reasons are above.
            </Text>
          ) : (
            <Table aria-label="Positions">
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>Venue</Table.Th>
                  <Table.Th ta="right">Value</Table.Th>
                  <Table.Th ta="right">Yield</Table.Th>
                  <Table.Th ta="right">APY</Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {allocations.map((each) => (
                  <Table.Tr key={each.id}>
                    <Table.Td>{each.venue}</Table.Td>
                    <Table.Td ta="right">
                      <Money amount={each.currentValue} token={each.token} />
                    </Table.Td>
                    <Table.Td ta="right">
                      <Money amount={each.yieldEarned} token={each.token} />
                    </Table.Td>
                    <Table.Td ta="right">{each.apy}</Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          )
        }
      </Loaded>
    </Stack>
  )
}

interface EarningsData {
  readonly history: readonly {
    readonly date: string
    readonly cumulativeYield: string
    readonly positionValue: string
  }[]
}

const PERIODS = ['30', '90', '365'] as const

function Earnings({ wallet }: { readonly wallet: OperationalWallet }) {
  const [days, setDays] = useState<string>('30')
  const query = `walletId=${wallet.orgWalletId}&blockchain=${wallet.blockchain}&token=${wallet.token}&days=${days}`
  const earnings = useApi<EarningsData>(`/v1/allocations/earnings?${query}`)
  const [points, setPoints] = useState<{ at: string; value: string }[]>([])
  useEffect(() => {
    if (earnings.data)
      setPoints(
        earnings.data.data.history.map(({ date, cumulativeYield }) => ({
          at: `${date.slice(0, 10)}T00:00:00Z`,
          value: fromBaseUnits(cumulativeYield),
        })),
      )
  }, [earnings.data])
  return (
    <Stack gap="xs" component="section" aria-label="Yield">
      <Group justify="flex-end" gap={4} className="no-print">
        {PERIODS.map((each) => (
          <Button
            key={each}
            size="compact-xs"
            variant={each === days ? 'light' : 'subtle'}
            aria-pressed={each === days}
            onClick={() => setDays(each)}
          >
            {each} days
          </Button>
        ))}
      </Group>
      <Loaded query={earnings} height={250}>
        {() => <Chart title="Yield, summed" unit={wallet.token} points={points} />}
      </Loaded>
    </Stack>
  )
}
