import Type, { type Static } from 'typebox'
import { isBlockchain } from '../../../chains/index.ts'
import type { RampDirection } from '../../../database/index.ts'
import { NAME_LENGTH_MAX, validationError } from '../../../kernel/index.ts'
import type { BankDetails, WalletSelector } from '../../../ramp/index.ts'
import { id } from '../../http/index.ts'
import { rail } from './schemas.ts'

/** What opens an account: names in either spelling are taken (contract 11). */

const text = (description: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: NAME_LENGTH_MAX, description }))
const walletFields = {
  walletAddress: text('The same as wallet_address.'),
  wallet_address: text('Address of a registered wallet, with `blockchain`, in place of its id.'),
  blockchain: text('Blockchain of that address.'),
  rail: Type.Optional(rail),
}
export const OnrampBody = Type.Object({
  destination_wallet_id: Type.Optional(id('Wallet that payments arrive in.')),
  destinationWalletId: Type.Optional(id('The same.')),
  org_wallet_id: Type.Optional(id('The same.')),
  orgWalletId: Type.Optional(id('The same.')),
  destination_asset: text('Token that payments arrive as; USDC unless you say otherwise.'),
  destinationAsset: text('The same.'),
  ...walletFields,
})

const line = (description: string) => Type.String({ minLength: 1, maxLength: NAME_LENGTH_MAX, description })
const routing = Type.String({
  pattern: '^[0-9]{9}$',
  description: 'ABA routing number: nine digits, the last a check digit.',
})
const number = Type.String({ pattern: '^[0-9]{4,17}$', description: 'Account number; never shown whole again.' })
const kind = Type.Enum(['checking', 'savings'], { description: 'Type of the account.' })
const bankSnake = Type.Object(
  {
    routing_number: routing,
    account_number: number,
    account_type: kind,
    account_holder_name: line('Who is paid.'),
    bank_name: line('Bank that is paid.'),
  },
  { description: 'Bank account that is paid out to.' },
)
const bankCamel = Type.Object(
  {
    routingNumber: routing,
    accountNumber: number,
    accountType: kind,
    accountHolderName: line('Who is paid.'),
    bankName: line('Bank that is paid.'),
  },
  { description: 'The same as bank_details, in other letters.' },
)
export const OfframpBody = Type.Object({
  org_wallet_id: Type.Optional(id('Wallet whose chain the deposit address is on; returned tokens may go to it.')),
  orgWalletId: Type.Optional(id('The same.')),
  source_asset: text('Token that is paid out; USDC unless you say otherwise.'),
  sourceAsset: text('The same.'),
  bank_details: Type.Optional(bankSnake),
  bankDetails: Type.Optional(bankCamel),
  ...walletFields,
})

export type AccountBody = Static<typeof OnrampBody> & Static<typeof OfframpBody>

/** What a body says in either spelling. Error: VALIDATION_ERROR where it says two things. */
function spellingOf<T>(field: string, ...spellings: (T | undefined)[]): T | undefined {
  const given = [...new Set(spellings.filter((one) => one !== undefined))]
  if (given.length > 1) throw validationError(field, 'is given twice, and differently')
  return given[0]
}

/** The wallet that a body names, in whichever of the ways. Error: VALIDATION_ERROR. */
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

/** The token that a body names; USDC unless it says otherwise. Error: VALIDATION_ERROR. */
export function assetOf(body: AccountBody, direction: RampDirection): string {
  const asked =
    direction === 'onramp'
      ? spellingOf('destination_asset', body.destination_asset, body.destinationAsset)
      : spellingOf('source_asset', body.source_asset, body.sourceAsset)
  return asked ?? 'USDC'
}

export function bankOf({ bank_details: snake, bankDetails: camel }: AccountBody): BankDetails {
  if (camel) {
    const { accountHolderName: holderName, ...rest } = camel
    return { ...rest, holderName }
  }
  if (!snake) throw validationError('bank_details', 'is required')
  return {
    routingNumber: snake.routing_number,
    accountNumber: snake.account_number,
    accountType: snake.account_type,
    holderName: snake.account_holder_name,
    bankName: snake.bank_name,
  }
}
