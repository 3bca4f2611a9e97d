// Also tested elsewhere: every refusal over HTTP and their order (system/money/planning-withdrawals.test.ts), withdrawals in
// random sequences (operations/submission/random-client-sequences.test.ts), and faults and crashes (simulate/).
import { expect, test } from 'vitest'
import { expectRefused } from '../../../testing/operations/expect-refused.ts'
import { BY_KEY } from '../../../testing/operations/requesters.ts'
import { useEngine } from '../../../testing/operations/use-engine.ts'
import { createOperationalWallet, planExplicitMove } from '../../../testing/rebalancing/operational-wallets.ts'
import { USDC } from '../../../testing/units.ts'
import { planUnwind } from './plan-unwind.ts'

const use = useEngine()

async function deposit(amount: bigint): Promise<void> {
  expect((await use.client.complete(await use.client.supply(amount))).state).toBe('COMPLETED')
}

test('a withdrawal reserves nothing, and returns the amount that the chain moved', async () => {
  await deposit(600n * USDC)
  const plan = await use.client.unwind(200n * USDC)
  expect(plan).toMatchObject({ type: 'UNWIND', state: 'EXECUTING', amount: 200n * USDC })
  expect((await use.balances()).reserved).toBe(0n)
  expect(await use.client.complete(plan)).toMatchObject({ state: 'COMPLETED', settledAmount: 200n * USDC })
  expect((await use.balances()).available).toBe(600n)
})

test('a full withdrawal leaves no position behind', async () => {
  await deposit(600n * USDC)
  const done = await use.client.complete(await use.client.unwind('full'))
  expect(done.state).toBe('COMPLETED')
  expect((await use.balances()).deployed).toBe(0n)
  await expectRefused(use.engine.db, 'ALLOCATION_NOT_FOUND', () => use.client.unwind('full'))
})

test('a withdrawal without a position is ALLOCATION_NOT_FOUND', async () => {
  await expectRefused(use.engine.db, 'ALLOCATION_NOT_FOUND', () => use.client.unwind(1n))
})

test('an amount above the position’s value is INSUFFICIENT_BALANCE, and an amount of zero INVALID_AMOUNT', async () => {
  await deposit(100n * USDC)
  const { db } = use.engine
  await expectRefused(db, 'INSUFFICIENT_BALANCE', () => use.client.unwind(200n * USDC))
  await expectRefused(db, 'INVALID_AMOUNT', () => use.client.unwind(0n))
})

test('a submitted operation of the wallet is OPERATION_IN_PROGRESS', async () => {
  await deposit(100n * USDC)
  const plan = await use.client.unwind(10n * USDC)
  await use.dev.mineAtOnce(false)
  await use.client.submitAll(plan)
  await expectRefused(use.engine.db, 'OPERATION_IN_PROGRESS', () => use.client.unwind('full'))
})

test('a full withdrawal that would pass on a loss is refused where Weir chose it, and not where somebody asked for it', async () => {
  const { engine, client } = use
  /** Of 100,000 parts: what the simulation pays, and what the vault announced. */
  const paying = (share: bigint, announced = 100_000n) => {
    const multicall: typeof engine.chain.multicall = async (reads, at) => {
      const found = await engine.chain.multicall(reads, at)
      return found.map((result, index) =>
        reads[index]!.functionName === 'previewRedeem' && typeof result === 'bigint'
          ? (result * announced) / 100_000n
          : result,
      )
    }
    const simulate: typeof engine.chain.simulate = async (from, calls) => {
      const found = await engine.chain.simulate(from, calls)
      if (!found.ok) return found
      expect(found.returned).toHaveLength(calls.length)
      return { ...found, returned: found.returned!.map((paid) => paid && (paid * share) / 100_000n) }
    }
    return { ...engine.parts, chains: new Map([['polygon', { ...engine.chain, multicall, simulate }]]) }
  }
  const vault = engine.strategy('erc4626:polygon:USDC')
  const moved = async (parts: ReturnType<typeof paying>, origin: 'rebalancer' | 'explicit') => {
    const holder = await engine.client({ usdc: 100n * USDC })
    await engine.settle()
    await holder.complete(await holder.supply(100n * USDC, vault.key))
    const wallet = await createOperationalWallet(engine, holder, 1_000n * USDC)
    return planExplicitMove({ ...engine, parts }, wallet, {
      type: 'UNWIND',
      amount: null,
      strategyId: vault.id,
      origin,
    })
  }
  await expect(moved(paying(99_900n), 'rebalancer')).rejects.toMatchObject({
    code: 'SIMULATION_FAILED',
    details: { failureCode: 'PAYS_LESS' },
  })
  const planned = { state: 'EXECUTING', amount: null }
  expect(await moved(paying(99_995n), 'rebalancer')).toMatchObject(planned)
  expect(await moved(paying(99_000n, 99_000n), 'rebalancer')).toMatchObject(planned)
  expect(await moved(paying(95_000n), 'explicit')).toMatchObject(planned)

  await client.complete(await client.supply(100n * USDC, vault.key))
  const { scope, wallet } = client
  const input = { scope, walletId: wallet.walletId, strategyId: vault.id, amount: 'full', requestedBy: BY_KEY } as const
  expect(await planUnwind(paying(95_000n), input)).toMatchObject(planned)
})
