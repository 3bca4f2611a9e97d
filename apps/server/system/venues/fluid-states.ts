import { beforeAll, describe, expect, test } from 'vitest'
import type { Strategy } from '../clients/api-types.ts'
import { expectRefusal } from '../clients/expect-refusal.ts'
import type { WalletClient } from '../clients/wallet-client.ts'
import type { System } from '../service/start-system.ts'

const USDC = 1_000_000n

interface VenueStates {
  readonly system: System
  /** A wallet on Polygon with USDC. */
  readonly holder: WalletClient
  /** Changes the state of a strategy's venue, and reads it back. */
  set(strategy: Strategy, change: object): Promise<{ readonly liquidity: string }>
  path(strategy: Strategy): string
}

/** The tests of the embedded vault of Fluid's kind, for a file that has started a service. */
export function fluidStates(started: () => VenueStates): void {
  describe('Fluid USDC', () => {
    let { system, holder, set, path } = {} as VenueStates
    let strategy: Strategy
    beforeAll(async () => {
      ;({ system, holder, set, path } = started())
      strategy = await system.strategy('polygon', 'Fluid USDC')
      await holder.supply(strategy, 50n * USDC)
    })
    const unwind = (amount: bigint) =>
      system.profile.post('/v1/operations/unwind', {
        walletAddress: holder.walletAddress,
        strategyId: strategy.strategyId,
        amount: amount.toString(),
      })
    const withdrawable = (text: unknown) => BigInt((text as { withdrawable: string }).withdrawable)

    test('its withdrawal limit leaves a part, which is paid, and the rest with time', async () => {
      expect(BigInt((await set(strategy, { withdrawable: '20000000' })).liquidity)).toBeLessThan(30n * USDC)
      const refusal = expectRefusal(await unwind(49n * USDC), 400, 'SIMULATION_FAILED')
      expect(refusal).toMatchObject({ failureCode: 'WithdrawalLimitReached' })
      expect(withdrawable(refusal)).toBeGreaterThanOrEqual(19_999_999n)
      expect(withdrawable(refusal)).toBeLessThan(40n * USDC)
      await holder.carryOut(await holder.planUnwind(strategy, 19n * USDC))
      await system.profile.post('/v1/sandbox/advance-time', { seconds: 3_600 })
      await holder.carryOut(await holder.planUnwind(strategy, 25n * USDC))
    })

    test('lent out it pays what is there, and nothing is refused when it returns', async () => {
      await set(strategy, { liquidity: 'leave' })
      expect((await set(strategy, { liquidity: 'return', amount: '2000000' })).liquidity).toBe('2000000')
      expect(withdrawable(expectRefusal(await unwind(3n * USDC), 400, 'SIMULATION_FAILED'))).toBe(2n * USDC)
      await set(strategy, { liquidity: 'return' })
    })

    test('paused it refuses deposits with the reason and withdrawals, and pays everything afterwards', async () => {
      expect(await set(strategy, { paused: true })).toMatchObject({ paused: true })
      const supply = await system.profile.post('/v1/operations/supply', holder.supplyOf(strategy, USDC))
      expect(expectRefusal(supply, 400, 'STRATEGY_NOT_ACTIVE')).toEqual({ reason: 'paused' })
      expect(expectRefusal(await unwind(USDC), 400, 'SIMULATION_FAILED')).toMatchObject({
        failureCode: 'UserPaused',
        withdrawable: '0',
      })
      expect(await set(strategy, { paused: false })).toMatchObject({ paused: false })
      await holder.carryOut(await holder.planUnwind(strategy, 'full'))
      const { allocations } = await holder.allocations()
      expect(allocations.find(({ strategyId }) => strategyId === strategy.strategyId)).toBeUndefined()
    })

    test('with other code it takes deposits and pays them, and with the first again', async () => {
      expect(await set(strategy, { upgraded: true })).toMatchObject({ upgraded: true })
      await holder.supply(strategy, 5n * USDC)
      await holder.carryOut(await holder.planUnwind(strategy, 'full'))
      expect(await set(strategy, { upgraded: false })).toMatchObject({ upgraded: false })
      await holder.supply(strategy, 5n * USDC)
      await holder.carryOut(await holder.planUnwind(strategy, 'full'))
    })

    test('it has no cap, freeze, loss or fee of its own', async () => {
      for (const change of [{ depositCap: '0' }, { frozen: true }, { lossBps: 1 }, { feeBps: 1 }]) {
        const refusal = await system.profile.post(path(strategy), change)
        expect(expectRefusal(refusal, 409, 'CONFLICT')).toEqual({ reason: 'state_not_supported' })
      }
      const other = await system.profile.post(path(await system.strategy('polygon', 'Credit USDC')), {
        withdrawable: '1',
      })
      expect(expectRefusal(other, 409, 'CONFLICT')).toEqual({ reason: 'state_not_supported' })
    })
  })
}
