import type { RampRail } from '../../database/index.ts'
import { Failure, validationError } from '../../kernel/index.ts'
import type { AccountRequest } from '../provider/port.ts'

/** The partner's names of our chains and dollar tokens; it converts them at par. */
const CHAINS = ['ethereum', 'polygon', 'base', 'solana']
const TOKENS = ['USDC', 'USDT', 'USDB', 'PYUSD', 'DAI']

/** Error: ASSET_NOT_SUPPORTED. */
export function currencyOf({ asset, blockchain }: AccountRequest): string {
  if (TOKENS.includes(asset.toUpperCase()) && CHAINS.includes(blockchain)) return asset.toLowerCase()
  throw new Failure('ASSET_NOT_SUPPORTED', { message: `The banking partner does not ramp ${asset} on ${blockchain}.` })
}

/** How a bank account is paid. SWIFT needs another kind of bank account than ours. Error: VALIDATION_ERROR. */
export function payoutRailOf(rail: RampRail): 'ach' | 'wire' {
  if (rail === 'swift')
    throw validationError('rail', 'must be ach or fedwire: the banking partner pays out to US accounts')
  return rail === 'ach' ? 'ach' : 'wire'
}

/** Our name of the partner's rail; those of other currencies have none. */
export function railOf(name: string | undefined): RampRail | undefined {
  if (name === undefined) return undefined
  if (name.startsWith('ach')) return 'ach'
  return name === 'wire' ? 'fedwire' : name === 'swift' ? 'swift' : undefined
}
