import { Button, Group, Modal, Select, SimpleGrid, Stack, Text, TextInput } from '@mantine/core'
import { type FormEvent, type ReactNode, useState } from 'react'
import type { OrgWallet } from '../api/types.ts'
import type { Action } from '../api/use-api.ts'
import { useAction, useApi } from '../api/use-api.ts'
import { signedUnits } from '../lib/money.ts'
import { Curl } from '../parts/curl.tsx'
import { chainName, Money } from '../parts/values.tsx'
import type { OfframpAccount, OnrampAccount } from './ramp.tsx'

interface FormProps {
  readonly title: string
  readonly action: Action
  readonly submit: string
  readonly done: string
  readonly ready?: boolean
  readonly onClose: () => void
  readonly children: ReactNode
}

/** A form that is one request; the request is there to copy before it is sent. */
export function FormDialog({ title, action, submit, done, ready = true, onClose, children }: FormProps) {
  const send = useAction(done, onClose)
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    send.mutate(action)
  }
  return (
    <Modal opened onClose={onClose} title={title}>
      <form onSubmit={onSubmit}>
        <Stack>
          {children}
          <Group justify="space-between">
            <Curl method={action.method} path={action.path} body={action.body} />
            <Group gap="xs">
              <Button variant="default" onClick={onClose}>
                Cancel
              </Button>
              <Button type="submit" loading={send.isPending} disabled={!ready}>
                {submit}
              </Button>
            </Group>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}

function useFields<T extends Record<string, string>>(initial: T) {
  const [fields, setFields] = useState(initial)
  const bind = (name: keyof T & string) => ({
    value: fields[name],
    onChange: (event: { currentTarget: { value: string } }) => {
      const { value } = event.currentTarget
      setFields((previous) => ({ ...previous, [name]: value }))
    },
  })
  const choose = (name: keyof T & string) => ({
    value: fields[name] ?? null,
    onChange: (value: string | null) => setFields((previous) => ({ ...previous, [name]: value ?? '' })),
    allowDeselect: false,
  })
  return { fields, bind, choose }
}

function useWalletChoices(): { readonly value: string; readonly label: string }[] {
  const wallets = useApi<OrgWallet[]>('/api/core/wallets?limit=100&offset=0')
  return (wallets.data?.data ?? []).map(({ id, label, address, blockchain }) => ({
    value: String(id),
    label: `${label || address.slice(0, 10)} on ${chainName(blockchain)}`,
  }))
}

export function NewOnrampAccount({ onClose }: { readonly onClose: () => void }) {
  const { fields, choose } = useFields({ wallet: '', asset: 'USDC' })
  const choices = useWalletChoices()
  const body = { destination_wallet_id: Number(fields.wallet), destination_asset: fields.asset }
  return (
    <FormDialog
      title="An account that brings money in"
      action={{ method: 'POST', path: '/v1/ramp/org/onramp-accounts', body }}
      submit="Open"
      done="The account is open."
      ready={fields.wallet !== ''}
      onClose={onClose}
    >
      <Select
        label="Wallet that receives the tokens"
        data={choices}
        required
        {...choose('wallet')}
        nothingFoundMessage="Add a wallet first"
      />
      <Select label="Token" data={['USDC', 'USDT']} {...choose('asset')} />
    </FormDialog>
  )
}

export function NewOfframpAccount({ onClose }: { readonly onClose: () => void }) {
  const { fields, bind, choose } = useFields({
    wallet: '',
    asset: 'USDC',
    rail: 'ach',
    routing_number: '',
    account_number: '',
    account_type: 'checking',
    account_holder_name: '',
    bank_name: '',
  })
  const choices = useWalletChoices()
  const { wallet, asset, rail, routing_number, account_number, account_type, account_holder_name, bank_name } = fields
  const body = {
    org_wallet_id: Number(wallet),
    source_asset: asset,
    rail,
    bank_details: { routing_number, account_number, account_type, account_holder_name, bank_name },
  }
  const ready = [wallet, routing_number, account_number, account_holder_name, bank_name].every((each) => each !== '')
  return (
    <FormDialog
      title="A bank account to pay out to"
      action={{ method: 'POST', path: '/v1/ramp/org/offramp-accounts', body }}
      submit="Add"
      done="Tokens sent to its address are paid out."
      ready={ready}
      onClose={onClose}
    >
      <Select
        label="Wallet that pays"
        data={choices}
        required
        {...choose('wallet')}
        nothingFoundMessage="Add a wallet first"
      />
      <SimpleGrid cols={2}>
        <Select label="Token" data={['USDC', 'USDT']} {...choose('asset')} />
        <Select label="Rail" data={['ach', 'fedwire', 'swift']} {...choose('rail')} />
        <TextInput label="Bank" required {...bind('bank_name')} />
        <TextInput label="Account holder" required {...bind('account_holder_name')} />
        <TextInput label="Routing number" required inputMode="numeric" {...bind('routing_number')} />
        <TextInput label="Account number" required inputMode="numeric" {...bind('account_number')} />
        <Select label="Kind" data={['checking', 'savings']} {...choose('account_type')} />
      </SimpleGrid>
    </FormDialog>
  )
}

export function NewRecipient({ onClose }: { readonly onClose: () => void }) {
  const { fields, bind, choose } = useFields({ name: '', type: 'business', external_id: '' })
  const { name, type, external_id } = fields
  const body = { name, type, ...(external_id && { external_id }) }
  return (
    <FormDialog
      title="A recipient"
      action={{ method: 'POST', path: '/v1/ramp/recipients', body }}
      submit="Add"
      done="The recipient is added; it must be verified next."
      ready={name !== ''}
      onClose={onClose}
    >
      <TextInput label="Name" required maxLength={200} {...bind('name')} />
      <Select label="Kind" data={['business', 'individual']} {...choose('type')} />
      <TextInput label="Your own id" description="Optional" {...bind('external_id')} />
    </FormDialog>
  )
}

interface SimulatorProps {
  readonly onramp: readonly OnrampAccount[]
  readonly offramp: readonly OfframpAccount[]
  readonly onClose: () => void
}

/** The sandbox's bank: pays in, or takes tokens and pays out, with the ending that you choose. */
export function Simulator({ onramp, offramp, onClose }: SimulatorProps) {
  const { fields, bind, choose } = useFields({
    account: onramp[0] ? `on:${onramp[0].id}` : `off:${offramp[0]?.id ?? ''}`,
    amount: '50000',
    scenario: 'success',
  })
  const [direction, id] = fields.account.split(':')
  const isIn = direction === 'on'
  const accounts = [
    ...onramp.map((each) => ({
      value: `on:${each.id}`,
      label: `In: ${each.bank_name} to ${each.destination_asset} on ${chainName(each.destination_wallet.network)}`,
    })),
    ...offramp.map((each) => ({
      value: `off:${each.id}`,
      label: `Out: ${each.source_asset} to ${each.fiat_bank_name} ${each.fiat_account_number}`,
    })),
  ]
  const units = signedUnits(fields.amount)
  const quote = useApi<{ total_fee: string; delivered_amount: string; destination_asset: string }>(
    units
      ? `/v1/ramp/quote?type=${isIn ? 'onramp' : 'offramp'}&usd_amount=${fields.amount.trim()}&asset=USDC&blockchain=polygon`
      : null,
  )
  const body = {
    scenario: fields.scenario,
    usd_amount: Number(fields.amount),
    step_delay_ms: 500,
    [isIn ? 'onramp_account_id' : 'offramp_account_id']: Number(id),
  }
  return (
    <FormDialog
      title="Simulate a payment"
      action={{
        method: 'POST',
        path: `/v1/ramp/org/${isIn ? 'simulate-transaction' : 'simulate-offramp-transaction'}`,
        body,
      }}
      submit="Send"
      done="The payment is on its way: see Payments."
      ready={units !== undefined}
      onClose={onClose}
    >
      <Select label="Account" data={accounts} {...choose('account')} />
      <TextInput
        label="Amount"
        inputMode="decimal"
        rightSection={
          <Text size="xs" c="dimmed">
            USD
          </Text>
        }
        {...bind('amount')}
        error={units === undefined ? 'An amount such as 50000' : undefined}
      />
      <Select label="Ending" data={['success', 'failed', 'rejected', 'reversed']} {...choose('scenario')} />
      <Text size="sm" c="dimmed" mih={20}>
        {quote.data && (
          <>
            Fee <Money amount={quote.data.data.total_fee} token="USD" />, delivers{' '}
            <Money amount={quote.data.data.delivered_amount} token={quote.data.data.destination_asset} />
          </>
        )}
      </Text>
    </FormDialog>
  )
}
