import { Alert, Anchor, Button, Card, Group, SimpleGrid, Skeleton, Stack, Text, Title } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useMay, useSession } from '../api/session.tsx'
import type { AllocationPage, OperationalWallet, OperationItem, Pagination } from '../api/types.ts'
import { useApi } from '../api/use-api.ts'
import { signedUnits, sum } from '../lib/money.ts'
import { DataTable, paged } from '../parts/data-table.tsx'
import { Empty, Loaded, Page, Section, Stat } from '../parts/page.tsx'
import { chainName, Hash, Money, Status, Time, words } from '../parts/values.tsx'

const SKELETON_HEIGHT = 720
const QUEUE = '/api/core/operations/queue'
const HISTORY = '/api/core/operations/history'

/** What the organization holds, what earns, and what waits for somebody. */
export function Overview() {
  const { environment, organization } = useSession()
  const may = useMay()
  const wallets = useApi<OperationalWallet[]>('/api/core/wallets/monitored?limit=100&offset=0')
  const portfolio = useApi<AllocationPage>('/api/v1/allocations?limit=25&offset=0')
  const queue = useApi<{ intents: OperationItem[]; count: number }>(paged(QUEUE, 0, 100))
  const changes = useApi<{ changeRequests: { id: number }[]; pagination: Pagination }>(
    '/api/core/change-requests?status=requested&limit=5&offset=0',
  )
  const history = useApi<{ items: OperationItem[]; total: number }>(paged(HISTORY, 0, 8))
  const held = wallets.data?.data ?? []
  const summary = portfolio.data?.data.portfolioSummary
  const isNew = environment === 'sandbox' && history.data?.data.total === 0 && held.length === 0
  const pending = (queue.data?.data.intents ?? []).filter(({ status }) => status === 'PENDING_APPROVAL')
  const waiting = pending.length + (changes.data?.data.pagination.total ?? 0)
  const short = held.filter(
    ({ enableYield, availableBalance, bufferAmount }) =>
      enableYield && (signedUnits(availableBalance) ?? 0n) < (signedUnits(bufferAmount) ?? 0n),
  )
  const reads = [wallets, portfolio, queue, changes, history]
  // All of it at once: parts that arrive one by one would push each other down.
  if (reads.some(({ data, error }) => data === undefined && error === null)) {
    return (
      <Page title="Overview" description={organization.name}>
        <Skeleton height={SKELETON_HEIGHT} role="status" aria-label="Loading" />
      </Page>
    )
  }
  return (
    <Page title="Overview" description={organization.name}>
      {isNew && may.administer && <Welcome />}
      <SimpleGrid cols={{ base: 2, md: 4 }} spacing="sm">
        <Stat
          label="In operational wallets, USD"
          value={<Money amount={wallets.data ? sum(held.map(({ totalBalance }) => totalBalance)) : null} />}
          note={wallets.data ? counted(wallets.data.total ?? held.length, 'wallet') : ' '}
        />
        <Stat
          label="Earning now, USD"
          value={<Money amount={summary?.totalValue ?? null} />}
          note={summary ? `${counted(summary.activeAllocations, 'position')} at ${summary.averageAPY}` : ' '}
        />
        <Stat
          label="Yield earned, USD"
          value={<Money amount={summary?.totalYieldEarned ?? null} />}
          note="since the first deposit"
        />
        <Stat
          label="Waiting for approval"
          value={queue.data ? waiting : '–'}
          note={
            <Anchor component={Link} to={'/app/operations' as never} size="xs">
              Open the inbox
            </Anchor>
          }
        />
      </SimpleGrid>
      {short.length > 0 && (
        <Alert
          color="yellow"
          title={`${short.length} ${short.length === 1 ? 'wallet is' : 'wallets are'} below the buffer`}
        >
          {short.map(({ id, address, token, availableBalance, bufferAmount }) => (
            <Text key={id} size="sm">
              <Anchor component={Link} to={'/app/wallets' as never} search={{ open: id } as never}>
                {address.slice(0, 10)}…
              </Anchor>
              : {availableBalance} of {bufferAmount} {token}
            </Text>
          ))}
        </Alert>
      )}
      <Section
        title="Waits for approval"
        pad={false}
        actions={
          <Anchor component={Link} to={'/app/operations' as never} size="sm">
            All operations
          </Anchor>
        }
      >
        <Loaded query={queue} height={120}>
          {() =>
            pending.length === 0 && (changes.data?.data.pagination.total ?? 0) === 0 ? (
              <Empty title="Nothing waits for you">
                Operations that your approval policy stops appear here, with the rule that stopped them.
              </Empty>
            ) : (
              <Stack gap={0}>
                {pending.slice(0, 5).map((each) => (
                  <Group key={each.id} justify="space-between" px="md" py="xs" className="table-foot">
                    <Group gap="sm">
                      <Anchor component={Link} to={'/app/operations' as never} search={{ open: each.id } as never}>
                        {words(each.type)}
                      </Anchor>
                      <Money amount={each.amount} token={each.token} />
                      <Text size="sm" c="dimmed">
                        <Time iso={each.createdAt} />
                      </Text>
                    </Group>
                    <Button
                      size="compact-sm"
                      variant="default"
                      component={Link}
                      to={'/app/operations' as never}
                      search={{ open: each.id } as never}
                    >
                      Review
                    </Button>
                  </Group>
                ))}
                {(changes.data?.data.pagination.total ?? 0) > 0 && (
                  <Group px="md" py="xs" className="table-foot">
                    <Anchor component={Link} to={'/app/changes' as never}>
                      {counted(changes.data?.data.pagination.total ?? 0, 'change request')} to decide
                    </Anchor>
                  </Group>
                )}
              </Stack>
            )
          }
        </Loaded>
      </Section>
      <Section
        title="Wallets"
        pad={false}
        actions={
          <Anchor component={Link} to={'/app/wallets' as never} size="sm">
            All wallets
          </Anchor>
        }
      >
        <DataTable
          label="Wallets"
          path="/api/core/wallets/monitored"
          query={wallets}
          rows={(data) => ({ items: data.slice(0, 6), total: data.length })}
          id={({ id }) => id}
          columns={[
            {
              title: 'Wallet',
              cell: ({ address, id }) => (
                <Group gap="xs" wrap="nowrap">
                  <Anchor component={Link} to={'/app/wallets' as never} search={{ open: id } as never}>
                    Open
                  </Anchor>
                  <Hash value={address} />
                </Group>
              ),
              csv: ({ address }) => address,
            },
            {
              title: 'Chain',
              cell: ({ blockchain }) => chainName(blockchain),
              csv: ({ blockchain }) => blockchain,
              wide: true,
            },
            {
              title: 'Liquid',
              right: true,
              cell: ({ availableBalance, token }) => <Money amount={availableBalance} token={token} />,
              csv: ({ availableBalance }) => availableBalance,
            },
            {
              title: 'Deployed',
              right: true,
              cell: ({ deployedBalance, token }) => <Money amount={deployedBalance} token={token} />,
              csv: ({ deployedBalance }) => deployedBalance,
            },
            {
              title: 'Buffer',
              right: true,
              wide: true,
              cell: ({ bufferAmount, token }) => <Money amount={bufferAmount} token={token} />,
              csv: ({ bufferAmount }) => bufferAmount,
            },
          ]}
          empty={
            <Empty
              title="No operational wallet yet"
              action={
                <Button component={Link} to={'/app/wallets' as never} variant="default">
                  Add a wallet
                </Button>
              }
            >
              Weir keeps a buffer liquid in each operational wallet and deploys the rest.
            </Empty>
          }
        />
      </Section>
      <Section title="Latest operations" pad={false}>
        <DataTable
          label="Latest operations"
          path={HISTORY}
          query={history}
          rows={({ items, total }) => ({ items, total: Math.min(total, items.length) })}
          id={({ id }) => id}
          columns={[
            {
              title: 'Operation',
              cell: ({ id, type }) => (
                <Anchor component={Link} to={'/app/operations' as never} search={{ open: id } as never}>
                  {words(type)}
                </Anchor>
              ),
              csv: ({ id }) => id,
            },
            { title: 'State', cell: ({ status }) => <Status value={status} />, csv: ({ status }) => status },
            {
              title: 'Amount',
              right: true,
              cell: ({ amount, token }) => <Money amount={amount} token={token} />,
              csv: ({ amount }) => amount,
            },
            { title: 'By', wide: true, cell: ({ origin }) => words(origin), csv: ({ origin }) => origin },
            {
              title: 'When',
              right: true,
              cell: ({ createdAt }) => <Time iso={createdAt} />,
              csv: ({ createdAt }) => createdAt,
            },
          ]}
          empty={<Empty title="No operation yet">Deposits into and withdrawals from venues appear here.</Empty>}
        />
      </Section>
    </Page>
  )
}

function Welcome() {
  return (
    <Card withBorder padding="lg">
      <Group justify="space-between" gap="md">
        <Stack gap={4} maw={560}>
          <Title order={2} size="h4">
            Put 1,000 USDC to work
          </Title>
          <Text size="sm">
            A wallet in this browser, test money from the faucet, a deposit into a real lending market, thirty days, and
            the yield. Five steps, each with the request it makes.
          </Text>
        </Stack>
        <Button size="md" component={Link} to={'/app/start' as never}>
          Begin
        </Button>
      </Group>
    </Card>
  )
}

const counted = (count: number, what: string) => `${count} ${what}${count === 1 ? '' : 's'}`
