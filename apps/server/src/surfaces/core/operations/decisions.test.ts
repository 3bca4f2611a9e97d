// Also tested elsewhere: what decisions do to an operation (surfaces/core/treasury/allocation-moves.test.ts), and which
// approvals count (operations/approval/count-approvals.test.ts).
import { beforeEach, describe, expect, test } from 'vitest'
import type { TestClient } from '../../../../testing/operations/test-client.ts'
import { MANUAL_POLICY, setPolicy } from '../../../../testing/rebalancing/operational-wallets.ts'
import { refusal, useTreasury } from '../../../../testing/surfaces/use-treasury.ts'
import { USDC } from '../../../../testing/units.ts'
import { readConfig } from '../../../config.ts'
import { memberRoutes } from '../identity/organization/members.ts'
import { allocationMoveRoutes } from '../treasury/allocation-moves.ts'
import { operationalWalletRoutes } from '../treasury/operational-wallets.ts'
import { approvalPolicyRoutes } from './approval-policy.ts'
import { operationDecisionRoutes } from './decisions.ts'
import { operationDetailRoute } from './operation-detail.ts'
import { coreOperationRoutes } from './operations.ts'

const treasury = useTreasury((app, parts) => {
  operationalWalletRoutes(app, parts)
  allocationMoveRoutes(app, { ...parts, rebalancing: readConfig({}).rebalancing })
  operationDecisionRoutes(app, parts)
  coreOperationRoutes(app, parts)
  operationDetailRoute(app, parts, false)
  approvalPolicyRoutes(app, parts)
  memberRoutes(app, parts)
})
let client: TestClient
let opWalletId: number
beforeEach(async () => {
  ;({ client, opWalletId } = await treasury.operationalWallet('100'))
})

type Person = 'owner' | 'admin' | 'approver'
const call = (method: 'POST' | 'PUT' | 'PATCH' | 'DELETE', url: string, by: Person, body?: object) =>
  treasury.core.call(method, url, { token: treasury.staff.tokens[by], ...(body === undefined ? {} : { body }) })
const setOverHttp = async (change: object, by: Person = 'owner') =>
  expect((await call('PUT', '/api/core/approval-policy', by, { ...MANUAL_POLICY, ...change })).status).toBe(200)
async function deploy(by: Person = 'admin'): Promise<number> {
  const { body } = await call('POST', '/api/v1/allocations', by, { opWalletId, amount: '500', asset: 'USDC' })
  expect(body.data.status).toBe('PENDING_APPROVAL')
  return body.data.operationId
}
const approve = (id: number, by: Person) => call('POST', `/api/core/operations/${id}/approve`, by)
const refused = {
  status: 403,
  body: { code: 'FORBIDDEN', message: 'You requested this operation; another member must approve it.' },
}

test.each(['approve', 'reject'])(
  'two members who %s with one Idempotency-Key: 409 for the second, no replay',
  async (word) => {
    await setOverHttp({ requiredApprovals: 2 })
    const id = await deploy()
    const decide = (by: Person) => {
      const how = { token: treasury.staff.tokens[by], idempotencyKey: `decide-${id}` }
      return treasury.core.call('POST', `/api/core/operations/${id}/${word}`, how)
    }
    const first = await decide('approver')
    expect(first.status).toBe(200)
    expect(await decide('owner')).toMatchObject({
      status: 409,
      body: { code: 'IDEMPOTENCY_CONFLICT', details: { reason: 'different_request' } },
    })
    const again = await decide('approver')
    expect(again.headers['idempotency-replayed']).toBe('true')
    expect(again.body).toEqual(first.body)
  },
)

describe('the user who requested an operation', () => {
  test('cannot approve it: another member must', async () => {
    await setOverHttp({})
    const id = await deploy()
    expect(await approve(id, 'admin')).toMatchObject(refused)
    expect((await treasury.read(`/api/core/operations/${id}`)).status).toBe('PENDING_APPROVAL')
    expect((await approve(id, 'approver')).body.data).toMatchObject({ status: 'EXECUTING', approvals: 1 })
  })

  test('cannot approve it as owner either, nor by allowing it once it waits', async () => {
    await setOverHttp({})
    const id = await deploy('owner')
    await setOverHttp({ requesterMayApprove: true })
    expect(await approve(id, 'owner')).toMatchObject(refused)
  })

  test('leaves no trace of the attempt, so that a second one is refused as well', async () => {
    await setOverHttp({ requiredApprovals: 2 })
    const id = await deploy()
    await approve(id, 'admin')
    expect(await approve(id, 'admin')).toMatchObject(refused)
    expect((await approve(id, 'approver')).body.data).toMatchObject({ status: 'PENDING_APPROVAL', approvals: 1 })
    expect((await approve(id, 'owner')).body.data).toMatchObject({ status: 'EXECUTING', approvals: 2 })
  })

  test('may reject it', async () => {
    await setOverHttp({})
    const rejected = await call('POST', `/api/core/operations/${await deploy()}/reject`, 'admin')
    expect(rejected.body.data.status).toBe('REJECTED')
  })

  test('may approve it if the policy says so', async () => {
    await setOverHttp({ requesterMayApprove: true })
    expect((await approve(await deploy(), 'admin')).body.data.status).toBe('EXECUTING')
  })

  test('may approve it under a policy that was stored before the field existed', async () => {
    await setPolicy(treasury.engine, treasury.staff.organizationId, MANUAL_POLICY)
    expect((await approve(await deploy(), 'admin')).body.data.status).toBe('EXECUTING')
  })

  test('may approve it as the only member who may approve', async () => {
    await setOverHttp({})
    for (const role of ['admin', 'approver'] as const)
      await call('DELETE', `/api/core/members/${treasury.staff.ids[role]}`, 'owner')
    expect((await approve(await deploy('owner'), 'owner')).body.data.status).toBe('EXECUTING')
  })
})

describe('an approval', () => {
  test('may give a reason and a link, which the operation shows with who decided and what counts', async () => {
    await setPolicy(treasury.engine, treasury.staff.organizationId, { ...MANUAL_POLICY, requiredApprovals: 2 })
    const id = await deploy('owner')
    const path = `/api/core/operations/${id}`
    expect(await treasury.read(path)).not.toHaveProperty('decisions')
    const explanation = {
      reason: 'Invoice 1042 is paid on Friday.',
      link: 'https://files.example/1042.pdf',
      fileSha256: 'ab'.repeat(32),
    }
    await call('POST', `${path}/approve`, 'approver', explanation)
    const first = {
      userId: treasury.staff.ids.approver,
      email: expect.stringContaining('@'),
      decision: 'approve',
      counts: true,
      signed: false,
      ...explanation,
      at: expect.any(String),
    }
    expect((await treasury.read(path)).decisions).toEqual([first])
    const audited = async (action: string) => (await treasury.audited(action)).map(({ details }) => details)
    expect(await audited('approveOperation')).toEqual([{ status: 'PENDING_APPROVAL', signed: false, ...explanation }])
    await call('DELETE', `/api/core/members/${treasury.staff.ids.approver}`, 'owner')
    treasury.engine.clock.advance(1_000)
    await call('POST', `${path}/reject`, 'admin', { reason: 'Paid twice.' })
    expect((await treasury.read(path)).decisions).toMatchObject([
      { ...first, counts: false },
      { userId: treasury.staff.ids.admin, decision: 'reject', counts: false, reason: 'Paid twice.' },
    ])
    expect(await audited('rejectOperation')).toMatchObject([{ reason: 'Paid twice.' }])
  })

  test.each([
    ['an empty reason', { reason: '' }],
    ['a link without TLS', { link: 'http://files.example/1' }],
    ['a link that is a script', { link: 'javascript:alert(1)' }],
    ['a link with a space', { link: 'https://files.example/a b' }],
    ['a hash in upper case', { fileSha256: 'AB'.repeat(32) }],
    ['a hash that is too short', { fileSha256: 'ab' }],
  ])('with %s is refused', async (_, body) => {
    await setOverHttp({})
    const path = `/api/core/operations/${await deploy()}`
    expect(await call('POST', `${path}/approve`, 'approver', body)).toMatchObject(refusal(400, 'VALIDATION_ERROR'))
    expect(await call('POST', `${path}/reject`, 'approver', body)).toMatchObject(refusal(400, 'VALIDATION_ERROR'))
  })

  test.each([
    ['was removed', (id: number) => call('DELETE', `/api/core/members/${id}`, 'owner')],
    ['is a viewer now', (id: number) => call('PATCH', `/api/core/members/${id}`, 'owner', { role: 'viewer' })],
  ])('no longer counts once its member %s', async (_, leave) => {
    await setPolicy(treasury.engine, treasury.staff.organizationId, { ...MANUAL_POLICY, requiredApprovals: 2 })
    const id = await deploy('owner')
    expect((await approve(id, 'approver')).body.data.approvals).toBe(1)
    expect((await leave(treasury.staff.ids.approver)).status).toBe(200)
    expect((await approve(id, 'admin')).body.data).toMatchObject({ status: 'PENDING_APPROVAL', approvals: 1 })
    expect((await approve(id, 'owner')).body.data).toMatchObject({ status: 'EXECUTING', approvals: 2 })
  })
})

test('the queue says how many approvals count of how many, and which rule asks for them', async () => {
  const rule = { name: 'Large moves', when: { amountAtLeast: '100.00' }, then: 'require_approval' }
  await setOverHttp({ mode: 'conditional', requiredApprovals: 2, rules: [rule] })
  const id = await deploy()
  const queued = async () => (await treasury.read('/api/core/operations/queue')).intents
  const facts = { id, requiredApprovals: 2, approvalRule: 'Large moves' }
  expect(await queued()).toMatchObject([{ ...facts, approvals: 0 }])
  await approve(id, 'approver')
  expect(await queued()).toMatchObject([{ ...facts, approvals: 1 }])
  await call('DELETE', `/api/core/members/${treasury.staff.ids.approver}`, 'owner')
  expect(await queued()).toMatchObject([{ ...facts, approvals: 0 }])
})

describe('who requested an operation', () => {
  test('is shown in its detail, the queue and the history', async () => {
    await setOverHttp({})
    const id = await deploy()
    const requestedBy = { type: 'user', id: treasury.staff.ids.admin }
    expect(await treasury.read(`/api/core/operations/${id}`)).toMatchObject({ requestedBy })
    expect(await treasury.read('/api/core/operations/queue')).toMatchObject({ intents: [{ id, requestedBy }] })
    await call('POST', `/api/core/operations/${id}/reject`, 'approver')
    expect(await treasury.read('/api/core/operations/history')).toMatchObject({ items: [{ id, requestedBy }] })
  })

  test('is a key on v1, the service for the rebalancer, and unknown for earlier operations', async () => {
    const { operationId: id } = await client.supply(100n * USDC)
    const shown = async () => (await treasury.read(`/api/core/operations/${id}`)).requestedBy
    const set = (type: 'system' | null) =>
      treasury.engine.db
        .updateTable('operations')
        .set({ requested_by_type: type, requested_by_id: null })
        .where('id', '=', id)
        .execute()
    expect(await shown()).toEqual({ type: 'key', id: 1 })
    await set('system')
    expect(await shown()).toEqual({ type: 'system', id: null })
    await set(null)
    expect(await shown()).toBeNull()
  })
})

test('a viewer cannot decide', async () => {
  await setOverHttp({})
  const id = await deploy()
  const { viewer } = treasury.staff.tokens
  const answer = await treasury.core.call('POST', `/api/core/operations/${id}/approve`, { token: viewer })
  expect(answer).toMatchObject(refusal(403, 'FORBIDDEN'))
})
