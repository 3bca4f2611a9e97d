import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectBooks, expectChain } from '../../testing/expect-books.ts'
import { type MainJob, startMainJob, startTestChain, type TestChain, USDC } from '../../testing/main-job.ts'

let dev: TestChain
let job: MainJob
beforeAll(async () => {
  dev = await startTestChain()
  job = await startMainJob(dev)
})
afterAll(async () => {
  await job?.close()
  await dev?.stop()
})

const YEAR = 31_536_000

describe.each(['aave-v3:polygon:USDC', 'erc4626:polygon:USDC', 'aave-v3:polygon:USDT', 'erc4626:polygon:USDT'])(
  '%s',
  (key) => {
    test('supply, a year of yield, a partial and a full withdrawal leave no share, and books equal to the chain', async () => {
      const client = await job.client({ usdc: 0n })
      const strategy = job.strategy(key)
      await dev.fund(client.address, strategy.tokenAddress, 10_000n * USDC)
      await job.settle()
      await expectChain(job)

      const supplied = await client.finish(await client.supply(6_000n * USDC, key))
      expect(supplied).toMatchObject({ state: 'COMPLETED', settledAmount: 6_000n * USDC })
      expect(await position()).toMatchObject({ status: 'ACTIVE', principal: 6_000n * USDC })
      await expectBooks(job)
      await expectChain(job)

      await dev.increaseTime(YEAR)
      await job.round()
      const { posted_value: grown } = await position()
      expect(grown).toBeGreaterThan(6_100n * USDC)
      expect(grown).toBeLessThan(6_600n * USDC)
      await expectBooks(job)

      const planned = await client.unwind(2_000n * USDC, key)
      expect((await position()).status).toBe('UNWINDING')
      const partial = await client.finish(planned)
      expect(partial).toMatchObject({ state: 'COMPLETED', settledAmount: 2_000n * USDC })
      expect((await position()).status).toBe('ACTIVE')
      expect((await position()).principal).toBeGreaterThan(4_000n * USDC)
      await expectBooks(job)
      await expectChain(job)

      const full = await client.finish(await client.unwind('full', key))
      expect(full.state).toBe('COMPLETED')
      expect(await position()).toMatchObject({ status: 'CLOSED', shares: 0n, principal: 0n, posted_value: 0n })
      await expectBooks(job)
      await expectChain(job)

      const books = (await balances()).find(({ token_address }) => token_address === strategy.tokenAddress)!
      const { realized_yield: realized } = await position()
      expect(books).toMatchObject({ reserved: 0n, deployed: 0n, external: -10_000n * USDC })
      expect(books.available).toBe(10_000n * USDC + realized)
      expect(realized).toBe(-books.yield)
      expect(await outsideEntries()).toEqual([])

      async function position() {
        return job.db
          .selectFrom('allocations')
          .selectAll()
          .where('wallet_id', '=', client.wallet.walletId)
          .executeTakeFirstOrThrow()
      }
      async function balances() {
        return job.db
          .selectFrom('ledger_balances')
          .selectAll()
          .where('wallet_id', '=', client.wallet.walletId)
          .execute()
      }
      /** Shares that an operation did not explain: rounding that we get wrong would show here. */
      async function outsideEntries() {
        return job.db
          .selectFrom('ledger_entries as e')
          .innerJoin('ledger_postings as p', 'p.entry_id', 'e.id')
          .selectAll()
          .where('e.kind', '=', 'external_position')
          .where('p.wallet_id', '=', client.wallet.walletId)
          .execute()
      }
    })
  },
)
