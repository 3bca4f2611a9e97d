import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { beforeEach, describe, expect, test } from 'vitest'
import { staffedOrganization } from '../../../../testing/surfaces/core-server.ts'
import { refusal, useTreasury } from '../../../../testing/surfaces/use-treasury.ts'
import { generateKey } from '../../../identity/index.ts'
import { agentActionRoutes } from './actions.ts'
import { custodyRoutes } from './custody.ts'

const treasury = useTreasury((app, parts) => {
  agentActionRoutes(app, parts)
  custodyRoutes(app, parts)
})
let key: string
beforeEach(async () => {
  const { core, staff } = treasury
  key = (await generateKey(core.parts, { organizationId: staff.organizationId, name: 'Agent' })).apiKey!
})

const agent = (path: string, body: object = {}, as = key) =>
  treasury.core.call('POST', `/api/agent/${path}`, { key: as, body })

describe('wallets that a custody agent creates', () => {
  const ask = (body: object, role: keyof typeof treasury.staff.tokens = 'admin', more: object = {}) =>
    treasury.core.call('POST', '/api/core/custody/actions/create-wallet', {
      token: treasury.staff.tokens[role],
      body,
      ...more,
    })
  const asked = { blockchain: 'polygon', label: 'Hot' }
  const address = () => privateKeyToAccount(generatePrivateKey()).address
  const done = (at: string, more: object = {}) => ({
    status: 'SUCCESS',
    result: { address: at, signatureId: 'sig-1' },
    ...more,
  })

  test('are requested, created and reported, and become wallets of the organization', async () => {
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
    const { body } = await treasury.core.call('GET', `/api/core/custody/actions/${action.id}`, {
      token: treasury.staff.tokens.viewer,
    })
    const wallet = await treasury.engine.db
      .selectFrom('wallets')
      .selectAll()
      .where('id', '=', body.data.orgWalletId)
      .executeTakeFirstOrThrow()
    expect(wallet).toMatchObject({ address: made, label: 'Hot', organization_id: treasury.staff.organizationId })
    expect(wallet.imported_at).not.toBeNull()
    const again = await agent(`actions/${action.id}/report`, done(made))
    expect(again.body.data).toEqual(report.body.data)
    expect(await agent(`actions/${action.id}/report`, done(address()))).toMatchObject(refusal(409, 'CONFLICT'))
    expect(await agent(`actions/${action.id}/report`, { status: 'FAILED', error: 'no' })).toMatchObject(
      refusal(409, 'CONFLICT'),
    )
  })

  test('stay pending when the reported address is invalid', async () => {
    await ask(asked)
    const { action } = (await agent('actions/poll', { leaseDurationMs: 1_000 })).body.data
    expect(await agent(`actions/${action.id}/report`, done('0x12'))).toMatchObject(refusal(400, 'INVALID_ADDRESS'))
    expect(await agent(`actions/${action.id}/report`, { status: 'SUCCESS' })).toMatchObject(
      refusal(400, 'VALIDATION_ERROR'),
    )
    expect((await agent('actions/poll')).body.data.action).toBeNull()
    treasury.engine.clock.advance(1_000)
    expect((await agent('actions/poll')).body.data.action.id).toBe(action.id)
  })

  test('fail only when the holder of the lease reports a failure', async () => {
    await ask(asked)
    const first = (await agent('actions/poll', { leaseDurationMs: 1_000 })).body.data.action
    treasury.engine.clock.advance(1_000)
    const second = (await agent('actions/poll', { leaseDurationMs: 1_000 })).body.data.action
    const failed = { status: 'FAILED', error: 'no room for keys' }
    expect(await agent(`actions/${first.id}/report`, failed)).toMatchObject(refusal(409, 'LEASE_LOST'))
    const late = await agent(`actions/${first.id}/report`, { ...failed, leaseToken: first.leaseToken })
    expect(late).toMatchObject(refusal(409, 'LEASE_LOST'))
    const own = { ...failed, leaseToken: second.leaseToken }
    const report = await agent(`actions/${first.id}/report`, own)
    expect(report.body.data.action).toMatchObject({ status: 'FAILED', result: { error: 'no room for keys' } })
    expect((await agent(`actions/${first.id}/report`, own)).body.data).toEqual(report.body.data)
    const list = await treasury.core.call('GET', '/api/core/custody/actions?status=failed', {
      token: treasury.staff.tokens.viewer,
    })
    expect(list.body.data).toMatchObject({ actions: [{ id: first.id, status: 'FAILED' }], pagination: { total: 1 } })
  })

  test('fail also with an empty reason', async () => {
    await ask(asked)
    const { action } = (await agent('actions/poll', { leaseDurationMs: 1_000 })).body.data
    const report = await agent(`actions/${action.id}/report`, { status: 'FAILED', error: '' })
    expect(report.body.data.action).toMatchObject({
      status: 'FAILED',
      result: { error: expect.stringContaining('no reason') },
    })
  })

  test('can be requested by owners and admins, on served chains, once per idempotency key', async () => {
    expect(await ask(asked, 'approver')).toMatchObject(refusal(403, 'FORBIDDEN'))
    expect(await ask({ ...asked, blockchain: 'arbitrum' })).toMatchObject(refusal(400, 'VALIDATION_ERROR'))
    expect(await ask({ ...asked, blockchain: 'solana' })).toMatchObject(refusal(400, 'VALIDATION_ERROR'))
    expect(await ask({ ...asked, label: '' })).toMatchObject(refusal(400, 'VALIDATION_ERROR'))
    const first = await ask(asked, 'owner', { idempotencyKey: 'one' })
    const again = await ask(asked, 'owner', { idempotencyKey: 'one' })
    expect(again.body.data.id).toBe(first.body.data.id)
    const stranger = await staffedOrganization(treasury.core.parts)
    const unseen = await treasury.core.call('GET', `/api/core/custody/actions/${first.body.data.id}`, {
      token: stranger.tokens.owner,
    })
    expect(unseen).toMatchObject(refusal(404, 'NOT_FOUND'))
  })

  test('need the lease, and for a key with permissions the new key’s proof', async () => {
    const { organizationId } = treasury.staff
    const limited = await generateKey(treasury.core.parts, { organizationId, name: 'Agent', permissions: ['agent'] })
    const { id } = (await ask(asked)).body.data
    expect(await agent(`actions/${id}/report`, done(address()))).toMatchObject(refusal(409, 'LEASE_LOST'))
    const { action } = (await agent('actions/poll', {}, limited.apiKey)).body.data
    const { leaseToken, challenge } = action
    const account = privateKeyToAccount(generatePrivateKey())
    const signature = await account.signMessage({ message: challenge })
    const report = (body: object) => agent(`actions/${id}/report`, body, limited.apiKey)
    const result = { address: account.address, signature }
    expect(await report({ status: 'SUCCESS', result })).toMatchObject(refusal(409, 'LEASE_LOST'))
    expect(await report(done(account.address, { leaseToken }))).toMatchObject(refusal(400, 'VALIDATION_ERROR'))
    const stolen = { status: 'SUCCESS', result: { ...result, address: address() }, leaseToken }
    expect(await report(stolen)).toMatchObject(refusal(400, 'VALIDATION_ERROR'))
    const reported = await report({ status: 'SUCCESS', result, leaseToken })
    expect(reported.body.data.action).toMatchObject({ status: 'SUCCESS', result: { address: account.address } })
  })

  test('reach a waiting poll', async () => {
    const waiting = agent('actions/poll', { waitMs: 30_000 })
    const { id } = (await ask(asked)).body.data
    expect((await waiting).body.data.action.id).toBe(id)
  })
})
