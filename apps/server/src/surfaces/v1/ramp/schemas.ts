import Type from 'typebox'
import { parseDecimal, RAMP_USD_MAX, validationError } from '../../../kernel/index.ts'
import {
  formatDollars,
  type RampAccount,
  type RampRecord,
  type RampTransaction,
  rampRecordOf,
} from '../../../ramp/index.ts'
import { id } from '../../http/index.ts'

export { RAMP_TYPES as TYPES, RampTransactionRecord, usd } from '../../http/index.ts'

import { blockchain, blockchainText } from '../schemas.ts'

export const KYB_STATUSES = ['pending', 'submitted', 'approved', 'declined'] as const
const RAILS = ['ach', 'fedwire', 'swift'] as const

export const kybStatus = Type.Enum([...KYB_STATUSES], {
  $id: 'KybState',
  description: 'pending: started. submitted: the form was submitted. Then approved or declined.',
})
export const rail = Type.Enum([...RAILS], { $id: 'PaymentRail', description: 'Payment rail of the bank.' })
const network = blockchainText('Blockchain, lower case.')

/** Presents a ramp transaction as its record. */
export const presentTransaction = (transaction: RampTransaction): RampRecord => rampRecordOf(transaction)

export const Pagination = Type.Object(
  {
    page: Type.Integer({ description: 'Page number, starting at 1.' }),
    per_page: Type.Integer({ description: 'Maximum number of entries per page.' }),
    total: Type.Integer({ description: 'Total number of matching entries.' }),
  },
  { $id: 'RampPagination', description: 'Position of a page in a list.' },
)

const onrampFields = {
  id: id('On-ramp account id.'),
  routing_number: Type.String({ description: 'ABA routing number of the bank.' }),
  bank_name: Type.String({ description: 'Bank that holds the account.' }),
  capabilities: Type.Array(rail, { description: 'Supported rails, first the one that the account was opened for.' }),
  status: Type.Enum(['active', 'archived'], { description: 'archived: its recipient was archived.' }),
  destination_asset: Type.String({ description: 'Token that is delivered for payments.' }),
  network_id: network,
  destination_wallet: Type.Object(
    {
      id: id('Wallet id.'),
      name: Type.String({ description: 'Label of the wallet, or its shortened address.' }),
      address: Type.String({ description: 'Address of the wallet.' }),
      network: blockchain,
    },
    { description: 'Wallet that receives the tokens.' },
  ),
}

export const OnrampAccount = Type.Object(
  { ...onrampFields, account_number: Type.String({ description: 'Full account number, for payers.' }) },
  { $id: 'OnrampAccount', description: 'A bank account. Payments to it arrive as tokens in a wallet.' },
)
export const MaskedOnrampAccount = Type.Object(
  { ...onrampFields, account_number: Type.String({ description: 'Last four digits: `****1234`.' }) },
  { $id: 'MaskedOnrampAccount', description: 'An on-ramp account with a masked account number.' },
)

/** Presents an on-ramp account with its full number, for payers. */
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
  account_number: account.maskedNumber,
})

export const OfframpAccount = Type.Object(
  {
    id: id('Off-ramp account id.'),
    source_crypto_address: Type.String({ description: 'Deposit address. Tokens sent to it are paid out.' }),
    source_asset: Type.String({ description: 'Token that is paid out.' }),
    destination_asset: Type.String({ description: 'Payout currency.' }),
    network_id: network,
    rail,
    fiat_bank_name: Type.String({ description: 'Name of the bank that receives payouts.' }),
    fiat_account_type: Type.String({ description: 'checking or savings.' }),
    fiat_account_holder_name: Type.String({ description: 'Name of the account holder.' }),
    fiat_account_number: Type.String({ description: 'Last four digits: `****1234`.' }),
    status: Type.Enum(['active', 'archived'], { description: 'archived: its recipient was archived.' }),
  },
  { $id: 'OfframpAccount', description: 'A deposit address that pays out to a bank account.' },
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
  fiat_account_number: account.maskedNumber,
  status: account.status,
})

const shortened = (address: string) => `${address.slice(0, 6)}...${address.slice(-4)}`

export const usdNumber = (description: string) => Type.Number({ minimum: 0.01, maximum: RAMP_USD_MAX, description })

/** Converts a JSON number to cents. Error: VALIDATION_ERROR if it has fractions of a cent. */
export function centsOfNumber(path: string, amount: number): bigint {
  return centsOfText(path, String(amount))
}

/** Converts a decimal string to cents. Error: VALIDATION_ERROR. */
export function centsOfText(path: string, text: string): bigint {
  const cents = parseDecimal(text, 2)
  if (cents === undefined || cents === 0n || cents > BigInt(RAMP_USD_MAX) * 100n) {
    throw validationError(
      path,
      `must be an amount from 0.01 to ${formatDollars(BigInt(RAMP_USD_MAX) * 100n)} with at most two decimal places`,
    )
  }
  return cents
}

export const reads = { access: { surface: 'v1', needs: 'read', permission: 'ramp' }, limit: 'v1.read' } as const
export const writes = { access: { surface: 'v1', needs: 'write', permission: 'ramp' }, limit: 'v1.write' } as const
