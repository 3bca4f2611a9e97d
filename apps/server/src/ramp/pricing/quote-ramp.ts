import type { RampDirection } from '../../database/index.ts'
import { Failure } from '../../kernel/index.ts'
import type { RampParts } from '../parts.ts'
import type { FeeTerms, Quote } from '../provider/port.ts'
import { feeTermsOf } from './fees.ts'

export interface QuoteRampInput {
  readonly organizationId: number
  readonly direction: RampDirection
  readonly usdCents: bigint
  readonly asset: string
  /** Undefined: any chain that has the asset. */
  readonly blockchain: string | undefined
}

/** Quotes a payment before any money moves (contract 11). Error: ASSET_NOT_SUPPORTED. */
export async function quoteRamp(
  parts: RampParts,
  { organizationId, direction, usdCents, asset, blockchain }: QuoteRampInput,
): Promise<Quote & { readonly asset: string; readonly decimals: number; readonly terms: FeeTerms }> {
  const networks = [...parts.chains.values()].map(({ network }) => network)
  const token = networks
    .filter((network) => blockchain === undefined || network.blockchain === blockchain)
    .flatMap(({ tokens }) => tokens)
    .find(({ symbol }) => symbol.toUpperCase() === asset.toUpperCase())
  if (!token) throw new Failure('ASSET_NOT_SUPPORTED')
  const terms = await feeTermsOf(parts.db, organizationId)
  const quote = await parts.provider.quote({ direction, usdCents, tokenDecimals: token.decimals, terms })
  return { ...quote, asset: token.symbol, decimals: token.decimals, terms }
}
