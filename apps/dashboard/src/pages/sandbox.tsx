import {
  Alert,
  Anchor,
  Button,
  Code,
  Drawer,
  Group,
  NumberInput,
  Select,
  SimpleGrid,
  Stack,
  Text,
  TextInput,
} from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useMay, useSession } from '../api/session.tsx'
import { useAction, useApi } from '../api/use-api.ts'
import { toBaseUnits } from '../lib/money.ts'
import { Curl } from '../parts/curl.tsx'
import { DataTable } from '../parts/data-table.tsx'
import { Empty, Loaded, Page, Section } from '../parts/page.tsx'
import { chainName, Hash, Time } from '../parts/values.tsx'

interface Network {
  readonly blockchain: string
  readonly chainId?: number
  readonly rpcUrl: string
  readonly tokens: readonly { readonly symbol: string; readonly address: string; readonly decimals: number }[]
}
interface Mail {
  readonly id: number
  readonly to: string
  readonly subject: string
  readonly createdAt: string
}

const DAY_SECONDS = 86_400

/** The controls of the test world: money, time and failure. */
export function Sandbox() {
  const { environment } = useSession()
  const may = useMay()
  if (environment !== 'sandbox')
    return (
      <Page title="Sandbox">
        <Alert>Live has no sandbox: real chains have no faucet, and no clock that obeys.</Alert>
      </Page>
    )
  return (
    <Page
      title="Sandbox"
      description="Money, time and failure on demand"
      actions={
        <Button component={Link} to={'/app/start' as never} variant="default">
          The first five minutes
        </Button>
      }
    >
      {!may.administer && <Alert>Owners and admins use these controls; you see what they do.</Alert>}
      <SimpleGrid cols={{ base: 1, md: 3 }} spacing="sm">
        <Faucet disabled={!may.administer} />
        <Clock disabled={!may.administer} />
        <Faults disabled={!may.administer} />
      </SimpleGrid>
      <Networks />
      <Mailbox />
    </Page>
  )
}

interface ToolProps {
  readonly disabled: boolean
}

function Faucet({ disabled }: ToolProps) {
  const [fields, setFields] = useState({ walletAddress: '', blockchain: 'polygon', token: 'USDC', amount: '1000.00' })
  const give = useAction<{ txHash: string }>(({ txHash }) => `Sent with ${txHash.slice(0, 12)}….`)
  const units = toBaseUnits(fields.amount)
  const body = {
    walletAddress: fields.walletAddress.trim(),
    blockchain: fields.blockchain,
    token: fields.token,
    amount: String(units ?? 0n),
  }
  const set = (next: Partial<typeof fields>) => setFields((previous) => ({ ...previous, ...next }))
  return (
    <Section title="Faucet">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          give.mutate({ method: 'POST', path: '/v1/sandbox/faucet', body })
        }}
      >
        <Stack gap="sm">
          <TextInput
            label="Address"
            required
            value={fields.walletAddress}
            onChange={(event) => set({ walletAddress: event.currentTarget.value })}
            spellCheck={false}
          />
          <Group grow>
            <Select
              label="Chain"
              data={['polygon', 'ethereum', 'base', 'solana'].map((value) => ({ value, label: chainName(value) }))}
              value={fields.blockchain}
              onChange={(blockchain) => blockchain && set({ blockchain })}
              allowDeselect={false}
            />
            <Select
              label="Token"
              data={['USDC', 'USDT']}
              value={fields.token}
              onChange={(token) => token && set({ token })}
              allowDeselect={false}
            />
          </Group>
          <TextInput
            label="Amount"
            inputMode="decimal"
            value={fields.amount}
            onChange={(event) => set({ amount: event.currentTarget.value })}
            error={units === undefined ? 'An amount such as 1000.00' : undefined}
          />
          <Group justify="space-between">
            <Curl method="POST" path="/v1/sandbox/faucet" body={body} />
            <Button type="submit" loading={give.isPending} disabled={disabled || units === undefined}>
              Send
            </Button>
          </Group>
        </Stack>
      </form>
    </Section>
  )
}

function Clock({ disabled }: ToolProps) {
  const [days, setDays] = useState<number | string>(30)
  const advance = useAction<{ now: string }>(({ now }) => `On the chains it is now ${now.slice(0, 10)}.`)
  const body = { seconds: Math.max(1, Math.round(Number(days) * DAY_SECONDS)) }
  return (
    <Section title="Clock">
      <Stack gap="sm">
        <Text size="sm">
          Moves the time of all chains forward, day by day, so that interest accrues. It cannot go back.
        </Text>
        <NumberInput label="Days" min={1} max={365} allowDecimal={false} value={days} onChange={setDays} />
        <Group justify="space-between">
          <Curl method="POST" path="/v1/sandbox/advance-time" body={body} />
          <Button
            loading={advance.isPending}
            disabled={disabled || Number(days) < 1}
            onClick={() => advance.mutate({ method: 'POST', path: '/v1/sandbox/advance-time', body })}
          >
            Advance
          </Button>
        </Group>
      </Stack>
    </Section>
  )
}

const FAULTS = [
  { value: 'rpc_down', label: 'The endpoint is down' },
  { value: 'drop_next', label: 'The next transactions vanish' },
  { value: 'revert_next', label: 'The next transactions revert' },
  { value: 'delay_next', label: 'The next transactions are late' },
  { value: 'simulation_fails', label: 'Simulations fail' },
]

function Faults({ disabled }: ToolProps) {
  const [blockchain, setChain] = useState('polygon')
  const [fault, setFault] = useState('revert_next')
  const [count, setCount] = useState<number | string>(1)
  const make = useAction('The chain fails as asked.')
  const body = { blockchain, fault, count: Number(count) || 0 }
  return (
    <Section title="Faults">
      <Stack gap="sm">
        <Select
          label="Chain"
          data={['polygon', 'ethereum', 'base', 'solana'].map((value) => ({ value, label: chainName(value) }))}
          value={blockchain}
          onChange={(value) => value && setChain(value)}
          allowDeselect={false}
        />
        <Select
          label="What fails"
          data={FAULTS}
          value={fault}
          onChange={(value) => value && setFault(value)}
          allowDeselect={false}
        />
        <NumberInput label="How often" min={0} max={100} allowDecimal={false} value={count} onChange={setCount} />
        <Group justify="space-between">
          <Curl method="POST" path="/v1/sandbox/chain-faults" body={body} />
          <Button
            color="red.9"
            loading={make.isPending}
            disabled={disabled}
            onClick={() => make.mutate({ method: 'POST', path: '/v1/sandbox/chain-faults', body })}
          >
            Break it
          </Button>
        </Group>
      </Stack>
    </Section>
  )
}

function Networks() {
  const networks = useApi<Network[]>('/v1/sandbox/networks')
  return (
    <Section title="Chains" pad={false}>
      <DataTable
        label="Chains"
        path="/v1/sandbox/networks"
        query={networks}
        rows={(items) => ({ items, total: items.length })}
        id={({ blockchain }) => blockchain}
        columns={[
          { title: 'Chain', cell: ({ blockchain }) => chainName(blockchain), csv: ({ blockchain }) => blockchain },
          { title: 'Id', right: true, cell: ({ chainId }) => chainId ?? '–', csv: ({ chainId }) => chainId ?? '' },
          {
            title: 'Endpoint',
            wide: true,
            cell: ({ rpcUrl }) => (
              <Text size="sm" ff="monospace" span>
                {rpcUrl}
              </Text>
            ),
            csv: ({ rpcUrl }) => rpcUrl,
          },
          {
            title: 'Tokens',
            cell: ({ tokens }) => (
              <Group gap="md">
                {tokens.map(({ symbol, address }) => (
                  <Hash key={symbol} value={address} label={symbol} length={4} />
                ))}
              </Group>
            ),
            csv: ({ tokens }) => tokens.map(({ symbol, address }) => `${symbol} ${address}`).join(' '),
          },
        ]}
        empty={<Empty title="No chain" />}
      />
    </Section>
  )
}

function Mailbox() {
  const mails = useApi<Mail[]>('/sandbox/mailbox?limit=25&offset=0')
  const [shown, setShown] = useState<number>()
  const mail = useApi<Mail & { text: string }>(shown === undefined ? null : `/sandbox/mailbox/${shown}`)
  if (mails.error)
    return (
      <Text size="sm" c="dimmed">
        The mailbox opens only in a browser on the machine of the service, or mail goes to a server.
      </Text>
    )
  return (
    <Section title="Mailbox" pad={false}>
      <DataTable
        label="Mails"
        path="/sandbox/mailbox"
        query={mails}
        rows={(items, { total }) => ({ items, total: total ?? items.length })}
        id={({ id }) => id}
        onOpen={({ id }) => setShown(id)}
        columns={[
          { title: 'To', cell: ({ to }) => to, csv: ({ to }) => to },
          { title: 'Subject', cell: ({ subject }) => subject, csv: ({ subject }) => subject },
          {
            title: 'When',
            right: true,
            cell: ({ createdAt }) => <Time iso={createdAt} />,
            csv: ({ createdAt }) => createdAt,
          },
        ]}
        empty={<Empty title="No mail yet">What the service would send by mail arrives here.</Empty>}
      />
      <Drawer opened={shown !== undefined} onClose={() => setShown(undefined)} title="Mail">
        <Loaded query={mail} height={200}>
          {({ text, subject }) => (
            <Stack>
              <Text fw={600}>{subject}</Text>
              <Code block tabIndex={0} className="curl">
                {text}
              </Code>
              {linksIn(text).map((link) => (
                <Anchor key={link} href={link} size="sm">
                  Open its link
                </Anchor>
              ))}
            </Stack>
          )}
        </Loaded>
      </Drawer>
    </Section>
  )
}

/** Links to this service only: a mail is text of others. */
const linksIn = (text: string) =>
  (text.match(/https?:\/\/\S+/g) ?? []).filter((link) => URL.parse(link)?.origin === location.origin)
