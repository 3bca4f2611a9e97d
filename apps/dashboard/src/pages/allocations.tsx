import { Button, Drawer, Group, Modal, Select, SimpleGrid, Stack, Table, Text, TextInput, Title } from '@mantine/core'
import { useState } from 'react'
import { useMay } from '../api/session.tsx'
import type { AllocationPage, CoreAllocation, OperationalWallet, OperationItem } from '../api/types.ts'
import { useAction, useApi } from '../api/use-api.ts'
import { numberOf, useUrl } from '../lib/use-url.ts'
import { Curl } from '../parts/curl.tsx'
import { DataTable, paged } from '../parts/data-table.tsx'
import { Empty, Loaded, Page, Section, Stat } from '../parts/page.tsx'
import { Facts, Hash, Money, Status, Time, words } from '../parts/values.tsx'

const PATH = '/api/v1/allocations'
const STATES = ['ACTIVE', 'UNWINDING', 'CLOSED']

interface Detail extends CoreAllocation {
  readonly wallet: { readonly address: string; readonly blockchain: string }
  readonly performance: { readonly dailyYield: string; readonly weeklyYield: string; readonly monthlyYield: string }
  readonly operations: readonly OperationItem[]
}

export function Allocations() {
  const [url, setUrl] = useUrl()
  const may = useMay()
  const [adding, setAdding] = useState(false)
  const offset = numberOf(url.offset) ?? 0
  const open = numberOf(url.open)
  const status = STATES.find((state) => state === url.status)
  const path = status ? `${PATH}?status=${status}` : PATH
  const positions = useApi<AllocationPage>(paged(path, offset))
  const summary = positions.data?.data.portfolioSummary
  return (
    <Page
      title="Allocations"
      description="What each position is worth, what it earned, and what can come back"
      actions={
        <>
          <Button variant="default" onClick={() => window.print()}>
            Print a statement
          </Button>
          {may.administer && <Button onClick={() => setAdding(true)}>Deploy</Button>}
        </>
      }
    >
      <SimpleGrid cols={{ base: 2, md: 4 }} spacing="sm">
        <Stat label="Deployed, USD" value={<Money amount={summary?.totalDeployed ?? null} />} />
        <Stat label="Worth now, USD" value={<Money amount={summary?.totalValue ?? null} />} />
        <Stat label="Yield, USD" value={<Money amount={summary?.totalYieldEarned ?? null} />} />
        <Stat
          label="Average APY"
          value={summary?.averageAPY ?? '–'}
          note={summary ? `${summary.activeAllocations} active` : ' '}
        />
      </SimpleGrid>
      <Section
        pad={false}
        title="Positions"
        actions={
          <Select
            aria-label="State"
            size="xs"
            placeholder="All states"
            clearable
            data={STATES.map((value) => ({ value, label: words(value) }))}
            value={status ?? null}
            onChange={(next) => setUrl({ status: next ?? undefined, offset: undefined })}
          />
        }
      >
        <DataTable
          label="Positions"
          path={path}
          query={positions}
          rows={({ allocations, pagination }) => ({ items: allocations, total: pagination.total })}
          id={({ id }) => id}
          offset={offset}
          onOffset={(next) => setUrl({ offset: next || undefined })}
          onOpen={({ id }) => setUrl({ open: id })}
          columns={[
            { title: 'Venue', cell: ({ venue }) => venue, csv: ({ venue }) => venue },
            {
              title: 'State',
              wide: true,
              cell: ({ status: state }) => <Status value={state} />,
              csv: ({ status: state }) => state,
            },
            {
              title: 'Deposited',
              wide: true,
              right: true,
              cell: ({ allocatedBase, token }) => <Money amount={allocatedBase} token={token} />,
              csv: ({ allocatedBase }) => allocatedBase,
            },
            {
              title: 'Value',
              right: true,
              cell: ({ currentValue, token }) => <Money amount={currentValue} token={token} />,
              csv: ({ currentValue }) => currentValue,
            },
            {
              title: 'Yield',
              right: true,
              cell: ({ yieldEarned, token }) => <Money amount={yieldEarned} token={token} />,
              csv: ({ yieldEarned }) => yieldEarned,
            },
            { title: 'Token', wide: true, cell: ({ token }) => token, csv: ({ token }) => token },
            { title: 'APY', right: true, cell: ({ apy }) => apy, csv: ({ apy }) => apy },
            {
              title: 'Read',
              right: true,
              wide: true,
              cell: ({ lastUpdatedAt }) => <Time iso={lastUpdatedAt} />,
              csv: ({ lastUpdatedAt }) => lastUpdatedAt,
            },
          ]}
          empty={
            <Empty title={status ? `No position is ${words(status).toLowerCase()}` : 'Nothing is deployed'}>
              A position appears when the first deposit is final.
            </Empty>
          }
        />
      </Section>
      {adding && <Deploy onClose={() => setAdding(false)} />}
      <Drawer opened={open !== undefined} onClose={() => setUrl({ open: undefined })} title="Position">
        {open !== undefined && <Position id={open} />}
      </Drawer>
    </Page>
  )
}

function Position({ id }: { readonly id: number }) {
  const may = useMay()
  const detail = useApi<Detail>(`${PATH}/${id}`)
  const [amount, setAmount] = useState('')
  const withdraw = useAction<{ operationId: number; status: string }>(
    ({ operationId, status }) => `Operation ${operationId}: ${words(status).toLowerCase()}.`,
  )
  const path = `${PATH}/${id}/withdraw`
  return (
    <Loaded query={detail} height={360}>
      {(position) => (
        <Stack gap="lg">
          <Facts
            items={[
              ['Venue', position.venue],
              ['State', <Status key="s" value={position.status} />],
              ['Wallet', <Hash key="w" value={position.wallet.address} />],
              ['Deposited', <Money key="d" amount={position.allocatedBase} token={position.token} />],
              ['Value', <Money key="v" amount={position.currentValue} token={position.token} strong />],
              ['Yield', <Money key="y" amount={position.yieldEarned} token={position.token} />],
              ['APY', position.apy],
              ['A day', <Money key="1" amount={position.performance.dailyYield} token={position.token} />],
              ['A week', <Money key="7" amount={position.performance.weeklyYield} token={position.token} />],
              ['A month', <Money key="30" amount={position.performance.monthlyYield} token={position.token} />],
            ]}
          />
          {may.administer && position.status === 'ACTIVE' && position.opWalletId !== null && (
            <Stack gap="xs" component="section" aria-label="Withdraw">
              <Title order={3} size="h5">
                Withdraw
              </Title>
              <Group align="flex-end" gap="xs">
                <TextInput
                  label="Amount"
                  value={amount}
                  onChange={(event) => setAmount(event.currentTarget.value)}
                  inputMode="decimal"
                  rightSection={
                    <Text size="xs" c="dimmed">
                      {position.token}
                    </Text>
                  }
                  rightSectionWidth={56}
                />
                <Button
                  disabled={amount === ''}
                  loading={withdraw.isPending}
                  onClick={() => withdraw.mutate({ method: 'POST', path, body: { amount } })}
                >
                  Withdraw
                </Button>
                <Button
                  variant="default"
                  loading={withdraw.isPending}
                  onClick={() => withdraw.mutate({ method: 'POST', path, body: { full: true } })}
                >
                  Withdraw all
                </Button>
                <Curl method="POST" path={path} body={amount === '' ? { full: true } : { amount }} />
              </Group>
            </Stack>
          )}
          <Table aria-label="Its operations">
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Operation</Table.Th>
                <Table.Th>State</Table.Th>
                <Table.Th ta="right">Amount</Table.Th>
                <Table.Th ta="right">When</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {position.operations.map((each) => (
                <Table.Tr key={each.id}>
                  <Table.Td>
                    {words(each.type)} #{each.id}
                  </Table.Td>
                  <Table.Td>
                    <Status value={each.status} />
                  </Table.Td>
                  <Table.Td ta="right">
                    <Money amount={each.amount} token={each.token} />
                  </Table.Td>
                  <Table.Td ta="right">
                    <Time iso={each.createdAt} />
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Stack>
      )}
    </Loaded>
  )
}

function Deploy({ onClose }: { readonly onClose: () => void }) {
  const wallets = useApi<OperationalWallet[]>('/api/core/wallets/monitored?limit=100&offset=0')
  const [wallet, setWallet] = useState<string | null>(null)
  const [amount, setAmount] = useState('')
  const deploy = useAction<{ operationId: number; strategy: { name: string } }>(
    ({ operationId, strategy }) => `Operation ${operationId} deploys into ${strategy.name}.`,
    onClose,
  )
  const chosen = wallets.data?.data.find(({ id }) => String(id) === wallet)
  const body = { opWalletId: Number(wallet), amount, asset: chosen?.token ?? 'USDC' }
  return (
    <Modal opened onClose={onClose} title="Deploy now">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          deploy.mutate({ method: 'POST', path: PATH, body })
        }}
      >
        <Stack>
          <Text size="sm">
            Weir chooses the strategy that earns most within your caps. The approval policy applies.
          </Text>
          <Select
            label="Operational wallet"
            required
            data={(wallets.data?.data ?? []).map(({ id, address, token, availableBalance }) => ({
              value: String(id),
              label: `${address.slice(0, 10)}… ${availableBalance} ${token}`,
            }))}
            value={wallet}
            onChange={setWallet}
            nothingFoundMessage="Add an operational wallet first"
          />
          <TextInput
            label="Amount"
            required
            value={amount}
            onChange={(event) => setAmount(event.currentTarget.value)}
            inputMode="decimal"
          />
          <Group justify="space-between">
            <Curl method="POST" path={PATH} body={body} />
            <Button type="submit" loading={deploy.isPending} disabled={!wallet || amount === ''}>
              Deploy
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
