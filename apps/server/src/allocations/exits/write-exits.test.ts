// follow-exits.test.ts proves that exits are stored from what the chain shows, with their events.
import { expect, test } from 'vitest'
import { useEngine } from '../../../testing/operations/use-engine.ts'
import { USDC } from '../../../testing/units.ts'
import { unbatched } from '../../database/index.ts'
import { closeExitsOfLostChain, exitFrom, findOpenExit, saveExits } from './write-exits.ts'

const COOLDOWN = 'cooldown-vault:polygon:USDC'
const use = useEngine()

test('a claimed exit stays as it was, and the next request opens another; a lost chain ends it', async () => {
  const { client, engine } = use
  await client.complete(await client.supply(400n * USDC, COOLDOWN))
  await client.complete(await client.unwind(100n * USDC, COOLDOWN))
  const key = { wallet: client.wallet, strategyId: engine.strategy(COOLDOWN).id }
  const time = { chainTime: new Date(), at: new Date() }
  // Rolled back, because it skips the ledger.
  const tx = await engine.db.startTransaction().execute()
  try {
    const before = await findOpenExit(unbatched(tx), key)
    expect(before).toMatchObject({ state: 'pending', pending: 100n * USDC, isOnRequest: true })
    const empty = { ...before!, pending: 0n, claimable: 0n, claimed: 100n * USDC }
    await saveExits(tx, [{ ...key, before, after: empty, time }])
    expect(await findOpenExit(unbatched(tx), key)).toBeUndefined()
    await saveExits(tx, [{ ...key, before: undefined, after: { ...before!, pending: 5n, claimable: 7n }, time }])
    const next = await findOpenExit(unbatched(tx), key)
    expect(next).toMatchObject({ state: 'claimable', pending: 5n, claimable: 7n })
    expect(next!.exitId).toBeGreaterThan(before!.exitId)
    await closeExitsOfLostChain(tx, client.wallet, new Date())
    const rows = await tx
      .selectFrom('exits')
      .select(['state', 'pending', 'claimable', 'claimed'])
      .where('wallet_id', '=', client.wallet.walletId)
      .orderBy('id')
      .execute()
    expect(rows).toEqual([
      { state: 'claimed', pending: 0n, claimable: 0n, claimed: 100n * USDC },
      { state: 'claimed', pending: 0n, claimable: 0n, claimed: before!.claimed },
    ])
  } finally {
    await tx.rollback().execute()
  }
})

test('a row that is claimed and still waits for something is refused', () => {
  const row = { id: 1, state: 'claimed', pending: 0n, claimable: 0n } as Parameters<typeof exitFrom>[0]
  expect(exitFrom(row)).toMatchObject({ state: 'claimed' })
  expect(() => exitFrom({ ...row, pending: 1n })).toThrow('nothing waits')
  expect(exitFrom({ ...row, state: 'pending', pending: 1n })).toMatchObject({ pending: 1n })
})
