import { describe, expect, test } from 'vitest'
import { expectLedgerMatchesChain, expectValidLedger } from '../../../testing/ledger/expect-ledger.ts'
import { useChain } from '../../../testing/operations/use-chain.ts'
import { USDC } from '../../../testing/units.ts'
import { listenToMilestones, type Milestone } from '../../database/index.ts'

const use = useChain()

const YEAR = 31_536_000

describe.each(['aave-v3:polygon:USDC', 'erc4626:polygon:USDC', 'aave-v3:polygon:USDT', 'erc4626:polygon:USDT'])(
  '%s',
  (key) => {
    test('supply, a year of yield, a partial and a full withdrawal leave no share, and a ledger equal to the chain', async () => {
      const client = await use.engine.client({ usdc: 0n })
      const strategy = use.engine.strategy(key)
      await use.dev.fund(client.address, strategy.tokenAddress, 10_000n * USDC)
      await use.engine.settle()
      await expectLedgerMatchesChain(use.engine)

      const supplied = await client.complete(await client.supply(6_000n * USDC, key))
      expect(supplied).toMatchObject({ state: 'COMPLETED', settledAmount: 6_000n * USDC })
      expect(await position()).toMatchObject({ status: 'ACTIVE', principal: 6_000n * USDC })
      await expectValidLedger(use.engine)
      await expectLedgerMatchesChain(use.engine)

      await use.dev.increaseTime(YEAR)
      await use.engine.followOnce()
      const { posted_value: grown } = await position()
      expect(grown).toBeGreaterThan(6_100n * USDC)
      expect(grown).toBeLessThan(6_600n * USDC)
      await expectValidLedger(use.engine)

      const planned = await client.unwind(2_000n * USDC, key)
      expect((await position()).status).toBe('UNWINDING')
      const partial = await client.complete(planned)
      expect(partial).toMatchObject({ state: 'COMPLETED', settledAmount: 2_000n * USDC })
      expect((await position()).status).toBe('ACTIVE')
      expect((await position()).principal).toBeGreaterThan(4_000n * USDC)
      await expectValidLedger(use.engine)
      await expectLedgerMatchesChain(use.engine)

      const full = await client.complete(await client.unwind('full', key))
      expect(full.state).toBe('COMPLETED')
      expect(await position()).toMatchObject({ status: 'CLOSED', shares: 0n, principal: 0n, posted_value: 0n })
      await expectValidLedger(use.engine)
      await expectLedgerMatchesChain(use.engine)

      const balance = (await balances()).find(({ token_address }) => token_address === strategy.tokenAddress)!
      const { realized_yield: realized } = await position()
      expect(balance).toMatchObject({ reserved: 0n, deployed: 0n, external: -10_000n * USDC })
      expect(balance.available).toBe(10_000n * USDC + realized)
      expect(realized).toBe(-balance.yield)
      expect(await outsideEntries()).toEqual([])

      async function position() {
        return use.engine.db
          .selectFrom('allocations')
          .selectAll()
          .where('wallet_id', '=', client.wallet.walletId)
          .executeTakeFirstOrThrow()
      }
      async function balances() {
        return use.engine.db
          .selectFrom('ledger_balances')
          .selectAll()
          .where('wallet_id', '=', client.wallet.walletId)
          .execute()
      }
      /** Shares that no operation explains; a rounding error would appear here. */
      async function outsideEntries() {
        return use.engine.db
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

test('each step of an operation is published once, with its ids, chain and hash', async () => {
  const client = await use.engine.client({ usdc: 1_000n * USDC })
  await use.engine.settle()
  const steps: Milestone[] = []
  listenToMilestones(use.engine.db, (step) => steps.push(step))
  const operation = await client.complete(await client.supply(500n * USDC))
  listenToMilestones(use.engine.db, () => undefined)
  const { organizationId, operationId } = operation
  const own = steps.filter(({ facts }) => facts.operationId === operationId)
  for (const { facts } of own) expect(facts).toMatchObject({ organizationId, operationId, blockchain: 'polygon' })
  const [approval, supply] = operation.transactions.map(({ transactionId }) => transactionId)
  const namesOf = (id: number | undefined) =>
    own.filter(({ facts }) => facts.transactionId === id).map(({ name }) => name)
  expect(namesOf(undefined)).toEqual(['operation planned', 'operation submitted', 'operation settled'])
  for (const id of [approval, supply])
    expect(namesOf(id)).toEqual(['transaction submitted', 'transaction broadcast', 'transaction final'])
  const sent = own.filter(({ name }) => name.startsWith('transaction'))
  for (const { facts } of sent) expect(facts.hash).toMatch(/^0x[0-9a-f]{64}$/)
})
