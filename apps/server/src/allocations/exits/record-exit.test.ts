// follow-exits.test.ts and late-exits.test.ts prove that exits, positions and the ledger equal the chain.
import { expect, test } from 'vitest'
import { useEngine } from '../../../testing/operations/use-engine.ts'
import { USDC } from '../../../testing/units.ts'
import { unbatched } from '../../database/index.ts'
import type { ExitReading } from '../../venues/index.ts'
import { recordExit } from './record-exit.ts'

const COOLDOWN = 'cooldown-vault:polygon:USDC'
const use = useEngine()

/** What a request of 100 USDC costs by the books, where a share is worth a hundredth more than at the last posting. */
async function costsWhere(reading: ExitReading | undefined): Promise<string[]> {
  const { client, engine } = use
  const strategy = engine.strategy(COOLDOWN)
  const { wallet } = client
  const position = await engine.db
    .selectFrom('allocations')
    .selectAll()
    .where('wallet_id', '=', wallet.walletId)
    .executeTakeFirstOrThrow()
  const requested = 100n * USDC
  const requestedShares = (position.shares * requested) / position.posted_value
  const none = { receivedShares: 0n, claimed: 0n, claimedElsewhere: 0n }
  // Rolled back, because none of it is on the chain.
  const tx = await engine.db.startTransaction().execute()
  try {
    await recordExit(unbatched(tx), {
      wallet,
      strategy,
      movements: [{ requestedShares, requestedAssets: requested, ...none }],
      reading,
      price: (position.posted_price * 101n) / 100n,
      isOnRequest: true,
      block: { number: 1_000_000, hash: '0xb10c', time: new Date(position.posted_at.getTime() + 1_000) },
      at: new Date(),
    })
    const entries = await tx
      .selectFrom('ledger_entries')
      .select('kind')
      .where('organization_id', '=', wallet.organizationId)
      .where('kind', 'in', ['loss', 'fee'])
      .execute()
    return entries.map(({ kind }) => kind)
  } finally {
    await tx.rollback().execute()
  }
}

test('what a request cost is a fee by the price of its block, and by no other', async () => {
  const { client } = use
  await client.complete(await client.supply(400n * USDC, COOLDOWN))
  expect(await costsWhere({ pending: 100n * USDC, claimable: 0n, claimableAt: null })).toEqual(['fee'])
  expect(await costsWhere(undefined), 'its block could not be read').toEqual([])
})
