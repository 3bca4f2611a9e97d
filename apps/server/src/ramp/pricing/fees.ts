import type { Database, Tx } from '../../database/index.ts'
import type { FeeTerms, Quote, QuoteRequest } from '../provider/port.ts'

const BASIS_POINTS = 10_000n

/** A quarter of a percent, of which a fifth is the developer's, unless the organization has terms of its own. */
const DEFAULT_TERMS: FeeTerms = { feeBasisPoints: 25, developerShareBasisPoints: 2_000 }

/** The terms that hold for an organization (contract 11). */
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
 * What an amount costs at par: one token is one dollar. Cents; the fee and the developer's part of it are rounded half
 * up. Pure, so that a quote says what the record will say.
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

/** So many basis points of it, half up. */
function shareOf(cents: bigint, basisPoints: number): bigint {
  return (cents * BigInt(basisPoints) + BASIS_POINTS / 2n) / BASIS_POINTS
}

/** Tokens that are worth these cents, in base units. */
function tokensFor(cents: bigint, decimals: number): bigint {
  return cents * unitsOfCent(decimals)
}

/** Whole cents of an amount of tokens, and what is left over. */
export function splitCents(amount: bigint, decimals: number): { cents: bigint; dust: bigint } {
  const unit = unitsOfCent(decimals)
  return { cents: amount / unit, dust: amount % unit }
}

function unitsOfCent(decimals: number): bigint {
  return 10n ** BigInt(decimals - 2)
}
