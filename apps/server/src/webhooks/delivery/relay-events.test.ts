import { expect, test } from 'vitest'
import { anyState } from '../../../testing/operations/any-state.ts'
import { useEngine } from '../../../testing/operations/use-engine.ts'
import { USDC } from '../../../testing/units.ts'
import { createSealer, silentLog, systemRandomSource } from '../../kernel/index.ts'
import { cancelOperation, type Operation } from '../../operations/index.ts'
import { listEvents } from '../events/list-events.ts'
import { relayEvents } from './relay-events.ts'

const use = useEngine()
const sealer = createSealer('5e'.repeat(32), 'events', systemRandomSource)

async function told(): Promise<{ event: string; data: Record<string, unknown> }[]> {
  const { engine, client } = use
  while ((await relayEvents({ db: engine.db, clock: engine.clock, log: silentLog })) > 0);
  const { events } = await listEvents({ db: engine.db, events: sealer, log: silentLog }, client.scope, {
    after: null,
    limit: 100,
  })
  return events.map(({ event, data }) => ({ event, data }))
}

/** The operational wallet of the client's USDC; every event has its id. */
async function monitor(): Promise<number> {
  const { engine, client } = use
  const at = engine.clock.now()
  const row = await engine.db
    .insertInto('operational_wallets')
    .values({
      organization_id: client.scope.organizationId,
      wallet_id: client.wallet.walletId,
      token_address: client.usdcAddress,
      enable_yield: false,
      buffer_amount: 0n,
      created_at: at,
      updated_at: at,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return row.id
}

const of = (operation: Operation, more: object) => ({
  operationId: operation.operationId,
  type: operation.type,
  opWalletId: null,
  managedWalletId: null,
  walletId: use.client.wallet.walletId,
  blockchain: 'polygon',
  token: 'USDC',
  tokenAddress: use.engine.strategy('aave-v3:polygon:USDC').tokenAddress,
  strategyId: operation.strategyId,
  ...more,
})

test('an operation and its allocation emit every step, exactly in the documented shape', async () => {
  const id = await monitor()
  const { client, engine } = use
  const named = { opWalletId: id, managedWalletId: id }
  const supply = await client.supply(900n * USDC)
  const supplied = await client.complete(supply)
  const created = await told()
  const v1 = { type: 'supply', status: 'AWAITING_SIGNATURE', amount: '900000000' }
  const begun = of(supply, { ...named, status: 'EXECUTING', amount: '900.00', v1 })
  expect(created.map(({ event }) => event)).toEqual([
    'operation.created',
    'operation.executing',
    'operation.completed',
    'allocation.created',
  ])
  expect(created[0]!.data).toEqual(begun)
  expect(created[1]!.data).toEqual(begun)
  const txHash = anyState(supplied.transactions.at(-1)!).txHash
  expect(created[2]!.data).toEqual({ ...begun, status: 'COMPLETED', txHash, v1: { ...v1, status: 'CONFIRMED' } })
  const [allocation] = await engine.db
    .selectFrom('allocations')
    .selectAll()
    .where('organization_id', '=', client.scope.organizationId)
    .execute()
  const strategy = engine.strategy('aave-v3:polygon:USDC')
  expect(created[3]!.data).toEqual({
    ...named,
    allocationId: allocation!.id,
    walletId: client.wallet.walletId,
    strategyId: strategy.id,
    blockchain: 'polygon',
    token: 'USDC',
    protocol: 'aave-v3',
    venue: strategy.venueName,
    principal: '900.00',
    realizedYield: '0.00',
  })

  const unwind = await client.unwind('full')
  await client.complete(unwind)
  const closed = (await told()).slice(4)
  expect(closed.map(({ event }) => event)).toEqual([
    'operation.created',
    'operation.executing',
    'operation.completed',
    'allocation.closed',
  ])
  // The amount of a full withdrawal is known once it has landed; until then the event has its value at planning.
  const amount = expect.stringMatching(/^[89]\d\d\.\d{2,6}$/)
  const inUnits = { type: 'unwind', status: 'AWAITING_SIGNATURE', amount: expect.stringMatching(/^[89]\d{8}$/) }
  expect(closed[0]!.data).toEqual(of(unwind, { ...named, status: 'EXECUTING', amount, v1: inUnits }))
  expect(closed[2]!.data).toMatchObject({ status: 'COMPLETED', amount })
  expect(closed[3]!.data).toMatchObject({ allocationId: allocation!.id, principal: '0.00' })
})

test('a failure carries its reason: cancelled, or replaced on the chain with code and hash', async () => {
  const { client, engine, dev } = use
  const plan = await client.supply(100n * USDC)
  await cancelOperation(engine.parts, client.scope, plan.operationId)
  const cancelled = (await told()).at(-1)!
  const v1 = { type: 'supply', status: 'FAILED', amount: '100000000' }
  const common = { status: 'ABORTED', amount: '100.00', failureReason: 'CANCELLED', v1 }
  expect(cancelled).toEqual({ event: 'operation.failed', data: of(plan, common) })

  const doomed = await client.supply(500n * USDC)
  await client.submit(doomed, await client.sign(doomed.transactions[0]!))
  await engine.settle()
  await dev.mineAtOnce(false)
  const txHash = await client.submitAll(await client.operation(doomed))
  await dev.rpc('anvil_dropTransaction', txHash)
  await client.useNonce()
  await engine.settle()
  const failure = {
    v1: { ...v1, amount: '500000000' },
    status: 'FAILED',
    amount: '500.00',
    failureReason: 'ONCHAIN',
    failureCode: 'REPLACED',
    txHash,
  }
  expect((await told()).at(-1)).toEqual({ event: 'operation.failed', data: of(doomed, failure) })
})
