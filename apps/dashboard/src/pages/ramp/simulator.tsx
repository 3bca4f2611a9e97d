import { Select, Text, TextInput } from '@mantine/core'
import { textOf } from '../../api/refusal-text.ts'
import type { Data, Schema } from '../../api/types.ts'
import { useApi } from '../../api/use-api.ts'
import { useFields } from '../../lib/forms/use-fields.ts'
import { isAmount, plain } from '../../lib/money/money.ts'
import { FormDialog } from '../../parts/forms/form-dialog.tsx'
import { chainName, Money, words } from '../../parts/values.tsx'

/** Digits of a dollar after the point. */
const CENTS = 2

interface SimulatorProps {
  /** Whose account it is, as a path. */
  readonly owner: string
  readonly account: Schema<'OnrampAccount'> | Schema<'OfframpAccount'>
  readonly onSent: () => void
  readonly onClose: () => void
}

/** The sandbox's bank: pays in, or takes tokens and pays out, with the ending that you choose. */
export function Simulator({ owner, account, onSent, onClose }: SimulatorProps) {
  const route =
    'destination_wallet' in account
      ? {
          isIn: true,
          asset: account.destination_asset,
          blockchain: account.destination_wallet.network,
          bank: account.bank_name,
        }
      : {
          isIn: false,
          asset: account.source_asset,
          blockchain: account.network_id,
          bank: `${account.fiat_bank_name} ${account.fiat_account_number}`,
        }
  const { isIn, asset, blockchain, bank } = route
  const { fields, bind, choose, mark } = useFields({ amount: isIn ? '50000' : '10000', scenario: 'success' })
  const isDollars = isAmount(fields.amount, CENTS)
  const quote = useApi<Data<'quoteRamp'>>(
    isDollars
      ? `/v1/ramp/quote?type=${isIn ? 'onramp' : 'offramp'}&usd_amount=${plain(fields.amount)}&asset=${asset}&blockchain=${blockchain}`
      : null,
  )
  const body = {
    scenario: fields.scenario,
    usd_amount: Number(plain(fields.amount)),
    step_delay_ms: 500,
    [isIn ? 'onramp_account_id' : 'offramp_account_id']: account.id,
  }
  const crypto = `${asset} on ${chainName(blockchain)}`
  return (
    <FormDialog
      title={isIn ? 'Simulate a payment in' : 'Simulate a payout'}
      action={{
        method: 'POST',
        path: `${owner}/${isIn ? 'simulate-transaction' : 'simulate-offramp-transaction'}`,
        body,
      }}
      submit={isIn ? 'Pay in' : 'Pay out'}
      done="The payment is on its way."
      ready={isDollars && !quote.error}
      onDone={onSent}
      onRefused={mark}
      onClose={onClose}
    >
      <Text size="sm">
        {isIn
          ? `The simulator wires dollars to your account at ${bank}; they become ${crypto}.`
          : `The simulator sends ${crypto} to the account's address; dollars go to ${bank}.`}
      </Text>
      <TextInput
        label="Amount"
        inputMode="decimal"
        rightSection={
          <Text size="xs" c="dimmed">
            USD
          </Text>
        }
        {...bind('amount')}
        error={isDollars ? quote.error && textOf(quote.error) : 'Enter an amount such as 50000'}
      />
      <Select
        label="Outcome"
        data={['success', 'failed', 'rejected', 'reversed'].map((value) => ({ value, label: words(value) }))}
        {...choose('scenario')}
      />
      <Text size="sm" c="dimmed" mih={20}>
        {quote.data && (
          <>
            Fee <Money amount={quote.data.data.total_fee} token="USD" />, delivers{' '}
            <Money
              amount={isIn ? quote.data.data.delivered_amount : quote.data.data.net_amount}
              token={isIn ? quote.data.data.destination_asset : 'USD'}
            />
          </>
        )}
      </Text>
    </FormDialog>
  )
}
