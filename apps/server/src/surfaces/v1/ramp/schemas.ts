import Type from 'typebox'
import { parseDecimal, validationError } from '../../../kernel/index.ts'
import {
  formatDollars,
  maskAccountNumber,
  RAMP_STATUSES,
  type RampAccount,
  type RampRecord,
  type RampTransaction,
  rampRecordOf,
} from '../../../ramp/index.ts'
import { id } from '../../http/index.ts'
import { baseUnits, blockchain, dateTime, orNull } from '../schemas.ts'

/** Money of the ramp is text with two digits after the point (contract 11). */
export const usd = (description: string) =>
  Type.String({ pattern: '^[0-9]+\\.[0-9]{2}$', description: `${description} USD.` })

export const KYB_STATUSES = ['pending', 'submitted', 'approved', 'declined'] as const
const RAILS = ['ach', 'fedwire', 'swift'] as const
export const TYPES = ['onramp', 'offramp'] as const

export const kybStatus = Type.Enum([...KYB_STATUSES], {
  description: 'pending: begun; submitted: the form was sent; then approved or declined.',
})
export const rail = Type.Enum([...RAILS], { description: 'How the bank moves the money.' })
const status = Type.Enum([...RAMP_STATUSES], { description: 'Where the money is on its way.' })
const network = Type.String({ description: 'Blockchain, lower case.' })

export const RampTransactionRecord = Type.Object(
  {
    id: id('Ramp transaction id.'),
    type: Type.Enum([...TYPES], { description: 'onramp: from a bank to a chain; offramp: from a chain to a bank.' }),
    ramp_recipient_id: orNull(id('Recipient; null for the organization itself.')),
    ramp_recipient_name: orNull(Type.String({ description: 'Its name.' })),
    account_id: id('On-ramp or off-ramp account that the money came by.'),
    source_asset: Type.String({ description: 'USD, or the token that arrived.' }),
    destination_asset: Type.String({ description: 'The token that is delivered, or USD.' }),
    network_id: network,
    usd_amount: usd('Whole amount, the fee included.'),
    total_fee: usd('Fee, as agreed when the transaction began.'),
    developer_fee: usd('Part of the fee that is your own.'),
    delivered_amount: orNull(
      Type.String({
        description:
          'Tokens, decimal. On-ramp: delivered, null until they are sent and where they could not be. Off-ramp: received, dust included.',
      }),
    ),
    delivered_amount_base_units: orNull(baseUnits('The same.')),
    dust_base_units: orNull(baseUnits('Off-ramp: what arrived beyond the last whole cent; null for on-ramp.')),
    exchange_rate: Type.String({ description: 'USD for one token.' }),
    payment_rail: Type.String({ description: 'ach, fedwire or swift.' }),
    payment_reference: Type.String({ description: 'What the bank statement says.' }),
    tx_hash: orNull(Type.String({ description: 'On-ramp: the delivery. Off-ramp: the deposit.' })),
    return_tx_hash: orNull(
      Type.String({ description: 'Off-ramp: the transaction that returned the tokens, once final.' }),
    ),
    status,
    status_history: Type.Array(Type.Object({ status, timestamp: dateTime('When it came there.') }), {
      description: 'Every status so far, oldest first.',
    }),
    failure_reason: orNull(
      Type.String({ description: 'Why it failed, was rejected or reversed; one word for programs.' }),
    ),
    created_at: dateTime('When it began.'),
    completed_at: orNull(dateTime('When it was completed; stays when it is reversed.')),
  },
  { $id: 'RampTransaction', description: 'Money on its way between a bank and a chain.' },
)

/** The record as its schema has it. */
export const presentTransaction = (transaction: RampTransaction): RampRecord => rampRecordOf(transaction)

export const Pagination = Type.Object(
  {
    page: Type.Integer({ description: 'Which page this is, from 1.' }),
    per_page: Type.Integer({ description: 'Entries asked for.' }),
    total: Type.Integer({ description: 'How many match.' }),
  },
  { $id: 'RampPagination', description: 'Where a page stands in its list.' },
)

const onrampFields = {
  id: id('On-ramp account id.'),
  routing_number: Type.String({ description: 'ABA routing number of the bank.' }),
  bank_name: Type.String({ description: 'Bank that holds the account.' }),
  capabilities: Type.Array(rail, { description: 'Rails that it takes, the one that it was opened for first.' }),
  status: Type.Enum(['active', 'archived'], { description: 'archived: with its recipient.' }),
  destination_asset: Type.String({ description: 'Token that payments arrive as.' }),
  network_id: network,
  destination_wallet: Type.Object(
    {
      id: id('Wallet id.'),
      name: Type.String({ description: 'Its label, else its shortened address.' }),
      address: Type.String({ description: 'Its address.' }),
      network: blockchain,
    },
    { description: 'Wallet that payments arrive in.' },
  ),
}

export const OnrampAccount = Type.Object(
  { ...onrampFields, account_number: Type.String({ description: 'Account number, whole: payers need it.' }) },
  { $id: 'OnrampAccount', description: 'A bank account whose payments arrive as tokens in a wallet.' },
)
export const MaskedOnrampAccount = Type.Object(
  { ...onrampFields, account_number: Type.String({ description: 'Last four digits: `****1234`.' }) },
  { $id: 'MaskedOnrampAccount', description: 'An on-ramp account where its number is not needed.' },
)

/** With its number, for whoever pays in. */
export const presentOnramp = (account: RampAccount) => ({
  id: account.accountId,
  account_number: account.accountNumber,
  routing_number: account.routingNumber,
  bank_name: account.bankName,
  capabilities: [...account.capabilities],
  status: account.status,
  destination_asset: account.asset,
  network_id: account.wallet.blockchain,
  destination_wallet: {
    id: account.wallet.walletId,
    name: account.wallet.label ?? shortened(account.wallet.address),
    address: account.wallet.address,
    network: account.wallet.blockchain as (typeof blockchain)['enum'][number],
  },
})

export const presentMaskedOnramp = (account: RampAccount) => ({
  ...presentOnramp(account),
  account_number: maskAccountNumber(account.accountNumber),
})

export const OfframpAccount = Type.Object(
  {
    id: id('Off-ramp account id.'),
    source_crypto_address: Type.String({ description: 'Deposit address: tokens that arrive here are paid out.' }),
    source_asset: Type.String({ description: 'Token that is paid out.' }),
    destination_asset: Type.String({ description: 'Currency that is paid out in.' }),
    network_id: network,
    rail,
    fiat_bank_name: Type.String({ description: 'Bank that is paid.' }),
    fiat_account_type: Type.String({ description: 'checking or savings.' }),
    fiat_account_holder_name: Type.String({ description: 'Who is paid.' }),
    fiat_account_number: Type.String({ description: 'Last four digits: `****1234`.' }),
    status: Type.Enum(['active', 'archived'], { description: 'archived: with its recipient.' }),
  },
  { $id: 'OfframpAccount', description: 'A deposit address of its own that pays out to a bank account.' },
)

export const presentOfframp = (account: RampAccount) => ({
  id: account.accountId,
  source_crypto_address: account.depositAddress ?? '',
  source_asset: account.asset,
  destination_asset: 'USD',
  network_id: account.wallet.blockchain,
  rail: account.rail,
  fiat_bank_name: account.bankName,
  fiat_account_type: account.accountType ?? '',
  fiat_account_holder_name: account.accountHolder ?? '',
  fiat_account_number: maskAccountNumber(account.accountNumber),
  status: account.status,
})

const shortened = (address: string) => `${address.slice(0, 6)}...${address.slice(-4)}`

/** Nobody simulates more than this, and no fee of it overflows anything. */
const USD_MOST = 100_000_000

export const usdNumber = (description: string) => Type.Number({ minimum: 0.01, maximum: USD_MOST, description })

/** Cents of an amount that came as a JSON number. Error: VALIDATION_ERROR where it is finer than a cent. */
export function centsOfNumber(path: string, amount: number): bigint {
  return centsOfText(path, String(amount))
}

/** Cents of an amount that came as text. Error: VALIDATION_ERROR. */
export function centsOfText(path: string, text: string): bigint {
  const cents = parseDecimal(text, 2)
  if (cents === undefined || cents === 0n || cents > BigInt(USD_MOST) * 100n) {
    throw validationError(
      path,
      `must be an amount from 0.01 to ${formatDollars(BigInt(USD_MOST) * 100n)} with at most two digits after the point`,
    )
  }
  return cents
}

export const reads = { access: { surface: 'v1', needs: 'read' }, limit: 'v1.read' } as const
export const writes = { access: { surface: 'v1', needs: 'write' }, limit: 'v1.write' } as const
