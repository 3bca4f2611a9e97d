import { Select, Text, TextInput } from '@mantine/core'
import type { Data, Schema } from '../../api/types.ts'
import { useApi } from '../../api/use-api.ts'
import { signedUnits } from '../../lib/money.ts'
import { useFields } from '../../lib/use-fields.ts'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { chainName, Money } from '../../parts/values.tsx'

interface SimulatorProps {
  readonly onramp: readonly Schema<'OnrampAccount'>[]
  readonly offramp: readonly Schema<'OfframpAccount'>[]
  readonly onSent: () => void
  readonly onClose: () => void
}

/** The sandbox's bank: pays in, or takes tokens and pays out, with the ending that you choose. */
export function Simulator({ onramp, offramp, onSent, onClose }: SimulatorProps) {
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
  const routes = new Map<string, { readonly asset: string; readonly blockchain: string }>([
    ...onramp.map(
      ({ id: each, destination_asset: asset, destination_wallet: { network } }) =>
        [`on:${each}`, { asset, blockchain: network }] as const,
    ),
    ...offramp.map(
      ({ id: each, source_asset: asset, network_id: blockchain }) => [`off:${each}`, { asset, blockchain }] as const,
    ),
  ])
  const route = routes.get(fields.account)
  const units = signedUnits(fields.amount)
  const quote = useApi<Data<'quoteRamp'>>(
    units && route
      ? `/v1/ramp/quote?type=${isIn ? 'onramp' : 'offramp'}&usd_amount=${fields.amount.trim()}&asset=${route.asset}&blockchain=${route.blockchain}`
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
      done="The payment is on its way."
      ready={units !== undefined}
      onDone={onSent}
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
