import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { agentOf } from '../../../testing/agent.ts'
import { staffedOrganization } from '../../../testing/core-server.ts'
import { type CoreSurface, coreSurface } from '../../../testing/core-surface.ts'
import {
  type Client,
  type MainJob,
  startMainJob,
  startTestChain,
  type TestChain,
  USDC,
} from '../../../testing/main-job.ts'
import { MANUAL, monitor, move, setPolicy } from '../../../testing/monitored.ts'
import { generateKey } from '../../identity/index.ts'
import { approveOperation } from '../../operations/index.ts'
import { agentActionRoutes } from './agent-actions.ts'
import { agentTransactionRoutes } from './agent-transactions.ts'
import { custodyRoutes } from './custody.ts'

let dev: TestChain
let job: MainJob
let core: CoreSurface
let staff: Awaited<ReturnType<typeof staffedOrganization>>
let client: Client
let key: string

beforeAll(async () => {
  dev = await startTestChain()
  job = await startMainJob(dev)
  core = await coreSurface(job, (app, parts) => {
    agentTransactionRoutes(app, parts)
    agentActionRoutes(app, parts)
    custodyRoutes(app, parts)
  })
})
afterAll(async () => {
  await core?.close()
  await job?.close()
  await dev?.stop()
})
beforeEach(async () => {
  staff = await staffedOrganization(core.parts)
  const { organizationId } = staff
  key = (await generateKey(core.parts, { organizationId, name: 'Agent' })).apiKey!
  client = await job.client({ organizationId, usdc: 1_000n * USDC })
  await job.settle()
})

const agent = (path: string, body: object = {}, more: object = {}) =>
  core.call('POST', `/api/agent/${path}`, { key, body, ...more })
const poll = (body: object = {}) => agent('transactions/poll', { leaseDurationMs: 30_000, ...body })
const refusal = (status: number, code: string) => ({ status, body: { code } })
const HASH = `0x${'ab'.repeat(32)}`

async function supply(amount = 600n * USDC) {
  const wallet = await monitor(job, client)
  return { wallet, operation: await move(job, wallet, { type: 'SUPPLY', amount }) }
}

describe('transactions', () => {
  test('are delivered with what they are for, and until when they are leased', async () => {
    const { wallet, operation } = await supply()
    const { status, body } = await poll()
    expect(status).toBe(200)
    const [approval] = (await client.operation(operation)).transactions
    const now = job.clock.now()
    expect(body.data.transaction).toEqual({
      id: approval!.transactionId,
      operationId: operation.operationId,
      unsignedTx: approval!.unsignedBytes,
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
        description: approval!.description,
      },
      claimedAt: now.toISOString(),
      leaseExpiresAt: new Date(now.getTime() + 30_000).toISOString(),
      leaseToken: expect.stringMatching(/^lease_[0-9A-Za-z]{24}$/),
    })
    expect((await poll()).body.data).toEqual({ transaction: null })
  })

  test('are leased for 30 seconds where nobody says otherwise, and for no less than 1 and no more than 600', async () => {
    await supply()
    for (const leaseDurationMs of [999, 600_001, '30000', 1.5]) {
      expect(await poll({ leaseDurationMs })).toMatchObject(refusal(400, 'VALIDATION_ERROR'))
    }
    for (const waitMs of [-1, 30_001]) expect(await poll({ waitMs })).toMatchObject(refusal(400, 'VALIDATION_ERROR'))
    const { transaction } = (await agent('transactions/poll')).body.data
    expect(Date.parse(transaction.leaseExpiresAt) - Date.parse(transaction.claimedAt)).toBe(30_000)
  })

  test('are asked for with an organization key and with nothing else', async () => {
    const url = '/api/agent/transactions/poll'
    const body = {}
    expect(await core.call('POST', url, { body })).toMatchObject(refusal(401, 'UNAUTHORIZED'))
    expect(await core.call('POST', url, { body, token: staff.tokens.owner })).toMatchObject(
      refusal(401, 'UNAUTHORIZED'),
    )
    const admin = await generateKey(core.parts, { organizationId: staff.organizationId, name: 'Admin', isAdmin: true })
    expect(await core.call('POST', url, { body, key: admin.apiKey! })).toMatchObject(refusal(403, 'FORBIDDEN'))
  })

  test('of another organization are as unknown', async () => {
    await supply()
    const { transaction } = (await poll()).body.data
    const stranger = await staffedOrganization(core.parts)
    const { apiKey } = await generateKey(core.parts, { organizationId: stranger.organizationId, name: 'Agent' })
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

  test('are reported as submitted, twice with one answer', async () => {
    const { operation } = await supply()
    const { transaction } = (await poll()).body.data
    const [approval] = (await client.operation(operation)).transactions
    const txHash = await client.send(approval!)
    const body = { status: 'SUBMITTED', txHash, leaseToken: transaction.leaseToken }
    const first = await agent(`transactions/${transaction.id}/report`, body)
    expect(first).toMatchObject({ status: 200, body: { data: { id: transaction.id, status: 'SUBMITTED', txHash } } })
    expect(first.body.data.reportedAt).toBe(job.clock.now().toISOString())
    job.clock.advance(5_000)
    const { body: again } = await agent(`transactions/${transaction.id}/report`, body)
    expect(again.data).toEqual(first.body.data)
    expect(await agent(`transactions/${transaction.id}/renew`, { leaseDurationMs: 1_000 })).toMatchObject(
      refusal(409, 'LEASE_LOST'),
    )
    await dev.included(txHash)
    await job.settle()
    const { transaction: next } = (await poll()).body.data
    expect(next.metadata.step).toBe('SUPPLY_TO_PROVIDER')
    expect(await agent(`transactions/${next.id}/report`, { status: 'SUBMITTED', txHash })).toMatchObject(
      refusal(400, 'OPERATION_ALREADY_SUBMITTED'),
    )
  })

  test('are not reported without what belongs to the report', async () => {
    await supply()
    const { transaction } = (await poll()).body.data
    for (const body of [
      {},
      { status: 'DONE' },
      { status: 'SUBMITTED' },
      { status: 'SUBMITTED', txHash: '0x12' },
      { status: 'FAILED' },
      { status: 'FAILED', error: '' },
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
      reportedAt: job.clock.now().toISOString(),
    })
    expect(await client.operation(operation)).toMatchObject({ state: 'FAILED', failureReason: 'SUBMISSION' })
  })

  test('are sent by Weir for an agent without an endpoint of its own, once', async () => {
    const { operation } = await supply()
    const { transaction } = (await poll()).body.data
    const [approval] = (await client.operation(operation)).transactions
    const path = `transactions/${transaction.id}/broadcast`
    const other = await client.sign(approval!, { change: { value: 1n } })
    expect(await agent(path, { signedTransaction: other })).toMatchObject(refusal(400, 'TRANSACTION_MISMATCH'))
    const signedTransaction = await client.sign(approval!)
    const sent = await agent(path, { signedTransaction, leaseToken: transaction.leaseToken })
    expect(sent).toMatchObject({ status: 200, body: { data: { id: transaction.id, status: 'SUBMITTED' } } })
    job.clock.advance(1_000)
    expect((await agent(path, { signedTransaction })).body.data).toEqual(sent.body.data)
    await dev.included(sent.body.data.txHash)
    await job.settle()
    expect((await client.operation(operation)).transactions[0]!.state).toBe('confirmed')
    const next = (await client.operation(operation)).transactions[1]!
    expect(await agent(`transactions/${next.transactionId}/broadcast`, { signedTransaction })).toMatchObject(
      refusal(409, 'LEASE_LOST'),
    )
  })

  test('stay leased as long as the lease is renewed, and not a moment longer', async () => {
    await supply()
    const { transaction } = (await poll({ leaseDurationMs: 1_000 })).body.data
    const { id, leaseToken } = transaction
    job.clock.advance(900)
    const renewed = await agent(`transactions/${id}/renew`, { leaseDurationMs: 2_000, leaseToken })
    expect(Date.parse(renewed.body.data.leaseExpiresAt)).toBe(job.clock.now().getTime() + 2_000)
    job.clock.advance(1_900)
    expect((await poll()).body.data.transaction).toBeNull()
    const wrong = { leaseDurationMs: 2_000, leaseToken: 'lease_of_somebody_else' }
    expect(await agent(`transactions/${id}/renew`, wrong)).toMatchObject(refusal(409, 'LEASE_LOST'))
    job.clock.advance(100)
    expect(await agent(`transactions/${id}/renew`, { leaseDurationMs: 2_000, leaseToken })).toMatchObject(
      refusal(409, 'LEASE_LOST'),
    )
    expect((await poll()).body.data.transaction.id).toBe(id)
  })

  test('wait for approval, where the policy asks for it', async () => {
    await setPolicy(job, staff.organizationId, MANUAL)
    const { operation } = await supply()
    expect((await poll()).body.data.transaction).toBeNull()
    const sight = { organizationId: staff.organizationId, walletProfileId: null }
    await approveOperation(job.parts, { sight, operationId: operation.operationId, userId: staff.ids.approver })
    expect((await poll()).body.data.transaction.operationId).toBe(operation.operationId)
  })

  test('reach a poll that waits for them', async () => {
    const waiting = poll({ waitMs: 30_000 })
    const { operation } = await supply()
    expect((await waiting).body.data.transaction.operationId).toBe(operation.operationId)
  })

  test('that nobody has keep no poll longer than it wants to wait', async () => {
    expect((await poll({ waitMs: 50 })).body.data.transaction).toBeNull()
  })

  test('for several that wait go to one each', async () => {
    const others = [client, await job.client({ organizationId: staff.organizationId, usdc: 1_000n * USDC })]
    const waiting = [1, 2].map(() => poll({ waitMs: 30_000 }))
    await job.settle()
    for (const other of others) {
      await move(job, await monitor(job, other), { type: 'SUPPLY', amount: 100n * USDC })
    }
    const delivered = await Promise.all(waiting)
    expect(new Set(delivered.map(({ body }) => body.data.transaction.operationId)).size).toBe(2)
  })
})

test('a poll that waits ends at once when the service stops', async () => {
  const arrived = Promise.withResolvers<void>()
  const stopping = await coreSurface(job, (app, parts) => {
    app.addHook('preHandler', async () => arrived.resolve())
    agentTransactionRoutes(app, parts)
  })
  const { apiKey } = await generateKey(stopping.parts, { organizationId: staff.organizationId, name: 'Agent' })
  const waiting = stopping.call('POST', '/api/agent/transactions/poll', { key: apiKey!, body: { waitMs: 30_000 } })
  await arrived.promise
  await stopping.close()
  expect((await waiting).body.data.transaction).toBeNull()
})

describe('wallets that the custody makes', () => {
  const ask = (body: object, role: keyof typeof staff.tokens = 'admin', more: object = {}) =>
    core.call('POST', '/api/core/custody/actions/create-wallet', { token: staff.tokens[role], body, ...more })
  const asked = { blockchain: 'polygon', label: 'Hot' }
  const address = () => privateKeyToAccount(generatePrivateKey()).address
  const done = (at: string, more: object = {}) => ({
    status: 'SUCCESS',
    result: { address: at, signatureId: 'sig-1' },
    ...more,
  })

  test('are asked for, made, reported, and then wallets of the organization', async () => {
    const created = await ask(asked)
    expect(created.status).toBe(201)
    expect(created.body.data).toMatchObject({ type: 'CREATE_WALLET', payload: asked, status: 'PENDING', result: null })
    const { action } = (await agent('actions/poll', { leaseDurationMs: 30_000 })).body.data
    expect(action).toMatchObject({ id: created.body.data.id, type: 'CREATE_WALLET', payload: asked, status: 'PENDING' })
    expect((await agent('actions/poll')).body.data.action).toBeNull()
    const made = address()
    const report = await agent(
      `actions/${action.id}/report`,
      done(made.toLowerCase(), { leaseToken: action.leaseToken }),
    )
    expect(report.body.data.action).toEqual({
      id: action.id,
      type: 'CREATE_WALLET',
      status: 'SUCCESS',
      result: { address: made, signatureId: 'sig-1' },
    })
    const { body } = await core.call('GET', `/api/core/custody/actions/${action.id}`, { token: staff.tokens.viewer })
    const wallet = await job.db
      .selectFrom('wallets')
      .selectAll()
      .where('id', '=', body.data.orgWalletId)
      .executeTakeFirstOrThrow()
    expect(wallet).toMatchObject({ address: made, label: 'Hot', organization_id: staff.organizationId })
    expect(wallet.imported_at).not.toBeNull()
    const again = await agent(`actions/${action.id}/report`, done(made))
    expect(again.body.data).toEqual(report.body.data)
    expect(await agent(`actions/${action.id}/report`, done(address()))).toMatchObject(refusal(409, 'CONFLICT'))
    expect(await agent(`actions/${action.id}/report`, { status: 'FAILED', error: 'no' })).toMatchObject(
      refusal(409, 'CONFLICT'),
    )
  })

  test('stay asked for when the reported address is none', async () => {
    await ask(asked)
    const { action } = (await agent('actions/poll', { leaseDurationMs: 1_000 })).body.data
    expect(await agent(`actions/${action.id}/report`, done('0x12'))).toMatchObject(refusal(400, 'INVALID_ADDRESS'))
    expect(await agent(`actions/${action.id}/report`, { status: 'SUCCESS' })).toMatchObject(
      refusal(400, 'VALIDATION_ERROR'),
    )
    expect((await agent('actions/poll')).body.data.action).toBeNull()
    job.clock.advance(1_000)
    expect((await agent('actions/poll')).body.data.action.id).toBe(action.id)
  })

  test('fail when the holder of the lease says so, and nobody else', async () => {
    await ask(asked)
    const first = (await agent('actions/poll', { leaseDurationMs: 1_000 })).body.data.action
    job.clock.advance(1_000)
    const second = (await agent('actions/poll', { leaseDurationMs: 1_000 })).body.data.action
    const failed = { status: 'FAILED', error: 'no room for keys' }
    expect(await agent(`actions/${first.id}/report`, failed)).toMatchObject(refusal(409, 'LEASE_LOST'))
    const late = await agent(`actions/${first.id}/report`, { ...failed, leaseToken: first.leaseToken })
    expect(late).toMatchObject(refusal(409, 'LEASE_LOST'))
    const own = { ...failed, leaseToken: second.leaseToken }
    const report = await agent(`actions/${first.id}/report`, own)
    expect(report.body.data.action).toMatchObject({ status: 'FAILED', result: { error: 'no room for keys' } })
    expect((await agent(`actions/${first.id}/report`, own)).body.data).toEqual(report.body.data)
    const list = await core.call('GET', '/api/core/custody/actions?status=failed', { token: staff.tokens.viewer })
    expect(list.body.data).toMatchObject({ actions: [{ id: first.id, status: 'FAILED' }], pagination: { total: 1 } })
  })

  test('are asked for by owners and admins, on chains that are served, and once with one idempotency key', async () => {
    expect(await ask(asked, 'approver')).toMatchObject(refusal(403, 'FORBIDDEN'))
    expect(await ask({ ...asked, blockchain: 'arbitrum' })).toMatchObject(refusal(400, 'VALIDATION_ERROR'))
    expect(await ask({ ...asked, blockchain: 'solana' })).toMatchObject(refusal(400, 'VALIDATION_ERROR'))
    expect(await ask({ ...asked, label: '' })).toMatchObject(refusal(400, 'VALIDATION_ERROR'))
    const first = await ask(asked, 'owner', { idempotencyKey: 'one' })
    const again = await ask(asked, 'owner', { idempotencyKey: 'one' })
    expect(again.body.data.id).toBe(first.body.data.id)
    const stranger = await staffedOrganization(core.parts)
    const unseen = await core.call('GET', `/api/core/custody/actions/${first.body.data.id}`, {
      token: stranger.tokens.owner,
    })
    expect(unseen).toMatchObject(refusal(404, 'NOT_FOUND'))
  })

  test('reach a poll that waits for them', async () => {
    const waiting = agent('actions/poll', { waitMs: 30_000 })
    const { id } = (await ask(asked)).body.data
    expect((await waiting).body.data.action.id).toBe(id)
  })
})

test('an agent that knows nothing but this carries an operation out', async () => {
  const { operation } = await supply()
  expect((await agentOf(job, client).carryOut(operation)).state).toBe('COMPLETED')
})
