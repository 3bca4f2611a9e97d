import { isDeepStrictEqual } from 'node:util'
import Type, { type Static } from 'typebox'
import { isBlockchain } from '../../../chains/index.ts'
import type { RampDirection } from '../../../database/index.ts'
import { NAME_LENGTH_MAX, validationError } from '../../../kernel/index.ts'
import type { BankDetails, WalletSelector } from '../../../ramp/index.ts'
import { alternatives, blockchainText, id } from '../../http/index.ts'
import { rail } from './schemas.ts'

/** Bodies that open an account. Fields are accepted in snake_case and camelCase (contract 11). */

const text = (description: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: NAME_LENGTH_MAX, description }))
const walletFields = {
  walletAddress: text('Alias of wallet_address.'),
  wallet_address: text('Address of a registered wallet; an alternative to its id, together with `blockchain`.'),
  blockchain: Type.Optional(
    blockchainText('Blockchain of wallet_address.', { minLength: 1, maxLength: NAME_LENGTH_MAX }),
  ),
  rail: Type.Optional(rail),
}
const OnrampFields = Type.Object({
  destination_wallet_id: Type.Optional(id('Wallet that receives the payments.')),
  destinationWalletId: Type.Optional(id('Alias of destination_wallet_id.')),
  org_wallet_id: Type.Optional(id('Alias of destination_wallet_id.')),
  orgWalletId: Type.Optional(id('Alias of destination_wallet_id.')),
  destination_asset: text('Token to deliver. Defaults to USDC.'),
  destinationAsset: text('Alias of destination_asset.'),
  ...walletFields,
})

const line = (description: string) => Type.String({ minLength: 1, maxLength: NAME_LENGTH_MAX, description })
const routing = Type.String({
  pattern: '^[0-9]{9}$',
  description: 'ABA routing number: nine digits, the last of which is a check digit.',
})
const number = Type.String({
  pattern: '^[0-9]{4,17}$',
  description: 'Account number; only its last four digits are returned later.',
})
const kind = Type.Enum(['checking', 'savings'], { description: 'Type of the account.' })
const bankSnake = Type.Object(
  {
    routing_number: routing,
    account_number: number,
    account_type: kind,
    account_holder_name: line('Name of the account holder.'),
    bank_name: line('Name of the bank.'),
  },
  { description: 'Bank account that receives the payouts.' },
)
const bankCamel = Type.Object(
  {
    routingNumber: routing,
    accountNumber: number,
    accountType: kind,
    accountHolderName: line('Name of the account holder.'),
    bankName: line('Name of the bank.'),
  },
  { description: 'The same as bank_details, in camelCase.' },
)
const OfframpFields = Type.Object({
  org_wallet_id: Type.Optional(
    id('Wallet that determines the chain of the deposit address; returned tokens may go to it.'),
  ),
  orgWalletId: Type.Optional(id('Alias of org_wallet_id.')),
  source_asset: text('Token to pay out. Defaults to USDC.'),
  sourceAsset: text('Alias of source_asset.'),
  bank_details: Type.Optional(bankSnake),
  bankDetails: Type.Optional(bankCamel),
  ...walletFields,
})

const byAddress = [
  { title: 'By wallet address', requires: ['wallet_address', 'blockchain'] },
  { title: 'By walletAddress', requires: ['walletAddress', 'blockchain'] },
]
const byId = (...names: string[]) => names.map((name) => ({ title: `By ${name}`, requires: [name] }))

export const OnrampBody = alternatives('anyOf', OnrampFields, [
  ...byId('destination_wallet_id', 'destinationWalletId', 'org_wallet_id', 'orgWalletId'),
  ...byAddress,
])
export const OfframpBody = alternatives(
  'anyOf',
  OfframpFields,
  [...byId('org_wallet_id', 'orgWalletId'), ...byAddress].flatMap(({ title, requires }) =>
    ['bank_details', 'bankDetails'].map((bank) => ({
      title: `${title}, with ${bank}`,
      requires: [...requires, bank],
    })),
  ),
)

export type AccountBody = Static<typeof OnrampFields> & Static<typeof OfframpFields>

const SENT_TWICE = 'is sent twice with different values'

/** The value of a field in either spelling. Error: VALIDATION_ERROR if both are sent with different values. */
function spellingOf<T>(field: string, ...spellings: (T | undefined)[]): T | undefined {
  const values = [...new Set(spellings.filter((value) => value !== undefined))]
  if (values.length > 1) throw validationError(field, SENT_TWICE)
  return values[0]
}

/** The wallet that a body refers to, by id or by address. Error: VALIDATION_ERROR. */
export function walletOf(body: AccountBody, field: string): WalletSelector {
  const walletId = spellingOf(
    field,
    body.destination_wallet_id,
    body.destinationWalletId,
    body.org_wallet_id,
    body.orgWalletId,
  )
  const address = spellingOf('wallet_address', body.wallet_address, body.walletAddress)
  const blockchain = body.blockchain?.toLowerCase()
  if (walletId === undefined && address === undefined) {
    throw validationError(field, 'is required, or wallet_address with blockchain')
  }
  if (blockchain !== undefined && isBlockchain(blockchain)) {
    return walletId === undefined ? { address: address!, blockchain } : { walletId, address, blockchain }
  }
  if (blockchain !== undefined || walletId === undefined) {
    throw validationError('blockchain', 'must be the blockchain of the wallet address')
  }
  return { walletId, address }
}

/** The token of a body; USDC by default. Error: VALIDATION_ERROR. */
export function assetOf(body: AccountBody, direction: RampDirection): string {
  const asset =
    direction === 'onramp'
      ? spellingOf('destination_asset', body.destination_asset, body.destinationAsset)
      : spellingOf('source_asset', body.source_asset, body.sourceAsset)
  return asset ?? 'USDC'
}

/** The bank account of a body. Error: VALIDATION_ERROR, including if the two spellings name different accounts. */
export function bankOf({ bank_details: snake, bankDetails: camel }: AccountBody): BankDetails {
  const [bank, other] = [snake && bankFromSnake(snake), camel && bankFromCamel(camel)]
  if (bank && other && !isDeepStrictEqual(bank, other)) throw validationError('bank_details', SENT_TWICE)
  const sent = bank ?? other
  if (!sent) throw validationError('bank_details', 'is required')
  return sent
}

function bankFromCamel(camel: Static<typeof bankCamel>): BankDetails {
  const { routingNumber, accountNumber, accountType, accountHolderName: holderName, bankName } = camel
  return { routingNumber, accountNumber, accountType, holderName, bankName }
}

function bankFromSnake(snake: Static<typeof bankSnake>): BankDetails {
  return {
    routingNumber: snake.routing_number,
    accountNumber: snake.account_number,
    accountType: snake.account_type,
    holderName: snake.account_holder_name,
    bankName: snake.bank_name,
  }
}
