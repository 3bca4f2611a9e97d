import { beforeEach, describe, expect, test } from 'vitest'
import { createTestAgent } from '../../../../testing/agents/test-agent.ts'
import { anyState } from '../../../../testing/operations/any-state.ts'
import type { TestClient } from '../../../../testing/operations/test-client.ts'
import {
  createOperationalWallet,
  MANUAL_POLICY,
  planExplicitMove,
  setPolicy,
} from '../../../../testing/rebalancing/operational-wallets.ts'
import { staffedOrganization } from '../../../../testing/surfaces/core-server.ts'
import { refusal, useTreasury } from '../../../../testing/surfaces/use-treasury.ts'
import { USDC } from '../../../../testing/units.ts'
import { generateKey } from '../../../identity/index.ts'
import { approveOperation } from '../../../operations/index.ts'
import { agentActionRoutes } from './actions.ts'
import { agentTransactionRoutes } from './transactions.ts'

const treasury = useTreasury((app, parts) => {
  agentTransactionRoutes(app, parts)
  agentActionRoutes(app, parts)
})
let client: TestClient
let key: string
beforeEach(async () => {
  const { engine, core, staff } = treasury
  const { organizationId } = staff
  key = (await generateKey(core.parts, { organizationId, name: 'Agent' })).apiKey!
  client = await engine.client({ organizationId, usdc: 1_000n * USDC })
  await engine.settle()
})

const agent = (path: string, body: object = {}, more: object = {}) =>
  treasury.core.call('POST', `/api/agent/${path}`, { key, body, ...more })
const poll = (body: object = {}) => agent('transactions/poll', { leaseDurationMs: 30_000, ...body })
const HASH = `0x${'ab'.repeat(32)}`

async function supply(amount = 600n * USDC) {
  const wallet = await createOperationalWallet(treasury.engine, client)
  return { wallet, operation: await planExplicitMove(treasury.engine, wallet, { type: 'SUPPLY', amount }) }
}

describe('transactions', () => {
  test('are delivered with their purpose and the end of their lease', async () => {
    const { wallet, operation } = await supply()
    const { status, body } = await poll()
    expect(status).toBe(200)
    const [approval] = (await client.operation(operation)).transactions
    const now = treasury.engine.clock.now()
    const strategy = treasury.engine.strategy('aave-v3:polygon:USDC')
    expect(body.data.transaction).toEqual({
      id: approval!.transactionId,
      operationId: operation.operationId,
      unsignedTx: anyState(approval!).unsignedBytes,
      metadata: {
        blockchain: 'polygon',
        walletId: client.wallet.walletId,
        walletAddress: client.address,
        opWalletId: wallet.opWalletId,
        managedWalletId: wallet.opWalletId,
        amount: '600.00',
        full: false,
        token: 'USDC',
        type: 'SUPPLY',
        step: 'APPROVE_TOKEN',
        venue: 'Aave V3',
        protocol: 'aave-v3',
        strategyId: strategy.id,
        strategy: strategy.name,
        tokenAddress: strategy.tokenAddress,
        tokenDecimals: 6,
        contracts: strategy.params,
        spender: strategy.params.pool,
        description: approval!.description,
      },
      claimedAt: now.toISOString(),
      leaseExpiresAt: new Date(now.getTime() + 30_000).toISOString(),
      leaseToken: expect.stringMatching(/^lease_[0-9A-Za-z]{24}$/),
      approval: null,
    })
    expect((await poll()).body.data).toEqual({ transaction: null })
  })

  test('are leased for 30 seconds by default, and for 1 to 600 seconds on request', async () => {
    await supply()
    for (const leaseDurationMs of [999, 600_001, '30000', 1.5]) {
      expect(await poll({ leaseDurationMs })).toMatchObject(refusal(400, 'VALIDATION_ERROR'))
    }
    for (const waitMs of [-1, 30_001]) expect(await poll({ waitMs })).toMatchObject(refusal(400, 'VALIDATION_ERROR'))
    const { transaction } = (await agent('transactions/poll')).body.data
    expect(Date.parse(transaction.leaseExpiresAt) - Date.parse(transaction.claimedAt)).toBe(30_000)
  })

  test('require an organization key', async () => {
    const url = '/api/agent/transactions/poll'
    const body = {}
    expect(await treasury.core.call('POST', url, { body })).toMatchObject(refusal(401, 'UNAUTHORIZED'))
    expect(await treasury.core.call('POST', url, { body, token: treasury.staff.tokens.owner })).toMatchObject(
      refusal(401, 'UNAUTHORIZED'),
    )
    const admin = await generateKey(treasury.core.parts, {
      organizationId: treasury.staff.organizationId,
      name: 'Admin',
      isAdmin: true,
    })
    expect(await treasury.core.call('POST', url, { body, key: admin.apiKey! })).toMatchObject(refusal(403, 'FORBIDDEN'))
  })

  test('that belong to another organization look unknown', async () => {
    await supply()
    const { transaction } = (await poll()).body.data
    const stranger = await staffedOrganization(treasury.core.parts)
    const { apiKey } = await generateKey(treasury.core.parts, {
      organizationId: stranger.organizationId,
      name: 'Agent',
    })
    const as = { key: apiKey! }
    expect((await agent('transactions/poll', {}, as)).body.data.transaction).toBeNull()
    for (const [path, body] of [
      ['report', { status: 'SUBMITTED', txHash: HASH }],
      ['report', { status: 'FAILED', error: 'no' }],
      ['renew', { leaseDurationMs: 30_000 }],
      ['broadcast', { signedTransaction: HASH }],
    ] as const) {
      expect(await agent(`transactions/${transaction.id}/${path}`, body, as)).toMatchObject(
        refusal(404, 'TRANSACTION_NOT_FOUND'),
      )
    }
  })

  test('are reported as submitted, and a repetition gets the same response', async () => {
    const { operation } = await supply()
    const { transaction } = (await poll()).body.data
    const [approval] = (await client.operation(operation)).transactions
    const txHash = await client.send(approval!)
    const body = { status: 'SUBMITTED', txHash, leaseToken: transaction.leaseToken }
    const first = await agent(`transactions/${transaction.id}/report`, body)
    expect(first).toMatchObject({ status: 200, body: { data: { id: transaction.id, status: 'SUBMITTED', txHash } } })
    expect(first.body.data.reportedAt).toBe(treasury.engine.clock.now().toISOString())
    treasury.engine.clock.advance(5_000)
    const { body: again } = await agent(`transactions/${transaction.id}/report`, body)
    expect(again.data).toEqual(first.body.data)
    expect(await agent(`transactions/${transaction.id}/renew`, { leaseDurationMs: 1_000 })).toMatchObject(
      refusal(409, 'LEASE_LOST'),
    )
    await treasury.dev.included(txHash)
    await treasury.engine.settle()
    const { transaction: next } = (await poll()).body.data
    expect(next.metadata.step).toBe('SUPPLY_TO_PROVIDER')
    expect(await agent(`transactions/${next.id}/report`, { status: 'SUBMITTED', txHash })).toMatchObject(
      refusal(400, 'OPERATION_ALREADY_SUBMITTED'),
    )
  })

  test('cannot be reported with fields missing', async () => {
    await supply()
    const { transaction } = (await poll()).body.data
    for (const body of [
      {},
      { status: 'DONE' },
      { status: 'SUBMITTED' },
      { status: 'SUBMITTED', txHash: '0x12' },
      { status: 'FAILED' },
    ]) {
      expect(await agent(`transactions/${transaction.id}/report`, body)).toMatchObject(refusal(400, 'VALIDATION_ERROR'))
    }
  })

  test('are reported as failed, which fails the operation', async () => {
    const { operation } = await supply()
    const { transaction } = (await poll()).body.data
    const body = { status: 'FAILED', error: 'the custody refused' }
    const { body: answer } = await agent(`transactions/${transaction.id}/report`, body)
    expect(answer.data).toEqual({
      id: transaction.id,
      status: 'FAILED',
      txHash: null,
      reportedAt: treasury.engine.clock.now().toISOString(),
    })
    expect(await client.operation(operation)).toMatchObject({ state: 'FAILED', failureReason: 'SUBMISSION' })
  })

  test.each(['', ' \n'])('fail also with the empty reason %j', async (error) => {
    const { operation } = await supply()
    const { transaction } = (await poll()).body.data
    const { status } = await agent(`transactions/${transaction.id}/report`, { status: 'FAILED', error })
    expect(status).toBe(200)
    expect(await client.operation(operation)).toMatchObject({
      state: 'FAILED',
      transactions: [{ error: expect.stringContaining('no reason') }, {}],
    })
  })

  test('are broadcast by Weir for an agent without its own endpoint, once', async () => {
    const { operation } = await supply()
    const { transaction } = (await poll()).body.data
    const [approval] = (await client.operation(operation)).transactions
    const path = `transactions/${transaction.id}/broadcast`
    const other = await client.sign(approval!, { change: { value: 1n } })
    expect(await agent(path, { signedTransaction: other })).toMatchObject(refusal(400, 'TRANSACTION_MISMATCH'))
    const signedTransaction = await client.sign(approval!)
    const sent = await agent(path, { signedTransaction, leaseToken: transaction.leaseToken })
    expect(sent).toMatchObject({ status: 200, body: { data: { id: transaction.id, status: 'SUBMITTED' } } })
    treasury.engine.clock.advance(1_000)
    expect((await agent(path, { signedTransaction })).body.data).toEqual(sent.body.data)
    await treasury.dev.included(sent.body.data.txHash)
    await treasury.engine.settle()
    expect((await client.operation(operation)).transactions[0]!.status).toBe('confirmed')
    const next = (await client.operation(operation)).transactions[1]!
    expect(await agent(`transactions/${next.transactionId}/broadcast`, { signedTransaction })).toMatchObject(
      refusal(409, 'LEASE_LOST'),
    )
  })

  test('stay leased exactly as long as the lease is renewed', async () => {
    await supply()
    const { transaction } = (await poll({ leaseDurationMs: 1_000 })).body.data
    const { id, leaseToken } = transaction
    treasury.engine.clock.advance(900)
    const renewed = await agent(`transactions/${id}/renew`, { leaseDurationMs: 2_000, leaseToken })
    expect(Date.parse(renewed.body.data.leaseExpiresAt)).toBe(treasury.engine.clock.now().getTime() + 2_000)
    treasury.engine.clock.advance(1_900)
    expect((await poll()).body.data.transaction).toBeNull()
    const wrong = { leaseDurationMs: 2_000, leaseToken: 'lease_of_somebody_else' }
    expect(await agent(`transactions/${id}/renew`, wrong)).toMatchObject(refusal(409, 'LEASE_LOST'))
    treasury.engine.clock.advance(100)
    expect(await agent(`transactions/${id}/renew`, { leaseDurationMs: 2_000, leaseToken })).toMatchObject(
      refusal(409, 'LEASE_LOST'),
    )
    expect((await poll()).body.data.transaction.id).toBe(id)
  })

  test('wait for approval where the policy requires it', async () => {
    await setPolicy(treasury.engine, treasury.staff.organizationId, MANUAL_POLICY)
    const { operation } = await supply()
    expect((await poll()).body.data.transaction).toBeNull()
    const scope = { organizationId: treasury.staff.organizationId, walletProfileId: null }
    await approveOperation(treasury.engine.parts, {
      scope,
      operationId: operation.operationId,
      userId: treasury.staff.ids.approver,
    })
    expect((await poll()).body.data.transaction.operationId).toBe(operation.operationId)
  })

  test('reach a waiting poll', async () => {
    const waiting = poll({ waitMs: 30_000 })
    const { operation } = await supply()
    expect((await waiting).body.data.transaction.operationId).toBe(operation.operationId)
  })

  test('do not exist: the poll ends after its wait', async () => {
    expect((await poll({ waitMs: 50 })).body.data.transaction).toBeNull()
  })

  test('go to one of several waiting polls each', async () => {
    const others = [
      client,
      await treasury.engine.client({ organizationId: treasury.staff.organizationId, usdc: 1_000n * USDC }),
    ]
    const waiting = [1, 2].map(() => poll({ waitMs: 30_000 }))
    await treasury.engine.settle()
    for (const other of others) {
      await planExplicitMove(treasury.engine, await createOperationalWallet(treasury.engine, other), {
        type: 'SUPPLY',
        amount: 100n * USDC,
      })
    }
    const delivered = await Promise.all(waiting)
    expect(new Set(delivered.map(({ body }) => body.data.transaction.operationId)).size).toBe(2)
  })
})

test('polls, reports and renewals of transactions and actions have separate limits', async () => {
  const asked = [
    'transactions/poll',
    'actions/poll',
    'transactions/1/report',
    'actions/1/report',
    'transactions/1/renew',
  ]
  for (const path of asked) {
    const { headers } = await agent(path, { leaseDurationMs: 5_000, status: 'FAILED', error: 'no' })
    const [, asked] = /(poll|report|renew)$/.exec(path)!
    expect(headers['ratelimit-limit'], path).toBe({ poll: '1000000', report: '500000', renew: '300000' }[asked!])
    expect(Number(headers['ratelimit-remaining']), path).toBe(Number(headers['ratelimit-limit']) - 1)
  }
})

test('an agent that knows only this protocol executes an operation', async () => {
  const { operation } = await supply()
  expect((await createTestAgent(treasury.engine, client).carryOut(operation)).state).toBe('COMPLETED')
})
