import Type from 'typebox'
import { EXTERNAL_ID_LENGTH_MAX, validationError } from '../../../kernel/index.ts'
import { addressSpellings, type WalletFilter } from '../../../wallets/index.ts'
import { id } from '../../http/index.ts'

/** Selects wallets by exactly one of the three fields (spec 4.6). */
export interface AllocationWalletSelector {
  walletAddress?: string
  walletId?: number
  userId?: string
}

export const walletSelectorFields = {
  walletAddress: Type.Optional(Type.String({ description: 'All wallets with this address.' })),
  walletId: Type.Optional(id('The wallet with this id.')),
  userId: Type.Optional(
    Type.String({ minLength: 1, maxLength: EXTERNAL_ID_LENGTH_MAX, description: 'All wallets of this user.' }),
  ),
}

/** Converts a selector to a filter. Errors: VALIDATION_ERROR (not exactly one), INVALID_ADDRESS. */
export function selectedWallets(selector: AllocationWalletSelector, blockchain: string | undefined): WalletFilter {
  const { walletAddress, walletId, userId } = selector
  const sent = [walletAddress, walletId, userId].filter((value) => value !== undefined)
  if (sent.length !== 1) {
    throw validationError('walletAddress', 'exactly one of walletAddress, walletId and userId is required')
  }
  return walletAddress === undefined ? { walletId, userId } : { address: addressSpellings(walletAddress), blockchain }
}
