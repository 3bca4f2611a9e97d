import Type from 'typebox'
import { RAMP_STATUSES } from '../../../ramp/index.ts'
import { createdBy } from './created-by.ts'
import { baseUnits, blockchainText, dateTime, orNull } from './fields.ts'
import { id } from './ids.ts'

/** Ramp money in USD: a string with two decimal places (contract 11). */
export const usd = (description: string) =>
  Type.String({ pattern: '^[0-9]+\\.[0-9]{2}$', description: `${description} USD.` })

export const RAMP_TYPES = ['onramp', 'offramp'] as const

const status = Type.Enum([...RAMP_STATUSES], {
  $id: 'RampTransactionStatus',
  description: 'Status of the ramp transaction.',
})

/** The record of a ramp transaction, in responses and in events (contract 11, 12). */
export const rampTransactionFields = {
  id: id('Ramp transaction id.'),
  type: Type.Enum([...RAMP_TYPES], {
    $id: 'RampTransactionType',
    description: 'onramp: from a bank to a chain; offramp: from a chain to a bank.',
  }),
  ramp_recipient_id: orNull(id('Recipient id; null for the organization itself.')),
  ramp_recipient_name: orNull(Type.String({ description: 'Name of the recipient; null for the organization itself.' })),
  account_id: id('On-ramp or off-ramp account id.'),
  source_asset: Type.String({ description: 'On-ramp: USD. Off-ramp: the token received.' }),
  destination_asset: Type.String({ description: 'On-ramp: the token delivered. Off-ramp: USD.' }),
  network_id: blockchainText('Blockchain, lower case.'),
  usd_amount: usd('Gross amount, including the fee.'),
  total_fee: usd('Fee on the terms in force when the transaction was created.'),
  developer_fee: usd('Your share of the fee.'),
  charged_fee: Type.Optional(usd('Fee that was charged: total_fee once completed, else 0.00. Sums to the summary.')),
  net_amount: Type.Optional(usd('usd_amount without total_fee.')),
  payout_amount: Type.Optional(
    orNull(usd('Off-ramp: amount that the bank received; null until completed, once reversed, and for on-ramp.')),
  ),
  delivered_amount: orNull(
    Type.String({
      description:
        'Decimal token amount. On-ramp: amount delivered; null until sent, or if it could not be sent. Off-ramp: amount received, including dust.',
    }),
  ),
  delivered_amount_base_units: orNull(baseUnits('The same amount as delivered_amount.')),
  dust_base_units: orNull(baseUnits('Off-ramp: amount received beyond the last whole cent; null for on-ramp.')),
  exchange_rate: Type.String({ description: 'USD per token.' }),
  payment_rail: Type.String({ description: 'ach, fedwire or swift.' }),
  payment_reference: Type.String({ description: 'Reference on the bank statement.' }),
  tx_hash: orNull(
    Type.String({ description: 'On-ramp: hash of the delivery. Off-ramp: hash of the deposit. Null until known.' }),
  ),
  return_tx_hash: orNull(
    Type.String({
      description: 'Off-ramp: hash of the transaction that returned the tokens; null until it is final.',
    }),
  ),
  status,
  status_history: Type.Array(Type.Object({ status, timestamp: dateTime('When this status was reached.') }), {
    description: 'Every status so far, oldest first.',
  }),
  failure_reason: orNull(
    Type.String({
      description: 'Machine-readable reason why the transaction failed, was rejected or was reversed; null otherwise.',
    }),
  ),
  created_at: dateTime('When the transaction was created.'),
  created_by: Type.Optional(createdBy('Who simulated the payment; absent for real payments.')),
  completed_at: orNull(dateTime('When the transaction completed; null until then. Kept if it is reversed.')),
}

export const RampTransactionRecord = Type.Object(rampTransactionFields, {
  $id: 'RampTransaction',
  description: 'A payment between a bank and a chain.',
})
