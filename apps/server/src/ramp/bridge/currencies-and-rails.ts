import { type Blockchain, isBlockchain } from '../../chains/index.ts'
import type { RampRail } from '../../database/index.ts'
import { Failure, validationError } from '../../kernel/index.ts'
import type { AccountRequest } from '../provider/port.ts'

/** Whether the partner supports a chain: the compiler asks for each chain that Weir serves. */
const SUPPORTS = { ethereum: true, polygon: true, base: true, solana: true } satisfies Record<Blockchain, boolean>
/** Dollar tokens that the partner supports; it converts them at par. */
const TOKENS = ['USDC', 'USDT', 'USDB', 'PYUSD', 'DAI']

/** Error: ASSET_NOT_SUPPORTED. */
export function currencyOf({ asset, blockchain }: AccountRequest): string {
  const isSupported = isBlockchain(blockchain) && SUPPORTS[blockchain]
  if (isSupported && TOKENS.includes(asset.toUpperCase())) return asset.toLowerCase()
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

/** The rail that the partner's name means; `undefined` for rails of other currencies. */
export function railOf(name: string | undefined): RampRail | undefined {
  if (name === undefined) return undefined
  if (name.startsWith('ach')) return 'ach'
  return name === 'wire' ? 'fedwire' : name === 'swift' ? 'swift' : undefined
}
