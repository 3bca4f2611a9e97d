import { knowsProtocol, venueFor } from '../../venues/index.ts'

/** A position as last posted, with the catalogue's latest price reading of its strategy. */
export interface PostedPosition {
  readonly protocol: string
  readonly shares: bigint
  readonly posted_price: bigint
  readonly posted_value: bigint
  readonly posted_at: Date
  readonly price: bigint | null
  readonly price_at: Date | null
}

/** The value of a position at the later of the two readings, in base units, and its time by the chain's clock. */
export function presentValue(row: PostedPosition): { value: bigint; at: Date } {
  const { price, price_at: at } = row
  const isCatalogueLater = price !== null && at !== null && at >= row.posted_at
  const reading = isCatalogueLater ? { price, at } : { price: row.posted_price, at: row.posted_at }
  return { value: valueAt(row, reading.price), at: reading.at }
}

/** How a protocol rounds only those versions know that implement it; for another, as sums in SQL do (CURRENT_VALUE). */
function valueAt({ protocol, shares, posted_price, posted_value }: PostedPosition, price: bigint): bigint {
  if (knowsProtocol(protocol)) return venueFor(protocol).valueOf(shares, price)
  return posted_price > 0n ? (posted_value * price) / posted_price : posted_value
}
