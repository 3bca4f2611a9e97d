import { Alert, Anchor, Button, Card, Drawer, Group, Select, SimpleGrid, Stack, Tabs, Text } from '@mantine/core'
import { useState } from 'react'
import { useMay, useSession } from '../api/session.tsx'
import { useAction, useApi } from '../api/use-api.ts'
import { numberOf, useUrl } from '../lib/use-url.ts'
import { DataTable, paged } from '../parts/data-table.tsx'
import { Empty, Loaded, Page, Section, Stat } from '../parts/page.tsx'
import { chainName, Facts, Hash, Money, Status, Time, words } from '../parts/values.tsx'
import { NewOfframpAccount, NewOnrampAccount, NewRecipient, Simulator } from './ramp-forms.tsx'

const PAYMENTS = '/v1/ramp/transactions'
const RECIPIENTS = '/v1/ramp/recipients'
const STATES = [
  'pending',
  'processing',
  'in_progress',
  'awaiting_confirmation',
  'broadcasted',
  'completed',
  'failed',
  'rejected',
  'reversed',
]

export interface OnrampAccount {
  readonly id: number
  readonly bank_name: string
  readonly routing_number: string
  readonly account_number: string
  readonly status: string
  readonly destination_asset: string
  readonly destination_wallet: { readonly address: string; readonly network: string }
}
export interface OfframpAccount {
  readonly id: number
  readonly source_crypto_address: string
  readonly source_asset: string
  readonly network_id: string
  readonly rail: string
  readonly fiat_bank_name: string
  readonly fiat_account_number: string
  readonly fiat_account_holder_name: string
  readonly status: string
}
interface Kyb {
  readonly kybStatus: string | null
  readonly applicationUrl: string | null
}
interface Recipient {
  readonly id: number
  readonly name: string
  readonly type: string
  readonly kyb_status: string
  readonly kyb_url: string
  readonly total_volume_usd: string
  readonly transaction_count: number
  readonly created_at: string
}
interface Payment {
  readonly id: number
  readonly type: string
  readonly ramp_recipient_name: string | null
  readonly source_asset: string
  readonly destination_asset: string
  readonly network_id: string
  readonly usd_amount: string
  readonly total_fee: string
  readonly developer_fee: string
  readonly delivered_amount: string | null
  readonly payment_rail: string
  readonly payment_reference: string
  readonly tx_hash: string | null
  readonly return_tx_hash: string | null
  readonly status: string
  readonly status_history: readonly { readonly status: string; readonly timestamp: string }[]
  readonly failure_reason: string | null
  readonly created_at: string
}
interface Summary {
  readonly totalVolumeUsd: string
  readonly totalFeesUsd: string
  readonly transactionCount: number
}

export function Ramp() {
  const [url, setUrl] = useUrl()
  const tab = ['accounts', 'recipients', 'payments'].includes(String(url.tab)) ? String(url.tab) : 'start'
  const summary = useApi<Summary>('/v1/ramp/org/ramp-summary')
  const kyb = useApi<Kyb>('/v1/ramp/org/kyb/status')
  const facts = summary.data?.data
  return (
    <Page title="Ramp" description="Money between bank accounts and chains">
      <SimpleGrid cols={{ base: 2, md: 4 }} spacing="sm">
        <Stat label="Verification" value={kyb.data ? words(kyb.data.data.kybStatus ?? 'not started') : '–'} />
        <Stat label="Volume, USD" value={<Money amount={facts?.totalVolumeUsd ?? null} />} />
        <Stat label="Fees, USD" value={<Money amount={facts?.totalFeesUsd ?? null} />} />
        <Stat label="Payments" value={facts?.transactionCount ?? '–'} />
      </SimpleGrid>
      <Tabs
        value={tab}
        onChange={(next) =>
          setUrl({
            tab: next === 'start' ? undefined : (next ?? undefined),
            offset: undefined,
            open: undefined,
            status: undefined,
            type: undefined,
          })
        }
        keepMounted={false}
      >
        <Tabs.List mb="md">
          <Tabs.Tab value="start">Start</Tabs.Tab>
          <Tabs.Tab value="accounts">Accounts</Tabs.Tab>
          <Tabs.Tab value="recipients">Recipients</Tabs.Tab>
          <Tabs.Tab value="payments">Payments</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="start">
          <Verification kyb={kyb.data?.data} onGo={(next) => setUrl({ tab: next })} />
        </Tabs.Panel>
        <Tabs.Panel value="accounts">
          <Accounts isVerified={kyb.data?.data.kybStatus === 'approved'} />
        </Tabs.Panel>
        <Tabs.Panel value="recipients">
          <Recipients />
        </Tabs.Panel>
        <Tabs.Panel value="payments">
          <Payments />
        </Tabs.Panel>
      </Tabs>
    </Page>
  )
}

/** The way of a verification, step by step, with the next step as a button. */
function Verification({ kyb, onGo }: { readonly kyb: Kyb | undefined; readonly onGo: (tab: string) => void }) {
  const may = useMay()
  const { environment } = useSession()
  const start = useAction<{ kyb_url: string }>('The verification has begun. Open its form to continue.')
  const check = useAction('Asked the banking partner.')
  const simulate = useAction('The sandbox decided.')
  const status = kyb?.kybStatus ?? null
  const act = (mutation: typeof check, path: string) => () =>
    mutation.mutate({ method: 'POST', path: `/v1/ramp/org/kyb/${path}`, body: {} })
  return (
    <Section title="Your verification">
      <ol className="timeline">
        <li {...(status ? { 'data-done': true } : {})}>
          <Text size="sm" fw={500}>
            Begin
          </Text>
          <Text size="sm" c="dimmed">
            The banking partner must know your company before money moves.
          </Text>
          {status === null && may.administer && (
            <Button mt="xs" size="xs" loading={start.isPending} onClick={act(start as never, 'start')}>
              Begin the verification
            </Button>
          )}
        </li>
        <li {...(status === 'submitted' || status === 'approved' ? { 'data-done': true } : {})}>
          <Text size="sm" fw={500}>
            Fill in the form
          </Text>
          <Text size="sm" c="dimmed">
            Company, owners, address. The form opens in its own page.
          </Text>
          {status === 'pending' && kyb?.applicationUrl && (
            <Anchor size="sm" href={kyb.applicationUrl} target="_blank" rel="noreferrer">
              Open the form
            </Anchor>
          )}
        </li>
        <li {...(status === 'approved' ? { 'data-done': true } : status === 'declined' ? { 'data-failed': true } : {})}>
          <Text size="sm" fw={500}>
            {status === 'approved' ? 'Approved' : status === 'declined' ? 'Declined' : 'The partner decides'}
          </Text>
          {status !== null && status !== 'approved' && may.administer && (
            <Group gap="xs" mt="xs">
              <Button size="xs" variant="default" loading={check.isPending} onClick={act(check, 'check-status')}>
                Ask again
              </Button>
              {environment === 'sandbox' && (
                <Button size="xs" loading={simulate.isPending} onClick={act(simulate, 'simulate-approve')}>
                  Approve, as the sandbox can
                </Button>
              )}
              {environment === 'sandbox' && (
                <Button size="xs" variant="default" onClick={act(simulate, 'simulate-reject')}>
                  Decline
                </Button>
              )}
            </Group>
          )}
        </li>
        <li>
          <Text size="sm" fw={500}>
            Open accounts
          </Text>
          <Text size="sm" c="dimmed">
            A bank account that turns dollars into tokens in your wallet, and an address that pays out to a bank.
          </Text>
          {status === 'approved' && (
            <Button mt="xs" size="xs" onClick={() => onGo('accounts')}>
              Open an account
            </Button>
          )}
        </li>
      </ol>
    </Section>
  )
}

const ON = '/v1/ramp/org/onramp-accounts'
const OFF = '/v1/ramp/org/offramp-accounts'

function Accounts({ isVerified }: { readonly isVerified: boolean }) {
  const may = useMay()
  const { environment } = useSession()
  const onramp = useApi<OnrampAccount[]>(paged(ON, 0, 100))
  const offramp = useApi<OfframpAccount[]>(paged(OFF, 0, 100))
  const [form, setForm] = useState<'on' | 'off' | 'simulate'>()
  const canOpen = may.administer && isVerified
  return (
    <Stack>
      {!isVerified && <Alert>Accounts open once your organization is verified.</Alert>}
      {environment === 'sandbox' &&
        may.administer &&
        (onramp.data?.data.length ?? 0) + (offramp.data?.data.length ?? 0) > 0 && (
          <Card withBorder>
            <Group justify="space-between">
              <Text size="sm">Nobody wires test money: the simulator plays the bank.</Text>
              <Button size="xs" onClick={() => setForm('simulate')}>
                Simulate a payment
              </Button>
            </Group>
          </Card>
        )}
      <Section
        title="Bring money in"
        pad={false}
        actions={
          canOpen && (
            <Button size="xs" onClick={() => setForm('on')}>
              Open an account
            </Button>
          )
        }
      >
        <DataTable
          label="Accounts that bring money in"
          path={ON}
          query={onramp}
          rows={(items) => ({ items, total: items.length })}
          id={({ id }) => id}
          columns={[
            { title: 'Bank', cell: ({ bank_name }) => bank_name, csv: ({ bank_name }) => bank_name },
            {
              title: 'Routing',
              wide: true,
              cell: ({ routing_number }) => <Hash value={routing_number} />,
              csv: ({ routing_number }) => routing_number,
            },
            {
              title: 'Account',
              cell: ({ account_number }) => <Hash value={account_number} length={8} />,
              csv: ({ account_number }) => account_number,
            },
            {
              title: 'Becomes',
              cell: ({ destination_asset, destination_wallet }) =>
                `${destination_asset} on ${chainName(destination_wallet.network)}`,
              csv: ({ destination_asset }) => destination_asset,
            },
            {
              title: 'Wallet',
              wide: true,
              cell: ({ destination_wallet }) => <Hash value={destination_wallet.address} />,
              csv: ({ destination_wallet }) => destination_wallet.address,
            },
            {
              title: 'State',
              wide: true,
              cell: ({ status }) => <Status value={status} />,
              csv: ({ status }) => status,
            },
          ]}
          empty={
            <Empty
              title="No account yet"
              action={
                canOpen && (
                  <Button variant="default" onClick={() => setForm('on')}>
                    Open an account
                  </Button>
                )
              }
            >
              Dollars that arrive on it become tokens in your wallet.
            </Empty>
          }
        />
      </Section>
      <Section
        title="Pay out"
        pad={false}
        actions={
          canOpen && (
            <Button size="xs" onClick={() => setForm('off')}>
              Add a bank account
            </Button>
          )
        }
      >
        <DataTable
          label="Accounts that pay out"
          path={OFF}
          query={offramp}
          rows={(items) => ({ items, total: items.length })}
          id={({ id }) => id}
          columns={[
            {
              title: 'Bank',
              cell: ({ fiat_bank_name }) => fiat_bank_name,
              csv: ({ fiat_bank_name }) => fiat_bank_name,
            },
            {
              title: 'Account',
              cell: ({ fiat_account_number }) => fiat_account_number,
              csv: ({ fiat_account_number }) => fiat_account_number,
            },
            {
              title: 'Send to',
              cell: ({ source_crypto_address }) => <Hash value={source_crypto_address} />,
              csv: ({ source_crypto_address }) => source_crypto_address,
            },
            {
              title: 'Token',
              wide: true,
              cell: ({ source_asset, network_id }) => `${source_asset} on ${chainName(network_id)}`,
              csv: ({ source_asset }) => source_asset,
            },
            { title: 'Rail', wide: true, cell: ({ rail }) => rail, csv: ({ rail }) => rail },
            {
              title: 'State',
              wide: true,
              cell: ({ status }) => <Status value={status} />,
              csv: ({ status }) => status,
            },
          ]}
          empty={
            <Empty
              title="No bank account yet"
              action={
                canOpen && (
                  <Button variant="default" onClick={() => setForm('off')}>
                    Add a bank account
                  </Button>
                )
              }
            >
              Tokens that arrive at its address are paid out in dollars.
            </Empty>
          }
        />
      </Section>
      {form === 'on' && <NewOnrampAccount onClose={() => setForm(undefined)} />}
      {form === 'off' && <NewOfframpAccount onClose={() => setForm(undefined)} />}
      {form === 'simulate' && (
        <Simulator
          onramp={onramp.data?.data ?? []}
          offramp={offramp.data?.data ?? []}
          onClose={() => setForm(undefined)}
        />
      )}
    </Stack>
  )
}

function Recipients() {
  const [url, setUrl] = useUrl()
  const may = useMay()
  const { environment } = useSession()
  const offset = numberOf(url.offset) ?? 0
  const recipients = useApi<{ data: Recipient[]; pagination: { total: number } }>(paged(RECIPIENTS, offset))
  const [adding, setAdding] = useState(false)
  const act = useAction('Done.')
  return (
    <Section
      title="Recipients"
      pad={false}
      actions={
        may.administer && (
          <Button size="xs" onClick={() => setAdding(true)}>
            Add a recipient
          </Button>
        )
      }
    >
      <DataTable
        label="Recipients"
        path={RECIPIENTS}
        query={recipients}
        rows={({ data, pagination }) => ({ items: data, total: pagination.total })}
        id={({ id }) => id}
        offset={offset}
        onOffset={(next) => setUrl({ offset: next || undefined })}
        columns={[
          { title: 'Name', cell: ({ name }) => name, csv: ({ name }) => name },
          {
            title: 'Verification',
            cell: ({ kyb_status }) => <Status value={kyb_status} />,
            csv: ({ kyb_status }) => kyb_status,
          },
          {
            title: 'Payments',
            right: true,
            wide: true,
            cell: ({ transaction_count }) => transaction_count,
            csv: ({ transaction_count }) => transaction_count,
          },
          {
            title: 'Volume, USD',
            right: true,
            wide: true,
            cell: ({ total_volume_usd }) => <Money amount={total_volume_usd} />,
            csv: ({ total_volume_usd }) => total_volume_usd,
          },
          {
            title: 'Added',
            right: true,
            wide: true,
            cell: ({ created_at }) => <Time iso={created_at} />,
            csv: ({ created_at }) => created_at,
          },
          {
            title: 'Next step',
            right: true,
            cell: ({ id, kyb_status, kyb_url, name }) =>
              kyb_status === 'approved' ? (
                '–'
              ) : (
                <Group gap={6} justify="flex-end" wrap="nowrap">
                  <Anchor size="sm" href={kyb_url} target="_blank" rel="noreferrer">
                    Form
                  </Anchor>
                  {environment === 'sandbox' && may.administer && (
                    <Button
                      size="compact-xs"
                      variant="default"
                      aria-label={`Approve ${name}`}
                      onClick={() =>
                        act.mutate({ method: 'POST', path: `${RECIPIENTS}/${id}/kyb/simulate-approve`, body: {} })
                      }
                    >
                      Approve
                    </Button>
                  )}
                </Group>
              ),
          },
        ]}
        empty={
          <Empty title="No recipient yet">Companies and people whom you pay, each verified before money moves.</Empty>
        }
      />
      {adding && <NewRecipient onClose={() => setAdding(false)} />}
    </Section>
  )
}

function Payments() {
  const [url, setUrl] = useUrl()
  const offset = numberOf(url.offset) ?? 0
  const open = numberOf(url.open)
  const status = STATES.find((state) => state === url.status)
  const type = ['onramp', 'offramp'].find((each) => each === url.type)
  const filter = new URLSearchParams({ ...(status && { status }), ...(type && { type }) }).toString()
  const path = filter ? `${PAYMENTS}?${filter}` : PAYMENTS
  const payments = useApi<{ data: Payment[]; pagination: { total: number } }>(paged(path, offset))
  return (
    <Section
      title="Payments"
      pad={false}
      actions={
        <>
          <Select
            aria-label="Direction"
            size="xs"
            placeholder="Both directions"
            clearable
            data={[
              { value: 'onramp', label: 'In' },
              { value: 'offramp', label: 'Out' },
            ]}
            value={type ?? null}
            onChange={(next) => setUrl({ type: next ?? undefined, offset: undefined })}
          />
          <Select
            aria-label="State"
            size="xs"
            placeholder="All states"
            clearable
            data={STATES.map((value) => ({ value, label: words(value) }))}
            value={status ?? null}
            onChange={(next) => setUrl({ status: next ?? undefined, offset: undefined })}
          />
        </>
      }
    >
      <DataTable
        label="Payments"
        path={path}
        query={payments}
        rows={({ data, pagination }) => ({ items: data, total: pagination.total })}
        id={({ id }) => id}
        offset={offset}
        onOffset={(next) => setUrl({ offset: next || undefined })}
        onOpen={({ id }) => setUrl({ open: id })}
        columns={[
          {
            title: 'Payment',
            cell: ({ id, type: each }) => `${each === 'onramp' ? 'In' : 'Out'} #${id}`,
            csv: ({ id }) => id,
          },
          { title: 'State', cell: ({ status: state }) => <Status value={state} />, csv: ({ status: state }) => state },
          {
            title: 'Recipient',
            wide: true,
            cell: ({ ramp_recipient_name }) => ramp_recipient_name ?? 'Your organization',
            csv: ({ ramp_recipient_name }) => ramp_recipient_name,
          },
          {
            title: 'USD',
            right: true,
            cell: ({ usd_amount }) => <Money amount={usd_amount} />,
            csv: ({ usd_amount }) => usd_amount,
          },
          {
            title: 'Delivered',
            right: true,
            wide: true,
            cell: ({ delivered_amount, destination_asset }) => (
              <Money amount={delivered_amount} token={destination_asset} />
            ),
            csv: ({ delivered_amount }) => delivered_amount,
          },
          {
            title: 'Created',
            right: true,
            cell: ({ created_at }) => <Time iso={created_at} />,
            csv: ({ created_at }) => created_at,
          },
        ]}
        empty={
          <Empty title={filter ? 'No payment matches' : 'No payment yet'}>
            {filter
              ? 'Change the filter to see others.'
              : 'In the sandbox, the simulator on the Accounts tab makes one.'}
          </Empty>
        }
      />
      <Drawer opened={open !== undefined} onClose={() => setUrl({ open: undefined })} title={`Payment ${open ?? ''}`}>
        {open !== undefined && <PaymentPanel id={open} />}
      </Drawer>
    </Section>
  )
}

function PaymentPanel({ id }: { readonly id: number }) {
  const payment = useApi<Payment>(`${PAYMENTS}/${id}`)
  return (
    <Loaded query={payment} height={360}>
      {(each) => (
        <Stack gap="lg">
          <Facts
            items={[
              ['State', <Status key="s" value={each.status} />],
              ['Direction', each.type === 'onramp' ? 'Bank to chain' : 'Chain to bank'],
              ['Amount', <Money key="a" amount={each.usd_amount} token="USD" strong />],
              ['Fees', <Money key="f" amount={each.total_fee} token="USD" />],
              ['Yours of them', <Money key="y" amount={each.developer_fee} token="USD" />],
              ['Delivered', <Money key="d" amount={each.delivered_amount} token={each.destination_asset} />],
              ['Rail', each.payment_rail],
              ['Reference', <Hash key="r" value={each.payment_reference} length={10} />],
              ['Transaction', <Hash key="t" value={each.tx_hash} />],
              ['Returned by', <Hash key="b" value={each.return_tx_hash} />],
            ]}
          />
          {each.failure_reason && <Alert color="red">{each.failure_reason}</Alert>}
          <ol className="timeline">
            {each.status_history.map(({ status, timestamp }) => (
              <li
                key={`${status}${timestamp}`}
                {...(/failed|rejected|reversed/.test(status) ? { 'data-failed': true } : { 'data-done': true })}
              >
                <Text size="sm" fw={500}>
                  {words(status)}
                </Text>
                <Text size="sm" c="dimmed">
                  <Time iso={timestamp} />
                </Text>
              </li>
            ))}
          </ol>
        </Stack>
      )}
    </Loaded>
  )
}
