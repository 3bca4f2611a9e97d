import { beforeEach, expect, test } from 'vitest'
import { createOperationalWallet, planExplicitMove } from '../../../testing/operational-wallets.ts'
import { createTestAgent } from '../../../testing/test-agent.ts'
import { USDC } from '../../../testing/units.ts'
import { useEngine } from '../../../testing/use-engine.ts'
import { createEvmChain, type EvmChain } from '../../chains/index.ts'
import type { Fetch } from '../../chains/rpc/endpoint.ts'
import { silentLog } from '../../kernel/index.ts'
import type { OperationalWallet } from '../../wallets/index.ts'
import { issueUnsignedTransactions, type Operation, planSupply } from '../index.ts'
import type { Parts } from '../lifecycle/parts.ts'

const use = useEngine()
let wallet: OperationalWallet
beforeEach(async () => {
  wallet = await createOperationalWallet(use.engine, use.client)
})

/** A node that has not seen any transaction of the wallet yet. */
function lagging(): Parts {
  const chain: EvmChain = {
    ...use.engine.chain,
    async senderState(address) {
      return { ...(await use.engine.chain.senderState(address)), pendingNonce: 0, latestNonce: 0 } as Awaited<
        ReturnType<EvmChain['senderState']>
      >
    },
  }
  return { ...use.engine.parts, chains: new Map([[chain.network.blockchain, chain]]) }
}

test('bytes that a lagging node let have a nonce of the past are dead, and another agent is given new ones', async () => {
  const operation = await planExplicitMove(use.engine, wallet, { type: 'SUPPLY', amount: 600n * USDC })
  await use.dev.included(await use.client.useNonce())
  await use.engine.settle()
  const first = await createTestAgent(use.engine, use.client, lagging()).pollRequired(1_000)
  expect(first.transaction.nonce).toBe(0)
  use.engine.clock.advance(1_000)
  const second = await createTestAgent(use.engine, use.client).pollRequired()
  expect(second.transaction).toMatchObject({ transactionId: first.transaction.transactionId, nonce: 1 })
  expect(second.operation.operationId).toBe(operation.operationId)
})

test('of an operation that ended they keep nothing back from the next one', async () => {
  await planExplicitMove(use.engine, wallet, { type: 'SUPPLY', amount: 600n * USDC })
  await use.dev.included(await use.client.useNonce())
  await use.engine.settle()
  const agent = createTestAgent(use.engine, use.client, lagging())
  await agent.failed(await agent.pollRequired())
  const next = await planExplicitMove(use.engine, wallet, { type: 'SUPPLY', amount: 500n * USDC })
  const healthy = createTestAgent(use.engine, use.client)
  await healthy.poll()
  use.engine.clock.advance(2_000)
  const given = await healthy.pollRequired()
  expect(given.operation.operationId).toBe(next.operationId)
  expect(given.transaction.nonce).toBe(1)
})

test('a node that lags lets no later transaction of an operation have the nonce of an earlier one', async () => {
  await planExplicitMove(use.engine, wallet, { type: 'SUPPLY', amount: 600n * USDC })
  const agent = createTestAgent(use.engine, use.client)
  const approval = await agent.pollRequired()
  await agent.submitted(approval, await use.dev.included(await agent.send(approval)))
  await use.engine.settle()
  const supply = await createTestAgent(use.engine, use.client, lagging()).pollRequired()
  expect(supply.transaction).toMatchObject({ kind: 'supply', nonce: approval.transaction.nonce! + 1 })
})

/** A client's plan whose first bytes have a nonce that was used, and settled, before they were built. */
async function planOfThePast(): Promise<Operation> {
  await use.dev.included(await use.client.useNonce())
  await use.engine.settle()
  const { scope, wallet, usdcAddress: tokenAddress } = use.client
  const strategyId = use.engine.strategy('aave-v3:polygon:USDC').id
  const named = { scope: scope, walletId: wallet.walletId, strategyId, tokenAddress }
  const plan = await planSupply(lagging(), { ...named, amount: 600n * USDC })
  expect(plan.transactions.map(({ nonce }) => nonce)).toEqual([0, 1])
  return plan
}
const handOut = ({ operationId }: Operation) =>
  issueUnsignedTransactions(use.engine.parts, use.client.scope, operationId)

test('a client gets new ones too, and what it then signs completes its operation', async () => {
  const plan = await planOfThePast()
  const old = await use.client.sign(plan.transactions[0]!)
  await expect(use.client.submit(plan, old)).rejects.toMatchObject({ code: 'OPERATION_EXPIRED' })
  const [approval] = await handOut(plan)
  expect(approval).toMatchObject({ transactionId: plan.transactions[0]!.transactionId, nonce: 1 })
  await use.dev.included((await use.client.submit(plan, await use.client.sign(approval!))).txHash)
  await use.engine.settle()
  const [supply] = await handOut(plan)
  expect(supply).toMatchObject({ transactionId: plan.transactions[1]!.transactionId, nonce: 2 })
  await use.client.submit(plan, await use.client.sign(supply!))
  await use.engine.settle()
  expect(await use.client.operation(plan)).toMatchObject({ state: 'COMPLETED', settledAmount: 600n * USDC })
})

test('a wallet that is set aside has not seen the block that used the nonce, so that nothing is dead there', async () => {
  const plan = await planOfThePast()
  const { organizationId, walletId } = use.client.wallet
  const row = { organization_id: organizationId, wallet_id: walletId }
  const since = use.engine.clock.now()
  const aside = { blockchain: 'polygon', since, attempts: 1, next_attempt_at: since, error: 'it cannot be settled' }
  await use.engine.db
    .insertInto('quarantined_wallets')
    .values({ ...row, ...aside })
    .execute()
  await expect(handOut(plan)).rejects.toMatchObject({ code: 'CHAIN_UNAVAILABLE' })
  expect((await use.client.operation(plan)).transactions).toEqual(plan.transactions)
  await use.engine.db.deleteFrom('quarantined_wallets').where('wallet_id', '=', walletId).execute()
  expect((await handOut(plan)).map(({ nonce }) => nonce)).toEqual([1])
})

test('what landed in a block that is not settled is not dead, although another node is not as far as that block', async () => {
  const plan = await use.client.supply(600n * USDC)
  const settled = await use.dev.rpc('eth_getBlockByNumber', 'latest', false)
  const hash = await use.dev.included(await use.client.send(plan.transactions[0]!))
  // One node counts; whatever is asked without counting is answered by another, which is a block behind.
  const behind: Fetch = async (url, init) => {
    const asked = JSON.parse(String(init.body)) as { method: string }[]
    const answers = (await (await fetch(url, init)).json()) as { id: number; result: unknown }[]
    const counts = asked.some(({ method }) => method === 'eth_getTransactionCount')
    return Response.json(
      answers.map((answer) =>
        !counts && asked[answer.id]!.method === 'eth_getBlockByNumber' ? { ...answer, result: settled } : answer,
      ),
    )
  }
  const { network } = use.engine.chain
  const { clock } = use.engine
  const chain = createEvmChain({ network, rpcUrls: [use.dev.url], log: silentLog, clock, fault: { fetch: behind } })
  const parts = { ...use.engine.parts, chains: new Map([[network.blockchain, chain]]) }
  const look = issueUnsignedTransactions(parts, use.client.scope, plan.operationId)
  await expect(look).rejects.toMatchObject({ code: 'CHAIN_UNAVAILABLE' })
  await use.engine.settle()
  expect((await use.client.operation(plan)).transactions[0]).toMatchObject({ status: 'confirmed', txHash: hash })
})
