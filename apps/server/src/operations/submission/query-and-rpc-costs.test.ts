import { beforeAll, expect, test } from 'vitest'
import { countStatements } from '../../../testing/index.ts'
import type { TestClient } from '../../../testing/operations/test-client.ts'
import { useChain } from '../../../testing/operations/use-chain.ts'
import { USDC } from '../../../testing/units.ts'
import { getOperation, getOperationOfTransaction } from '../index.ts'

const use = useChain()
let client: TestClient
beforeAll(async () => {
  client = await use.engine.client()
  await use.engine.settle()
})

/** HTTP requests to the chain that `work` makes. */
async function requestsOf(work: () => Promise<unknown>): Promise<number> {
  const before = use.engine.requests()
  await work()
  return use.engine.requests() - before
}
/** Statements between `begin` and `commit`, excluding both. */
function insideTransaction(texts: readonly string[]): number {
  const [from, to] = [texts.findIndex((text) => /^(begin|start)/i.test(text)), texts.indexOf('commit')]
  expect(from).toBeGreaterThanOrEqual(0)
  expect(to).toBeGreaterThan(from)
  return to - from - 1
}

test.each(['aave-v3:polygon:USDC', 'erc4626:polygon:USDC'])(
  'planning a supply to %s takes at most 6 statements in its transaction and 3 calls to the chain, also when it supersedes',
  async (key) => {
    for (const amount of [10n, 20n]) {
      let statements = 0
      const requests = await requestsOf(async () => {
        const { texts } = await countStatements(() => client.supply(amount * USDC, key))
        statements = insideTransaction(texts)
      })
      expect(statements).toBeLessThanOrEqual(6)
      expect(requests).toBeLessThanOrEqual(3)
    }
  },
)

test('planning a withdrawal takes at most 6 statements in its transaction and 3 calls to the chain', async () => {
  await client.complete(await client.supply(100n * USDC))
  for (const amount of [10n * USDC, 'full'] as const) {
    let statements = 0
    const requests = await requestsOf(async () => {
      const { texts } = await countStatements(() => client.unwind(amount))
      statements = insideTransaction(texts)
    })
    expect(statements).toBeLessThanOrEqual(6)
    expect(requests).toBeLessThanOrEqual(3)
  }
})

test('reading an operation by its id or a transaction’s takes one statement and no call to the chain', async () => {
  const plan = await client.supply(10n * USDC)
  const requests = await requestsOf(async () => {
    const byId = await countStatements(() => getOperation(use.engine.parts, client.scope, plan.operationId))
    expect(byId.roundTrips).toBe(1)
    const { transactionId } = plan.transactions[0]!
    const byTransaction = await countStatements(() =>
      getOperationOfTransaction(use.engine.parts, client.scope, transactionId),
    )
    expect(byTransaction.roundTrips).toBe(1)
  })
  expect(requests).toBe(0)
})

test('submitting signed bytes takes one call to the chain', async () => {
  const plan = await client.supply(10n * USDC)
  const raw = await client.sign(plan.transactions[0]!)
  expect(await requestsOf(() => client.submit(plan, raw))).toBe(1)
  await use.engine.settle()
})

test('following a block with transactions of twenty wallets takes as many calls as with two, failed ones included', async () => {
  async function callsWith(count: number): Promise<number> {
    const clients = await Promise.all(Array.from({ length: count }, () => use.engine.client({ usdc: 0n })))
    for (const { address } of clients) await use.dev.fund(address, client.usdcAddress, 100n * USDC)
    await use.engine.settle()
    const plans = await Promise.all(clients.map((one) => one.supply(10n * USDC)))
    for (const [index, one] of clients.entries()) await one.send(plans[index]!.transactions[0]!)
    await use.engine.settle()
    await use.dev.mineAtOnce(false)
    for (const [index, one] of clients.entries()) await one.submitAll(await one.operation(plans[index]!))
    // Pending transactions are checked too.
    use.engine.clock.advance(10_000)
    const waiting = await requestsOf(use.engine.followOnce)
    // Every second wallet has nothing left to supply when its transaction is included.
    for (const [index, one] of clients.entries()) {
      if (index % 2 === 1) await use.dev.rpc('anvil_dealERC20', one.address, client.usdcAddress, '0x0')
    }
    await use.dev.mine(1)
    use.engine.clock.advance(10_000)
    const settling = await requestsOf(use.engine.followOnce)
    await use.dev.mineAtOnce(true)
    const states = await Promise.all(clients.map(async (one, index) => (await one.operation(plans[index]!)).state))
    expect(states).toEqual(clients.map((_, index) => (index % 2 === 1 ? 'FAILED' : 'COMPLETED')))
    return waiting + settling
  }
  const withTwo = await callsWith(2)
  // On a busy machine a request may be repeated. Calls that grow with wallets would exceed in every try.
  let withTwenty = await callsWith(20)
  for (let tries = 1; tries < 3 && withTwenty !== withTwo; tries += 1) withTwenty = await callsWith(20)
  expect(withTwenty).toBe(withTwo)
})
