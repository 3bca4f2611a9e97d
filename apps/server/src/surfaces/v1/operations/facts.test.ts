import { beforeEach, expect, test } from 'vitest'
import type { TestClient } from '../../../../testing/operations/test-client.ts'
import { refusal, useV1 } from '../../../../testing/surfaces/use-v1.ts'
import { USDC } from '../../../../testing/units.ts'
import { NO_BREAKERS } from '../../../breakers/breaker-settings.ts'
import { evaluateBreakers, setBreakerSettings } from '../../../breakers/index.ts'
import { refreshRates, refreshRiskFacts } from '../../../venues/index.ts'

const v1 = useV1()
let client: TestClient
beforeEach(async () => {
  client = await v1.engine.client({ usdc: 1_000n * USDC })
  await v1.engine.settle()
})

const plan = (more: object = {}) => {
  const strategy = v1.engine.strategy('aave-v3:polygon:USDC')
  const { id: strategyId, tokenAddress } = strategy
  const body = { walletId: client.wallet.walletId, strategyId, tokenAddress, amount: '5000000', ...more }
  return v1.server.post(client, '/v1/operations/supply', body)
}
const read = async (operationId: number) => (await v1.server.get(client, `/v1/operations/${operationId}`)).body

test('a plan that must not supersede is refused while another waits, and changes nothing', async () => {
  const { operationId } = (await plan({ ifBusy: 'reject' })).body
  const refused = await plan({ ifBusy: 'reject' })
  expect(refused).toMatchObject(refusal(409, 'OPERATION_IN_PROGRESS'))
  expect(refused.body.details).toEqual({ operationId })
  expect((await read(operationId)).status).toBe('AWAITING_SIGNATURE')
  expect((await plan({ ifBusy: 'supersede' })).body.cancelledOperations).toEqual([operationId])
  expect(await plan({ ifBusy: 'wait' })).toMatchObject(refusal(400, 'VALIDATION_ERROR'))
})

test('exactly one of several concurrent plans that must not supersede is planned', async () => {
  const answers = await Promise.all([1, 2, 3].map(() => plan({ ifBusy: 'reject' })))
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409])
})

test('a confirmed operation says what it really moved', async () => {
  const supply = await client.supply(100n * USDC)
  expect(await read(supply.operationId)).toMatchObject({ amount: '100000000', settledAmount: null })
  await client.complete(supply)
  expect((await read(supply.operationId)).settledAmount).toBe('100000000')
  const before = await client.usdc()
  const unwind = await client.complete(await client.unwind('full'))
  const brought = (await client.usdc()) - before
  expect(await read(unwind.operationId)).toMatchObject({ amount: null, settledAmount: brought.toString() })
})

test('a hash of a confirmed transaction returns the first result again (contract 6)', async () => {
  const operation = await client.complete(await client.supply(100n * USDC))
  const { transactionId, txHash } = operation.transactions.at(-1) as { transactionId: number; txHash: string }
  const { operationId } = operation
  const again = await v1.server.post(client, '/v1/transactions/submit-hash', { operationId, txHash })
  expect(again).toMatchObject({ status: 202, body: { id: transactionId, status: 'pending', txHash } })
  const recovered = await v1.server.post(client, `/v1/transactions/${operationId}/recover`, { txHash })
  expect(recovered).toMatchObject({ status: 200, body: { transactionId } })
})

test('a wallet shows the value of its positions that allocations show, also before the ledger catches up', async () => {
  await client.complete(await client.supply(100n * USDC))
  const { db } = v1.engine
  const { price, price_at: at } = await db
    .selectFrom('strategies')
    .select(['price', 'price_at'])
    .where('id', '=', v1.engine.strategy('aave-v3:polygon:USDC').id)
    .executeTakeFirstOrThrow()
  const later = new Date(Math.max(at?.getTime() ?? 0, v1.engine.parts.clock.now().getTime()) + 3_600_000)
  await db
    .updateTable('strategies')
    .set({ price: (price! * 11n) / 10n, price_at: later })
    .where('id', '=', v1.engine.strategy('aave-v3:polygon:USDC').id)
    .execute()
  const { walletId } = client.wallet
  const { allocations } = (await v1.server.get(client, `/v1/allocations?walletId=${walletId}`)).body
  const { balances } = (await v1.server.get(client, `/v1/wallets/${walletId}`)).body
  const [usdc] = balances.filter(({ token }: { token: string }) => token === 'USDC')
  expect(BigInt(usdc.deployed)).toBeGreaterThan(105n * USDC)
  expect(usdc).toMatchObject({ deployed: allocations[0].currentValue, deployedAt: allocations[0].lastUpdated })
})

test('a supply goes on while a circuit breaker of the organization is open, with a warning', async () => {
  const { engine, dev } = v1
  const { organizationId } = client.wallet
  expect((await plan()).body).not.toHaveProperty('warnings')
  const settings = { ...NO_BREAKERS, pegDistanceBps: 200 }
  await setBreakerSettings(engine.parts, { organizationId, settings })
  await dev.setStrategyState('aave-v3:polygon:USDC', { tokenPrice: 88_000_000n })
  await refreshRates(engine.parts, engine.chain)
  await refreshRiskFacts(engine.parts, engine.chain)
  await evaluateBreakers(engine.parts)
  const warned = await plan()
  await dev.setStrategyState('aave-v3:polygon:USDC', { tokenPrice: 100_000_000n })
  const warnings = ['For this strategy a circuit breaker is open: its token is 12.00% off its peg.']
  expect(warned).toMatchObject({ status: 201, body: { status: 'AWAITING_SIGNATURE', warnings } })
  expect(await read(warned.body.operationId)).not.toHaveProperty('warnings')
})
