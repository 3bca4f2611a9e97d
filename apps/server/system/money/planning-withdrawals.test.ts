import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Operation, Strategy } from '../clients/api-types.ts'
import { expectRefusal } from '../clients/expect-refusal.ts'
import { holdInFlight } from '../clients/hold-in-flight.ts'
import { onChain } from '../clients/on-chain.ts'
import { createFundedWalletClient } from '../clients/wallet-client.ts'
import { sharedSystem } from '../service/shared-system.ts'
import type { System } from '../service/start-system.ts'

const TOKEN = 1_000_000n
const NEVER_REGISTERED = privateKeyToAccount(generatePrivateKey()).address

let system: System
let aave: Strategy
let tether: Strategy
let vault: Strategy
let paused: Strategy

beforeAll(async () => {
  system = await sharedSystem()
  aave = await system.strategy('polygon', 'Aave V3 USDC')
  tether = await system.strategy('polygon', 'Aave V3 USDT')
  vault = await system.strategy('polygon', 'Yield Vault USDC')
  paused = await system.strategy('polygon', 'Paused')
})
afterAll(() => system?.stop())

const unwind = (body: unknown) => system.profile.post<Operation>('/v1/operations/unwind', body)
const failSimulations = (count: number) =>
  system.profile.post('/v1/sandbox/chain-faults', { blockchain: 'polygon', fault: 'simulation_fails', count })

describe('a withdrawal', () => {
  test('checks in order: shape, wallet, strategy, position, amount, progress, balance, gas, simulation', async () => {
    const holder = await createFundedWalletClient(system.profile, 'polygon', 20n * TOKEN)
    await holder.supply(aave, 10n * TOKEN)
    const { walletAddress } = holder
    const wrongAll = { walletAddress: '0x12', strategyId: 999_999, amount: '0' }
    expectRefusal(await unwind({ ...wrongAll, fullWithdrawal: true }), 400, 'VALIDATION_ERROR')
    expectRefusal(await unwind({ walletAddress: '0x12', strategyId: 1 }), 400, 'VALIDATION_ERROR')
    expectRefusal(
      await unwind({ walletAddress: '0x12', strategyId: 1, fullWithdrawal: false }),
      400,
      'VALIDATION_ERROR',
    )
    expectRefusal(await unwind(wrongAll), 400, 'INVALID_ADDRESS')
    expectRefusal(await unwind({ ...wrongAll, walletAddress: NEVER_REGISTERED }), 404, 'WALLET_NOT_FOUND')
    expectRefusal(await unwind({ ...wrongAll, walletAddress }), 404, 'STRATEGY_NOT_FOUND')
    for (const { strategyId } of [vault, paused, tether]) {
      expectRefusal(await unwind({ walletAddress, strategyId, amount: '0' }), 404, 'ALLOCATION_NOT_FOUND')
      expectRefusal(await unwind({ walletAddress, strategyId, fullWithdrawal: true }), 404, 'ALLOCATION_NOT_FOUND')
    }
    const { strategyId } = aave

    const waiting = await holder.planSupply(vault, 5n * TOKEN)
    await holdInFlight(holder, waiting)
    for (const amount of ['0', '-1', '1.5', '', (2n ** 256n).toString()]) {
      expectRefusal(await unwind({ walletAddress, strategyId, amount }), 400, 'INVALID_AMOUNT')
    }
    expectRefusal(await unwind({ walletAddress, strategyId, amount: '999000000' }), 409, 'OPERATION_IN_PROGRESS')
    expectRefusal(await unwind({ walletAddress, strategyId, fullWithdrawal: true }), 409, 'OPERATION_IN_PROGRESS')
  })

  test('above the position is INSUFFICIENT_BALANCE, before gas and simulation', async () => {
    const holder = await createFundedWalletClient(system.profile, 'polygon', 10n * TOKEN)
    await holder.supply(aave, 10n * TOKEN)
    await (await onChain(system, holder)).drainGas()
    const { walletAddress } = holder
    const { strategyId } = aave
    await failSimulations(100)
    const details = expectRefusal(
      await unwind({ walletAddress, strategyId, amount: '11000000' }),
      400,
      'INSUFFICIENT_BALANCE',
    )
    expect(details.required).toBe('11000000')
    expect(BigInt(details.available as string)).toBeGreaterThanOrEqual(9_999_999n)
    expect(BigInt(details.available as string)).toBeLessThan(10_100_000n)
    expectRefusal(await unwind({ walletAddress, strategyId, amount: '5000000' }), 400, 'INSUFFICIENT_GAS')
    expectRefusal(await unwind({ walletAddress, strategyId, fullWithdrawal: true }), 400, 'INSUFFICIENT_GAS')
    await holder.fund('native', 10n ** 18n)
    expectRefusal(await unwind({ walletAddress, strategyId, amount: '5000000' }), 400, 'SIMULATION_FAILED')
    await failSimulations(0)

    const plan = await holder.planUnwind(aave, 5n * TOKEN)
    expect(plan).toMatchObject({ type: 'unwind', status: 'AWAITING_SIGNATURE', amount: '5000000' })
    const full = await holder.planUnwind(aave, 'full')
    expect(full).toMatchObject({ type: 'unwind', amount: null, cancelledOperations: [plan.operationId] })
  })
})
