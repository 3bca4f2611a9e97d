import { venueFor } from '../../venues/index.ts'

/** A position as it was posted last, beside the catalogue's latest reading of its strategy's price. */
export interface PostedPosition {
  readonly protocol: string
  readonly shares: bigint
  readonly posted_price: bigint
  readonly posted_at: Date
  readonly price: bigint | null
  readonly price_at: Date | null
}

/** What a position is worth at the later of the two readings, in base units, and when that was, by the chain's clock. */
export function presentValue(row: PostedPosition): { value: bigint; at: Date } {
  const { price, price_at: at } = row
  const isCatalogueLater = price !== null && at !== null && at >= row.posted_at
  const reading = isCatalogueLater ? { price, at } : { price: row.posted_price, at: row.posted_at }
  return { value: venueFor(row.protocol).valueOf(row.shares, reading.price), at: reading.at }
}
