import { PRICE_SCALE } from '../../src/venues/erc4626/price.ts'
import type { Wallet } from '../../src/wallets/index.ts'
import type { StoreInUse } from './use-store.ts'

interface StoredPosition {
  readonly value: bigint
  /** `null`: not read. */
  readonly withdrawable: bigint | null
  /** When it was read, by the chain's clock; the store's time by default. */
  readonly readAt?: Date
  /** The price that it is posted at; 1 by default. */
  readonly price?: bigint
}

/** A wallet's open position in the strategy, as the service last read it. */
export async function insertPosition(
  { db, clock, strategy }: Pick<StoreInUse, 'db' | 'clock' | 'strategy'>,
  { organizationId, walletId }: Pick<Wallet, 'organizationId' | 'walletId'>,
  { value, withdrawable, readAt = clock.now(), price = PRICE_SCALE }: StoredPosition,
): Promise<number> {
  const at = clock.now()
  const posted = { shares: value, principal: value, posted_value: value, posted_price: price, posted_at: at }
  const reading = { withdrawable, withdrawable_at: withdrawable === null ? null : readAt }
  const { id } = await db
    .insertInto('allocations')
    .values({
      organization_id: organizationId,
      wallet_id: walletId,
      strategy_id: strategy.id,
      status: 'ACTIVE',
      ...posted,
      ...reading,
      opened_at: at,
      updated_at: at,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}
