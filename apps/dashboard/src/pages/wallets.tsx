import { Button, Drawer, Group, Modal, Select, Stack, Switch, Tabs, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useMay } from '../api/session.tsx'
import type { OperationalWallet, OrgWallet } from '../api/types.ts'
import { useAction, useApi } from '../api/use-api.ts'
import { numberOf, useUrl } from '../lib/use-url.ts'
import { Curl } from '../parts/curl.tsx'
import { DataTable, paged } from '../parts/data-table.tsx'
import { Empty, Page, Section } from '../parts/page.tsx'
import { chainName, Hash, Money, Time } from '../parts/values.tsx'
import { WalletDetail } from './wallet-detail.tsx'

const MONITORED = '/api/core/wallets/monitored'
const ALL = '/api/core/wallets'

export function Wallets() {
  const [url, setUrl] = useUrl()
  const may = useMay()
  const [adding, setAdding] = useState(false)
  const tab = url.tab === 'all' ? 'all' : 'operational'
  const offset = numberOf(url.offset) ?? 0
  const open = numberOf(url.open)
  const monitored = useApi<OperationalWallet[]>(paged(MONITORED, tab === 'operational' ? offset : 0))
  const all = useApi<OrgWallet[]>(tab === 'all' ? paged(ALL, offset) : null)
  const known = useApi<OrgWallet[]>(paged(ALL, 0, 100))
  const labels = new Map((known.data?.data ?? []).map(({ address, label }) => [address, label]))
  return (
    <Page
      title="Wallets"
      description="Each operational wallet keeps its buffer liquid; the rest earns"
      actions={may.administer && <Button onClick={() => setAdding(true)}>Add a wallet</Button>}
    >
      <Tabs
        value={tab}
        onChange={(next) => setUrl({ tab: next === 'all' ? 'all' : undefined, offset: undefined })}
        keepMounted={false}
      >
        <Tabs.List mb="md">
          <Tabs.Tab value="operational">Operational</Tabs.Tab>
          <Tabs.Tab value="all">All addresses</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="operational">
          <Section pad={false}>
            <DataTable
              label="Operational wallets"
              path={MONITORED}
              query={monitored}
              rows={(items, { total }) => ({ items, total: total ?? items.length })}
              id={({ id }) => id}
              offset={offset}
              onOffset={(next) => setUrl({ offset: next || undefined })}
              onOpen={({ id }) => setUrl({ open: id })}
              columns={[
                {
                  title: 'Wallet',
                  cell: ({ address }) => <Hash value={address} label={labels.get(address)} />,
                  csv: ({ address }) => address,
                },
                {
                  title: 'Chain',
                  wide: true,
                  cell: ({ blockchain }) => chainName(blockchain),
                  csv: ({ blockchain }) => blockchain,
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
                  title: 'Reserved',
                  right: true,
                  wide: true,
                  cell: ({ reservedBalance, token }) => <Money amount={reservedBalance} token={token} />,
                  csv: ({ reservedBalance }) => reservedBalance,
                },
                {
                  title: 'Buffer',
                  right: true,
                  wide: true,
                  cell: ({ bufferAmount, token }) => <Money amount={bufferAmount} token={token} />,
                  csv: ({ bufferAmount }) => bufferAmount,
                },
                {
                  title: 'Yield',
                  wide: true,
                  cell: ({ enableYield }) => (enableYield ? 'On' : 'Off'),
                  csv: ({ enableYield }) => String(enableYield),
                },
              ]}
              empty={
                <Empty
                  title="No operational wallet yet"
                  action={
                    may.administer && (
                      <Button variant="default" onClick={() => setAdding(true)}>
                        Add a wallet
                      </Button>
                    )
                  }
                >
                  Add the address of a wallet whose keys you hold, choose a buffer, and Weir plans deposits and
                  withdrawals that your agent signs.
                </Empty>
              }
            />
          </Section>
        </Tabs.Panel>
        <Tabs.Panel value="all">
          <Section pad={false}>
            <DataTable
              label="All addresses"
              path={ALL}
              query={all}
              rows={(items, { total }) => ({ items, total: total ?? items.length })}
              id={({ id }) => id}
              offset={offset}
              onOffset={(next) => setUrl({ offset: next || undefined })}
              columns={[
                { title: 'Label', cell: ({ label }) => label, csv: ({ label }) => label },
                { title: 'Address', cell: ({ address }) => <Hash value={address} />, csv: ({ address }) => address },
                {
                  title: 'Chain',
                  cell: ({ blockchain }) => chainName(blockchain),
                  csv: ({ blockchain }) => blockchain,
                },
                {
                  title: 'Custody',
                  wide: true,
                  cell: ({ custodyProvider }) => custodyProvider,
                  csv: ({ custodyProvider }) => custodyProvider,
                },
                {
                  title: 'Added',
                  right: true,
                  wide: true,
                  cell: ({ createdAt }) => <Time iso={createdAt} />,
                  csv: ({ createdAt }) => createdAt,
                },
              ]}
              empty={
                <Empty title="No address yet">
                  Addresses that you add, and those that clients register, appear here.
                </Empty>
              }
            />
          </Section>
        </Tabs.Panel>
      </Tabs>
      {adding && <AddWallet wallets={known.data?.data ?? []} onClose={() => setAdding(false)} />}
      <Drawer
        opened={open !== undefined}
        onClose={() => setUrl({ open: undefined })}
        title="Operational wallet"
        size="xl"
      >
        {open !== undefined && <WalletDetail id={open} labels={labels} />}
      </Drawer>
    </Page>
  )
}

const NEW = 'new'

/** Registers an address, or takes one that is there, and makes it operational with its buffer: two requests. */
function AddWallet({ wallets, onClose }: { readonly wallets: readonly OrgWallet[]; readonly onClose: () => void }) {
  const [chosen, setChosen] = useState<string | null>(wallets.length > 0 ? String(wallets[0]!.id) : NEW)
  const [fields, setFields] = useState({
    address: '',
    blockchain: 'polygon',
    label: '',
    token: 'USDC',
    bufferAmount: '0.00',
  })
  const [enableYield, setEnableYield] = useState(true)
  const [busy, setBusy] = useState(false)
  const make = useAction<{ id: number }>()
  const monitor = useAction('The wallet is operational. Weir evaluates it within a minute.', onClose)
  const set = (name: keyof typeof fields) => (event: { currentTarget: { value: string } }) => {
    const { value } = event.currentTarget
    setFields((previous) => ({ ...previous, [name]: value }))
  }
  const body = { enableYield, bufferAmount: fields.bufferAmount, token: fields.token }
  const submit = async () => {
    setBusy(true)
    try {
      const { address, blockchain, label } = fields
      const orgWalletId =
        chosen === NEW
          ? (
              await make.mutateAsync({
                method: 'POST',
                path: '/api/core/org-wallets',
                body: { address: address.trim(), blockchain, ...(label && { label }) },
              })
            ).data.id
          : Number(chosen)
      await monitor.mutateAsync({
        method: 'POST',
        path: '/api/core/wallets/add-and-monitor',
        body: { orgWalletId, ...body },
      })
    } catch {
      // Reported where the request was made.
    }
    setBusy(false)
  }
  return (
    <Modal opened onClose={onClose} title="Add a wallet">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void submit()
        }}
      >
        <Stack>
          <Select
            label="Address"
            data={[
              ...wallets.map(({ id, label, address }) => ({
                value: String(id),
                label: `${label} ${address.slice(0, 8)}…${address.slice(-4)}`,
              })),
              { value: NEW, label: 'A new address' },
            ]}
            value={chosen}
            onChange={setChosen}
            allowDeselect={false}
          />
          {chosen === NEW && (
            <>
              <TextInput
                label="Address of the wallet"
                required
                value={fields.address}
                onChange={set('address')}
                autoComplete="off"
                spellCheck={false}
              />
              <Select
                label="Chain"
                data={['polygon', 'ethereum', 'base', 'solana'].map((value) => ({ value, label: chainName(value) }))}
                value={fields.blockchain}
                onChange={(value) => value && setFields((previous) => ({ ...previous, blockchain: value }))}
                allowDeselect={false}
              />
              <TextInput
                label="Label"
                value={fields.label}
                onChange={set('label')}
                maxLength={200}
                placeholder="Payouts"
              />
            </>
          )}
          <Select
            label="Token"
            data={['USDC', 'USDT']}
            value={fields.token}
            onChange={(value) => value && setFields((previous) => ({ ...previous, token: value }))}
            allowDeselect={false}
          />
          <TextInput
            label="Buffer"
            description="Stays liquid in the wallet"
            rightSection={
              <Text size="xs" c="dimmed">
                {fields.token}
              </Text>
            }
            rightSectionWidth={56}
            value={fields.bufferAmount}
            onChange={set('bufferAmount')}
            inputMode="decimal"
          />
          <Switch
            label="Deploy what is above the buffer"
            checked={enableYield}
            onChange={(event) => setEnableYield(event.currentTarget.checked)}
          />
          <Group justify="space-between">
            <Curl
              method="POST"
              path="/api/core/wallets/add-and-monitor"
              body={{ orgWalletId: chosen === NEW ? 0 : Number(chosen), ...body }}
            />
            <Group gap="xs">
              <Button variant="default" onClick={onClose}>
                Cancel
              </Button>
              <Button type="submit" loading={busy}>
                Add
              </Button>
            </Group>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
