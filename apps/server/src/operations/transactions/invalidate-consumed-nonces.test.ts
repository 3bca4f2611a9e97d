import { beforeEach, expect, test } from 'vitest'
import { createTestAgent } from '../../../testing/agents/test-agent.ts'
import { BY_KEY } from '../../../testing/operations/requesters.ts'
import { useEngine } from '../../../testing/operations/use-engine.ts'
import { createOperationalWallet, planExplicitMove } from '../../../testing/rebalancing/operational-wallets.ts'
import { USDC } from '../../../testing/units.ts'
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

/** Parts with a node that has not seen any of the wallet's transactions. */
function partsWithLaggingNode(): Parts {
  const chain: EvmChain = {
    ...use.engine.chain,
    async senderState(address) {
      return {
        ...(await use.engine.chain.senderState(address)),
        nonces: { pending: 0, latest: 0, block: 0 },
      } as Awaited<ReturnType<EvmChain['senderState']>>
    },
  }
  return { ...use.engine.parts, chains: new Map([[chain.network.blockchain, chain]]) }
}

test('bytes with a used nonce from a lagging node are dead, and the next agent gets new ones', async () => {
  const operation = await planExplicitMove(use.engine, wallet, { type: 'SUPPLY', amount: 600n * USDC })
  await use.dev.included(await use.client.useNonce())
  await use.engine.settle()
  const first = await createTestAgent(use.engine, use.client, partsWithLaggingNode()).pollRequired(1_000)
  expect(first.transaction.nonce).toBe(0)
  use.engine.clock.advance(1_000)
  const second = await createTestAgent(use.engine, use.client).pollRequired()
  expect(second.transaction).toMatchObject({ transactionId: first.transaction.transactionId, nonce: 1 })
  expect(second.operation.operationId).toBe(operation.operationId)
})

test('such bytes of an operation that ended do not delay the next operation', async () => {
  await planExplicitMove(use.engine, wallet, { type: 'SUPPLY', amount: 600n * USDC })
  await use.dev.included(await use.client.useNonce())
  await use.engine.settle()
  const agent = createTestAgent(use.engine, use.client, partsWithLaggingNode())
  await agent.failed(await agent.pollRequired())
  const next = await planExplicitMove(use.engine, wallet, { type: 'SUPPLY', amount: 500n * USDC })
  const healthy = createTestAgent(use.engine, use.client)
  await healthy.poll()
  use.engine.clock.advance(2_000)
  const lease = await healthy.pollRequired()
  expect(lease.operation.operationId).toBe(next.operationId)
  expect(lease.transaction.nonce).toBe(1)
})

test('with a lagging node, a later transaction of an operation never gets the nonce of an earlier one', async () => {
  await planExplicitMove(use.engine, wallet, { type: 'SUPPLY', amount: 600n * USDC })
  const agent = createTestAgent(use.engine, use.client)
  const approval = await agent.pollRequired()
  await agent.submitted(approval, await use.dev.included(await agent.send(approval)))
  await use.engine.settle()
  const supply = await createTestAgent(use.engine, use.client, partsWithLaggingNode()).pollRequired()
  expect(supply.transaction).toMatchObject({ kind: 'supply', nonce: approval.transaction.nonce! + 1 })
})

/** A client's plan whose first bytes have a nonce that was used and settled before they were built. */
async function planWithUsedNonce(): Promise<Operation> {
  await use.dev.included(await use.client.useNonce())
  await use.engine.settle()
  const { scope, wallet, usdcAddress: tokenAddress } = use.client
  const strategyId = use.engine.strategy('aave-v3:polygon:USDC').id
  const target = { scope, walletId: wallet.walletId, strategyId, tokenAddress, requestedBy: BY_KEY }
  const plan = await planSupply(partsWithLaggingNode(), { ...target, amount: 600n * USDC })
  expect(plan.transactions.map(({ nonce }) => nonce)).toEqual([0, 1])
  return plan
}
const reissue = ({ operationId }: Operation) =>
  issueUnsignedTransactions(use.engine.parts, use.client.scope, operationId)

test('a client gets new bytes too, and signing them completes its operation', async () => {
  const plan = await planWithUsedNonce()
  const old = await use.client.sign(plan.transactions[0]!)
  await expect(use.client.submit(plan, old)).rejects.toMatchObject({ code: 'OPERATION_EXPIRED' })
  const [approval] = await reissue(plan)
  expect(approval).toMatchObject({ transactionId: plan.transactions[0]!.transactionId, nonce: 1 })
  await use.dev.included((await use.client.submit(plan, await use.client.sign(approval!))).txHash)
  await use.engine.settle()
  const [supply] = await reissue(plan)
  expect(supply).toMatchObject({ transactionId: plan.transactions[1]!.transactionId, nonce: 2 })
  await use.client.submit(plan, await use.client.sign(supply!))
  await use.engine.settle()
  expect(await use.client.operation(plan)).toMatchObject({ state: 'COMPLETED', settledAmount: 600n * USDC })
})

test('no bytes of a quarantined wallet die, because it has not settled the block that used the nonce', async () => {
  const plan = await planWithUsedNonce()
  const { organizationId, walletId } = use.client.wallet
  const row = { organization_id: organizationId, wallet_id: walletId }
  const since = use.engine.clock.now()
  const quarantine = {
    blockchain: 'polygon',
    since,
    attempts: 1,
    next_attempt_at: since,
    error: 'it cannot be settled',
  }
  await use.engine.db
    .insertInto('quarantined_wallets')
    .values({ ...row, ...quarantine })
    .execute()
  await expect(reissue(plan)).rejects.toMatchObject({ code: 'CHAIN_UNAVAILABLE' })
  expect((await use.client.operation(plan)).transactions).toEqual(plan.transactions)
  await use.engine.db.deleteFrom('quarantined_wallets').where('wallet_id', '=', walletId).execute()
  expect((await reissue(plan)).map(({ nonce }) => nonce)).toEqual([1])
})

test('bytes that landed in an unsettled block are not dead, even if another node lags behind that block', async () => {
  const plan = await use.client.supply(600n * USDC)
  const settled = await use.dev.rpc('eth_getBlockByNumber', 'latest', false)
  const hash = await use.dev.included(await use.client.send(plan.transactions[0]!))
  // One node counts the nonces; a second, one block behind, serves every request without a count.
  const behind: Fetch = async (url, init) => {
    const requests = JSON.parse(String(init.body)) as { method: string }[]
    const responses = (await (await fetch(url, init)).json()) as { id: number; result: unknown }[]
    const counts = requests.some(({ method }) => method === 'eth_getTransactionCount')
    return Response.json(
      responses.map((response) =>
        !counts && requests[response.id]!.method === 'eth_getBlockByNumber'
          ? { ...response, result: settled }
          : response,
      ),
    )
  }
  const { network } = use.engine.chain
  const { clock } = use.engine
  const chain = createEvmChain({ network, rpcUrls: [use.dev.url], log: silentLog, clock, fault: { fetch: behind } })
  const parts = { ...use.engine.parts, chains: new Map([[network.blockchain, chain]]) }
  const attempt = issueUnsignedTransactions(parts, use.client.scope, plan.operationId)
  await expect(attempt).rejects.toMatchObject({ code: 'CHAIN_UNAVAILABLE' })
  await use.engine.settle()
  expect((await use.client.operation(plan)).transactions[0]).toMatchObject({ status: 'confirmed', txHash: hash })
})
