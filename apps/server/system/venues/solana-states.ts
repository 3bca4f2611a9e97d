import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { Operation, Strategy } from '../clients/api-types.ts'
import { asOwner } from '../clients/as-owner.ts'
import type { HttpClient } from '../clients/client.ts'
import { expectRefusal } from '../clients/expect-refusal.ts'
import { createSolanaWalletClient, type SolanaWalletClient } from '../clients/solana-wallet-client.ts'
import type { System } from '../service/start-system.ts'
import { carryOut } from './carry-out.ts'
import { expectOnChain } from './expect-on-chain.ts'
import { fromOutside } from './expect-payment.ts'
import { tokensOf } from './read-chain.ts'

const USDT = 1_000_000n

interface VenueStates {
  readonly system: System
  /** Changes the state of a strategy's venue, and reads it back. */
  set(strategy: Strategy, change: object): Promise<{ readonly totalAssets: string; readonly liquidity: string }>
  path(strategy: Strategy): string
}

/**
 * The tests of the embedded Solana chain's only kind of strategy, for a file that has started a service. Kamino's and
 * Jupiter Lend's programs run on public chains only.
 */
export function solanaStates(started: () => VenueStates): void {
  describe('Share Vault USDT on Solana', () => {
    let { system, set, path } = {} as VenueStates
    let core: HttpClient
    let strategy: Strategy
    let holder: SolanaWalletClient

    beforeAll(async () => {
      ;({ system, set, path } = started())
      core = await asOwner(system)
      strategy = await system.strategy('solana', 'Share Vault USDT')
      holder = await createSolanaWalletClient(system)
      await holder.fund('USDT', 1_000n * USDT)
    })

    const plan = (kind: 'supply' | 'unwind', more: object) =>
      system.profile.post<Operation>(`/v1/operations/${kind}`, {
        walletId: holder.walletId,
        strategyId: strategy.strategyId,
        ...(kind === 'supply' && { tokenAddress: strategy.tokenAddress }),
        ...more,
      })
    /** A test that fails leaves no state to the next one. */
    const undoing = (...changes: readonly object[]) =>
      onTestFinished(async () => {
        for (const change of changes) await set(strategy, change)
      })
    const supply = (amount: bigint) => plan('supply', { amount: String(amount) })
    const unwind = (amount: bigint) => plan('unwind', { amount: String(amount) })
    /** Carries it out; returns what it settled, which is what the chain moved, and the value of what is in the vault. */
    async function settle(planned: Awaited<ReturnType<typeof plan>>): Promise<readonly [bigint, bigint]> {
      expect(planned.status, planned.text).toBe(201)
      const before = await holder.tokens('USDT')
      const { type, settledAmount } = await carryOut(system, holder.sign, planned.body)
      const gained = (await holder.tokens('USDT')) - before
      expect(settledAmount).toBe(String(type === 'supply' ? -gained : gained))
      const [value] = await expectOnChain({ system, core, walletId: holder.walletId }, [strategy])
      return [BigInt(settledAmount!), value!]
    }
    /** A withdrawal redeems whole shares, whose price leaves a few units. */
    function expectUnits(found: bigint, expected: bigint): void {
      expect(found).toBeGreaterThanOrEqual(expected)
      expect(found).toBeLessThan(expected + 10n)
    }

    test('full it refuses deposits, with less room than asked for too, and pays', async () => {
      undoing({ depositCap: null })
      const [supplied, value] = await settle(await supply(200n * USDT))
      expect(supplied).toBe(200n * USDT)
      expect(value).toBeGreaterThanOrEqual(200n * USDT - 1n)
      const { totalAssets } = await set(strategy, { depositCap: '0' })
      expect(expectRefusal(await supply(USDT), 400, 'STRATEGY_NOT_ACTIVE')).toEqual({ reason: 'full' })
      expectUnits((await settle(await unwind(10n * USDT)))[0], 10n * USDT)
      await set(strategy, { depositCap: String(BigInt(totalAssets) + 40n * USDT) })
      const { maxDeposit } = expectRefusal(await supply(60n * USDT), 400, 'AMOUNT_OUT_OF_BOUNDS')
      expect(BigInt(maxDeposit as string)).toBeGreaterThan(49n * USDT)
      expect(BigInt(maxDeposit as string)).toBeLessThanOrEqual(50n * USDT)
      expect((await settle(await supply(10n * USDT)))[0]).toBe(10n * USDT)
    })

    test('paused it refuses deposits and withdrawals, and takes afterwards what was planned before', async () => {
      undoing({ paused: false })
      const planned = await supply(10n * USDT)
      expect(planned.status, planned.text).toBe(201)
      await set(strategy, { paused: true })
      expect(expectRefusal(await supply(USDT), 400, 'STRATEGY_NOT_ACTIVE')).toEqual({ reason: 'paused' })
      for (const amount of [{ amount: String(USDT) }, { fullWithdrawal: true }])
        expect(expectRefusal(await plan('unwind', amount), 400, 'SIMULATION_FAILED')).toMatchObject({
          withdrawable: '0',
        })
      await set(strategy, { paused: false })
      expect((await settle(planned))[0]).toBe(10n * USDT)
    })

    test('while its liquidity is away it takes deposits and pays what returned', async () => {
      undoing({ liquidity: 'return' })
      await set(strategy, { liquidity: 'leave' })
      expect(expectRefusal(await unwind(USDT), 400, 'SIMULATION_FAILED')).toMatchObject({ withdrawable: '0' })
      expect((await set(strategy, { liquidity: 'return', amount: '40000000' })).liquidity).toBe('40000000')
      for (const amount of [{ amount: String(60n * USDT) }, { fullWithdrawal: true }]) {
        const { withdrawable } = expectRefusal(await plan('unwind', amount), 400, 'SIMULATION_FAILED')
        expect(BigInt(withdrawable as string)).toBeGreaterThan(39n * USDT)
        expect(BigInt(withdrawable as string)).toBeLessThanOrEqual(40n * USDT)
      }
      expectUnits((await settle(await unwind(30n * USDT)))[0], 30n * USDT)
      expect((await settle(await supply(30n * USDT)))[0]).toBe(30n * USDT)
    })

    test('a loss and a fee lower what it is worth and earns, and the books follow', async () => {
      undoing({ lossBps: 0 }, { feeBps: 0 })
      const [, whole] = await settle(await supply(10n * USDT))
      await set(strategy, { lossBps: 300 })
      const [paid, left] = await settle(await unwind(10n * USDT))
      expectUnits(paid, 10n * USDT)
      const expected = (whole * 97n) / 100n - paid
      expect(left).toBeGreaterThan(expected - 10n)
      expect(left).toBeLessThan(expected + 1_000n)
      await set(strategy, { lossBps: 0 })
      // What was withdrawn meanwhile bore its loss.
      const [, healed] = await settle(await supply(10n * USDT))
      expect(healed).toBeGreaterThan(whole - (paid * 3n) / 97n - 20n)
      expect(healed).toBeLessThan(whole - (paid * 3n) / 97n + 1_000n)

      await set(strategy, { feeBps: 2_000 })
      expect((await system.strategy('solana', 'Share Vault USDT')).apy).toBeCloseTo(Math.expm1(0.045 * 0.8), 6)
      await settle(await unwind(10n * USDT))
      await set(strategy, { feeBps: 0 })
      expect((await system.strategy('solana', 'Share Vault USDT')).apy).toBeCloseTo(Math.expm1(0.045), 6)
    })

    test('it has no freeze, cooldown, rate or withdrawal limit of its own', async () => {
      for (const change of [{ frozen: true }, { cooldownSeconds: 1 }, { rateBps: 1 }, { withdrawable: '1' }]) {
        const refusal = await system.profile.post(path(strategy), change)
        expect(expectRefusal(refusal, 409, 'CONFLICT')).toEqual({ reason: 'state_not_supported' })
      }
    })

    test('a day later it pays everything, leaves no share, and nothing came from outside', async () => {
      await system.profile.post('/v1/sandbox/advance-time', { seconds: 86_400 })
      const [paid, left] = await settle(await plan('unwind', { fullWithdrawal: true }))
      expect(left).toBe(0n)
      const risk = await core.get<{ data: { contracts: { shareMint: string } } }>(
        `/api/core/strategy-risks/${strategy.strategyId}`,
      )
      expect(await tokensOf(system, { blockchain: 'solana', ...holder }, risk.body.data.contracts.shareMint)).toBe(0n)
      expect(paid).toBeGreaterThan(209n * USDT)
      // Only the faucet's gift came from outside.
      expect(await fromOutside(core, holder.walletId, 'USDT')).toEqual([1, 0])
      const breaks = await core.get<{ data: { open: number } }>('/api/core/breaks')
      expect(breaks.body.data.open).toBe(0)
    })
  })
}
