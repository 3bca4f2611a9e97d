// Also tested elsewhere: bytes and leases over time (agents/poll-transactions.test.ts, and -solana), in random
// sequences (agents/random-lease-sequences.test.ts), and under faults and crashes (simulate/treasury).
import { beforeEach, expect, test } from 'vitest'
import { createTestAgent, type TestAgent } from '../../../testing/agents/test-agent.ts'
import { breakRows } from '../../../testing/database/break-rows.ts'
import { loggedLines } from '../../../testing/logged-lines.ts'
import { useEngine } from '../../../testing/operations/use-engine.ts'
import { createOperationalWallet, planExplicitMove } from '../../../testing/rebalancing/operational-wallets.ts'
import { USDC } from '../../../testing/units.ts'
import { AGENT_CLAIM_MS, AGENT_INSUFFICIENT_GAS_RETRY_MS } from '../../kernel/index.ts'
import type { OperationalWallet } from '../../wallets/index.ts'
import type { Operation } from '../lifecycle/states/operation.ts'
import type { IssuedBytes } from './commit-bytes.ts'

const use = useEngine()
let wallet: OperationalWallet
let operation: Operation
let agent: TestAgent

beforeEach(async () => {
  wallet = await createOperationalWallet(use.engine, use.client)
  operation = await planExplicitMove(use.engine, wallet, { type: 'SUPPLY', amount: 600n * USDC })
  agent = createTestAgent(use.engine, use.client)
})

test('bytes are committed before an agent gets them, and are reused for as long as they can land', async () => {
  const first = await agent.pollRequired(1_000)
  const [stored] = (await use.client.operation(operation)).transactions
  expect(stored).toMatchObject({ unsignedBytes: first.transaction.unsignedBytes, canStillLand: true })
  use.engine.clock.advance(1_000)
  const second = await createTestAgent(use.engine, use.client).pollRequired()
  expect(second.transaction.unsignedBytes).toBe(first.transaction.unsignedBytes)
  expect(second.lease.leaseToken).not.toBe(first.lease.leaseToken)
})

test('a plan that the wallet can no longer pay for issues nothing and is ABORTED', async () => {
  await use.dev.included(await use.client.spend(900n * USDC))
  expect(await agent.poll()).toBeUndefined()
  use.engine.clock.advance(5 * 60_000)
  for (let attempt = 0; attempt < 4; attempt += 1) {
    expect(await agent.poll()).toBeUndefined()
    use.engine.clock.advance(5 * 60_000)
  }
  const ended = await use.client.operation(operation)
  expect(ended).toMatchObject({ state: 'ABORTED', failureReason: 'ABORTED' })
  expect(ended.transactions.map(({ canStillLand }) => canStillLand)).toEqual([false, false])
  expect((await use.balances()).reserved).toBe(0n)
})

test('a check that outlasted its claim ends no operation whose bytes another agent got meanwhile', async () => {
  const { engine, dev } = use
  const client = await engine.client({ usdc: 1_000n * USDC })
  await engine.settle()
  const buffered = await createOperationalWallet(engine, client, 300n * USDC)
  const supply = await planExplicitMove(engine, buffered, { type: 'SUPPLY', amount: 600n * USDC })
  const other = createTestAgent(engine, client)
  let leased: IssuedBytes | undefined
  const slow: typeof engine.chain = {
    ...engine.chain,
    async balances(...asked) {
      if (!leased) {
        engine.clock.advance(AGENT_CLAIM_MS)
        leased = await other.pollRequired()
      }
      const [held = 0n, ...rest] = await engine.chain.balances(...asked)
      return [held - 200n * USDC, ...rest]
    },
  }
  const hung = createTestAgent(engine, client, { ...engine.parts, chains: new Map([['polygon', slow]]) })
  expect(await hung.poll()).toBeUndefined()
  expect(await client.operation(supply)).toMatchObject({ state: 'EXECUTING' })
  const txHash = await other.send(leased!)
  await other.submitted(leased!, txHash)
  await dev.included(txHash)
  await engine.settle()
  expect((await other.carryOut({ ...supply, transactions: supply.transactions.slice(1) })).state).toBe('COMPLETED')
})

test('a wallet without gas is paused with a reason, and its bytes are issued once it has gas', async () => {
  await use.dev.rpc('anvil_setBalance', use.client.address, '0x0')
  expect(await agent.poll()).toBeUndefined()
  const work = use.engine.db
    .selectFrom('agent_work')
    .select(['stage', 'pause_reason'])
    .where('operation_id', '=', operation.operationId)
    .where('position', '=', 0)
  expect(await work.executeTakeFirst()).toEqual({ stage: 'paused', pause_reason: expect.any(String) })
  await use.dev.rpc('anvil_setBalance', use.client.address, '0x8ac7230489e80000')
  use.engine.clock.advance(5 * 60_000)
  expect(await agent.poll()).toBeDefined()
})

test('a contract that does not answer holds up no other wallet, and ends its own operation after five minutes', async () => {
  const { engine } = use
  const vault = engine.strategy('erc4626:polygon:USDC:upgradeable')
  const other = await engine.client({ organizationId: use.client.scope.organizationId, usdc: 1_000n * USDC })
  const move = { type: 'SUPPLY', amount: 100n * USDC } as const
  const silent = await planExplicitMove(engine, await createOperationalWallet(engine, other), {
    ...move,
    strategyId: vault.id,
  })
  await engine.db.deleteFrom('agent_work').where('operation_id', '=', operation.operationId).execute()
  const third = await engine.client({ organizationId: use.client.scope.organizationId, usdc: 1_000n * USDC })
  await engine.settle()
  const fine = await planExplicitMove(engine, await createOperationalWallet(engine, third), move)
  const setParams = (params: unknown) =>
    engine.db
      .updateTable('strategies')
      .set({ params: JSON.stringify(params) })
      .where('id', '=', vault.id)
      .execute()
  await setParams({ ...vault.params, vault: '0x000000000000000000000000000000000000dEaD' })
  try {
    expect((await agent.pollRequired()).operation.operationId).toBe(fine.operationId)
    for (let minute = 0; minute < 10; minute += 1) {
      use.engine.clock.advance(60_000)
      await agent.poll()
    }
    expect(await other.operation(silent)).toMatchObject({ state: 'ABORTED' })
  } finally {
    await setParams(vault.params)
  }
})

test('a transaction that cannot be issued is logged once, however often agents ask', async () => {
  const { log, lines, take } = loggedLines()
  const { operationId } = operation
  const asking = createTestAgent(use.engine, use.client, { ...use.engine.parts, log })
  const repair = await breakRows(use.engine.db, {
    table: 'transactions',
    when: `new.operation_id = ${operationId} and new.can_still_land`,
  })
  for (let polls = 0; polls < 3; polls += 1) {
    expect(await asking.poll()).toBeUndefined()
    use.engine.clock.advance(AGENT_INSUFFICIENT_GAS_RETRY_MS)
  }
  await repair()
  expect(lines).toMatchObject([{ operationId, msg: 'failed to issue a transaction to an agent' }])
  take()
  await asking.pollRequired()
  expect(lines).toMatchObject([{ operationId, failures: 3, msg: 'a transaction is issued to agents again' }])
})
