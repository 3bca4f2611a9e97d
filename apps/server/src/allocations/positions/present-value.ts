import { venueFor } from '../../venues/index.ts'

/** A position as last posted, with the catalogue's latest price reading of its strategy. */
export interface PostedPosition {
  readonly protocol: string
  readonly shares: bigint
  readonly posted_price: bigint
  readonly posted_at: Date
  readonly price: bigint | null
  readonly price_at: Date | null
}

/** The value of a position at the later of the two readings, in base units, and its time by the chain's clock. */
export function presentValue(row: PostedPosition): { value: bigint; at: Date } {
  const { price, price_at: at } = row
  const isCatalogueLater = price !== null && at !== null && at >= row.posted_at
  const reading = isCatalogueLater ? { price, at } : { price: row.posted_price, at: row.posted_at }
  return { value: venueFor(row.protocol).valueOf(row.shares, reading.price), at: reading.at }
}
