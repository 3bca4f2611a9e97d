import type { Database, Tx } from '../../database/index.ts'
import type { FeeTerms, Quote, QuoteRequest } from '../provider/port.ts'

const BASIS_POINTS = 10_000n

/** Default terms: 0.25%, of which the developer gets 20%. An organization can have its own terms. */
const DEFAULT_TERMS: FeeTerms = { feeBasisPoints: 25, developerShareBasisPoints: 2_000 }

/** The fee terms of an organization (contract 11). */
export async function feeTermsOf(db: Database | Tx, organizationId: number): Promise<FeeTerms> {
  const row = await db
    .selectFrom('ramp_terms')
    .select(['fee_basis_points', 'developer_share_basis_points'])
    .where('organization_id', '=', organizationId)
    .executeTakeFirst()
  if (!row) return DEFAULT_TERMS
  return { feeBasisPoints: row.fee_basis_points, developerShareBasisPoints: row.developer_share_basis_points }
}

/**
 * Quotes an amount at par: one token is one dollar. Amounts are in cents; the fee and the developer's share are rounded
 * half up. Pure, so that a quote equals the later record.
 */
export function quoteAtPar({ direction, usdCents, tokenDecimals, terms }: QuoteRequest): Quote {
  const feeCents = shareOf(usdCents, terms.feeBasisPoints)
  const netCents = usdCents - feeCents
  return {
    usdCents,
    feeCents,
    developerFeeCents: shareOf(feeCents, terms.developerShareBasisPoints),
    netCents,
    tokenAmount: tokensFor(direction === 'onramp' ? netCents : usdCents, tokenDecimals),
    exchangeRate: '1.00',
  }
}

/** A share in basis points, rounded half up. */
function shareOf(cents: bigint, basisPoints: number): bigint {
  return (cents * BigInt(basisPoints) + BASIS_POINTS / 2n) / BASIS_POINTS
}

/** Token base units worth this many cents. */
function tokensFor(cents: bigint, decimals: number): bigint {
  return cents * unitsOfCent(decimals)
}

/** Splits a token amount into whole cents and the remainder. */
export function splitCents(amount: bigint, decimals: number): { cents: bigint; dust: bigint } {
  const unit = unitsOfCent(decimals)
  return { cents: amount / unit, dust: amount % unit }
}

function unitsOfCent(decimals: number): bigint {
  return 10n ** BigInt(decimals - 2)
}
