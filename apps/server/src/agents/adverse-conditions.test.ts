import { expect, test } from 'vitest'
import { createTestAgent } from '../../testing/agents/test-agent.ts'
import { useEngine } from '../../testing/operations/use-engine.ts'
import { createOperationalWallet, planExplicitMove } from '../../testing/rebalancing/operational-wallets.ts'
import { USDC } from '../../testing/units.ts'
import { checkPendingTransactions } from '../operations/index.ts'

/** After each test the ledger is consistent and matches the chain. */
const use = useEngine()
const MINUTE = 60_000

test('one address in two organizations: both agents get the same nonce, and what can no longer be covered is aborted', async () => {
  const { engine, client } = use
  const twin = await engine.duplicateClient(client)
  await engine.settle()
  const [own, other] = [createTestAgent(engine, client), createTestAgent(engine, twin)]
  const [first, second] = await Promise.all([
    planExplicitMove(engine, await createOperationalWallet(engine, client), { type: 'SUPPLY', amount: 600n * USDC }),
    planExplicitMove(engine, await createOperationalWallet(engine, twin), { type: 'SUPPLY', amount: 500n * USDC }),
  ])
  const overtaken = await other.pollRequired()
  expect((await own.pollRequired()).transaction.nonce).toBe(overtaken.transaction.nonce)
  engine.clock.advance(MINUTE)
  expect((await own.carryOut(first!)).state).toBe('COMPLETED')
  for (let tries = 0; tries < 10; tries += 1) {
    expect(await other.poll(), 'bytes that would fail are not issued').toBeUndefined()
    engine.clock.advance(MINUTE)
  }
  expect(await twin.operation(second!)).toMatchObject({ state: 'ABORTED' })
  expect(await client.usdc()).toBe(400n * USDC)
})

test('a reported hash that never appears: the operation fails as dropped, and what the agent really sent still counts', async () => {
  const { engine, client } = use
  const agent = createTestAgent(engine, client)
  const wallet = await createOperationalWallet(engine, client)
  await agent.carryOut(await planExplicitMove(engine, wallet, { type: 'SUPPLY', amount: 600n * USDC }))
  const unwind = await planExplicitMove(engine, wallet, { type: 'UNWIND', amount: 200n * USDC })
  const issued = await agent.pollRequired()
  await agent.submitted(issued, `0x${'ab'.repeat(32)}`)
  expect((await client.operation(unwind)).state).toBe('CONFIRMING')
  engine.clock.advance(3 * MINUTE)
  await checkPendingTransactions(engine.parts, engine.chain)
  const failed = await client.operation(unwind)
  expect(failed).toMatchObject({ state: 'FAILED', transactions: [{ failureCode: 'DROPPED', canStillLand: true }] })
  await use.dev.included(await agent.send(issued))
  await engine.settle()
  expect((await client.operation(unwind)).state).toBe('COMPLETED')
  expect(await use.balances()).toMatchObject({ available: 600n, reserved: 0n })
})

test('money that arrives and leaves during a withdrawal is posted separately', async () => {
  const { engine, client } = use
  const agent = createTestAgent(engine, client)
  const wallet = await createOperationalWallet(engine, client)
  await agent.carryOut(await planExplicitMove(engine, wallet, { type: 'SUPPLY', amount: 600n * USDC }))
  const unwind = await planExplicitMove(engine, wallet, { type: 'UNWIND', amount: null })
  await use.dev.included(await client.receive(50n * USDC))
  await engine.settle()
  const issued = await agent.pollRequired()
  await use.dev.included(await client.spend(300n * USDC))
  await engine.settle()
  expect(await agent.poll(), 'its nonce was used; that is settled first').toBeUndefined()
  engine.clock.advance(MINUTE)
  const reissued = await agent.pollRequired()
  expect(reissued.transaction.nonce).toBeGreaterThan(issued.transaction.nonce!)
  await agent.submitted(reissued, await use.dev.included(await agent.send(reissued)))
  await engine.settle()
  expect((await client.operation(unwind)).state).toBe('COMPLETED')
  expect(await use.balances()).toMatchObject({ available: 750n, deployed: 0n })
})
