import type { Database } from '../../database/index.ts'
import type { Strategy } from '../port.ts'

/** What a token's price feed reported last. */
export interface TokenPeg {
  /** 1e-8 US dollars. */
  readonly price: bigint
  /** How far the price is from one dollar, above or below, as a fraction. */
  readonly distance: number
  /** By the feed. */
  readonly at: Date
}

/** The pegs of all tokens whose feed was read, by strategy; `undefined` for other tokens. One statement. */
export async function readTokenPegs(
  db: Database,
): Promise<(strategy: Pick<Strategy, 'blockchain' | 'tokenAddress'>) => TokenPeg | undefined> {
  const rows = await db
    .selectFrom('token_prices')
    .select(['blockchain', 'token_address', 'price', 'priced_at'])
    .execute()
  const pegs = new Map(
    rows.map(({ blockchain, token_address, price, priced_at }) => [
      `${blockchain} ${token_address}`,
      { price, distance: Math.abs(Number(price - ONE_DOLLAR)) / Number(ONE_DOLLAR), at: priced_at },
    ]),
  )
  return ({ blockchain, tokenAddress }) => pegs.get(`${blockchain} ${tokenAddress}`)
}

const ONE_DOLLAR = 10n ** 8n
