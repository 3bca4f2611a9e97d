import type { RampRail } from '../../database/index.ts'
import { Failure, validationError } from '../../kernel/index.ts'
import type { AccountRequest } from '../provider/port.ts'

/** Chains and dollar tokens that the partner supports; it converts them at par. */
const CHAINS = ['ethereum', 'polygon', 'base', 'solana']
const TOKENS = ['USDC', 'USDT', 'USDB', 'PYUSD', 'DAI']

/** Error: ASSET_NOT_SUPPORTED. */
export function currencyOf({ asset, blockchain }: AccountRequest): string {
  if (TOKENS.includes(asset.toUpperCase()) && CHAINS.includes(blockchain)) return asset.toLowerCase()
  throw new Failure('ASSET_NOT_SUPPORTED', {
    message: `The banking partner does not support ${asset} on ${blockchain}.`,
  })
}

/** The partner's payout rail. SWIFT needs a kind of bank account that Weir does not support. Error: VALIDATION_ERROR. */
export function payoutRailOf(rail: RampRail): 'ach' | 'wire' {
  if (rail === 'swift')
    throw validationError('rail', 'must be ach or fedwire: the banking partner pays out to US accounts')
  return rail === 'ach' ? 'ach' : 'wire'
}

/** Maps the partner's rail to ours; rails of other currencies have none. */
export function railOf(name: string | undefined): RampRail | undefined {
  if (name === undefined) return undefined
  if (name.startsWith('ach')) return 'ach'
  return name === 'wire' ? 'fedwire' : name === 'swift' ? 'swift' : undefined
}
