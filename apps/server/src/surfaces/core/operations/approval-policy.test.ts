import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { setPolicy } from '../../../../testing/rebalancing/operational-wallets.ts'
import { type CoreServer, coreServer, staffedOrganization } from '../../../../testing/surfaces/core-server.ts'
import { generateKey } from '../../../identity/index.ts'
import { approvalPolicyRoutes } from './approval-policy.ts'

let server: CoreServer
let staff: Awaited<ReturnType<typeof staffedOrganization>>
beforeAll(async () => {
  server = await coreServer(approvalPolicyRoutes)
})
afterAll(() => server.close())
beforeEach(async () => {
  staff = await staffedOrganization(server.parts)
})

const URL = '/api/core/approval-policy'
const get = (path = '', token = staff.tokens.owner) => server.call('GET', `${URL}${path}`, { token })
const put = (body: unknown, token = staff.tokens.owner) => server.call('PUT', URL, { token, body })
const evaluate = (body: unknown, token = staff.tokens.owner) => server.call('POST', `${URL}/evaluate`, { token, body })

const big = { name: 'big', when: { amountAtLeast: '10000.00' }, then: 'require_approval' }
const conditional = (rules: unknown[], more: object = {}) => ({
  mode: 'conditional',
  rules,
  default: 'approve',
  requiredApprovals: 2,
  requesterMayApprove: false,
  ...more,
})
const full = conditional([
  big,
  {
    name: 'the rest',
    when: {
      walletIds: [4, 5],
      custodyProviders: ['self', 'Fireblocks'],
      types: ['SUPPLY', 'UNWIND'],
      outsideHours: { timezone: 'Europe/Berlin', from: '22:00', to: '06:00', days: ['mon', 'Tuesday', 3, 0] },
      counterparties: ['Aave V3', '0x794a61358D6845594F94dc1DB02A252b5b4814aD'],
    },
    then: 'reject',
  },
  { name: 'everything', when: {}, then: 'approve' },
])

test('before anybody sets one, the policy is automatic and names no author', async () => {
  expect(await get('', staff.tokens.viewer)).toMatchObject({
    status: 200,
    body: {
      success: true,
      data: {
        mode: 'automatic',
        rules: [],
        default: 'require_approval',
        requiredApprovals: 1,
        requesterMayApprove: false,
        version: 0,
        readable: true,
        updatedAt: null,
        updatedBy: null,
      },
    },
  })
  expect((await get('/history')).body.data).toEqual({
    changes: [],
    pagination: { total: 0, limit: 50, offset: 0, hasMore: false },
  })
})

test('a policy is returned as it was written, with its author and time', async () => {
  const set = await put(full)
  expect(set.status).toBe(200)
  expect(set.body.data).toEqual({
    ...full,
    version: 1,
    readable: true,
    updatedAt: '2026-01-01T00:00:00.000Z',
    updatedBy: { id: staff.ids.owner, email: staff.email, name: null },
  })
  expect((await get('', staff.tokens.approver)).body.data).toEqual(set.body.data)
})

test('a policy that does not mention the requester excludes them; one stored before the field existed does not', async () => {
  const { requesterMayApprove: _, ...silent } = full
  expect((await put(silent)).body.data).toMatchObject({ version: 1, requesterMayApprove: false })
  expect((await put({ ...silent, requesterMayApprove: true })).body.data.requesterMayApprove).toBe(true)
  await setPolicy(server.parts, staff.organizationId, silent)
  expect((await get()).body.data).toMatchObject({ version: 3, requesterMayApprove: true })
})

test('every change stays in the history, newest first, with its author and time', async () => {
  await put({ ...full, mode: 'manual' })
  server.parts.clock.advance(1_000)
  await put(full, staff.tokens.admin)
  const { changes, pagination } = (await get('/history', staff.tokens.viewer)).body.data
  expect(pagination).toEqual({ total: 2, limit: 50, offset: 0, hasMore: false })
  expect(changes.map((change: Record<string, unknown>) => [change.version, change.mode])).toEqual([
    [2, 'conditional'],
    [1, 'manual'],
  ])
  expect(changes.map((change: { updatedBy: { id: number } }) => change.updatedBy.id)).toEqual([
    staff.ids.admin,
    staff.ids.owner,
  ])
  const page = (await get('/history?limit=1&offset=1')).body.data
  expect(page.changes.map((change: { version: number }) => change.version)).toEqual([1])
  expect((await get('/history?limit=1')).body.data.pagination.hasMore).toBe(true)
})

test('ten concurrent changes create ten versions', async () => {
  const answers = await Promise.all(Array.from({ length: 10 }, () => put(full)))
  const versions = answers.map(({ body }) => body.data.version).sort((a, b) => a - b)
  expect(versions).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
})

test('owners and admins change it, all members read it, keys do neither', async () => {
  for (const role of ['approver', 'viewer'] as const) {
    expect(await put(full, staff.tokens[role])).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } })
    expect((await get('', staff.tokens[role])).status).toBe(200)
    expect((await evaluate({}, staff.tokens[role])).status).toBe(200)
  }
  expect((await put(full, staff.tokens.admin)).status).toBe(200)
  const { apiKey } = await generateKey(server.parts, { organizationId: staff.organizationId, name: 'k' })
  expect((await server.call('GET', URL, { key: apiKey })).status).toBe(401)
})

test('an organization neither sees nor follows the policy of another', async () => {
  const other = await staffedOrganization(server.parts)
  await put({ ...full, mode: 'manual' }, other.tokens.owner)
  expect((await get()).body.data.version).toBe(0)
  expect((await get('/history')).body.data.changes).toEqual([])
  expect((await evaluate({ type: 'SUPPLY' })).body.data.outcome).toBe('approve')
})

const hours = (more: object) => ({ timezone: 'Asia/Tokyo', from: '08:00', to: '18:00', days: ['mon'], ...more })
const when = (condition: unknown) => conditional([{ ...big, when: condition }])
test.each([
  ['no body', undefined, 'mode'],
  ['an unknown mode', { ...full, mode: 'sometimes' }, 'mode'],
  ['no rules', { ...full, rules: undefined }, 'rules'],
  ['a default that rejects', { ...full, default: 'reject' }, 'default'],
  ['no approvals', { ...full, requiredApprovals: 0 }, 'requiredApprovals'],
  ['six approvals', { ...full, requiredApprovals: 6 }, 'requiredApprovals'],
  ['half an approval', { ...full, requiredApprovals: 1.5 }, 'requiredApprovals'],
  ['a requester who may perhaps approve', { ...full, requesterMayApprove: 'yes' }, 'requesterMayApprove'],
  ['a rule without a name', conditional([{ when: {}, then: 'approve' }]), 'rules[0].name'],
  ['a rule with an empty name', conditional([{ ...big, name: ' ' }]), 'rules[0].name'],
  ['two rules of one name', conditional([big, big]), 'rules[1].name'],
  ['an unknown outcome', conditional([big, { ...big, name: 'b', then: 'wait' }]), 'rules[1].then'],
  ['a rule without conditions at all', conditional([{ name: 'a', then: 'approve' }]), 'rules[0].when'],
  ['a condition that does not exist', when({ amountAtleast: '5' }), 'rules[0].when.amountAtleast'],
  ['a condition named like a method', when({ toString: '5' }), 'rules[0].when.toString'],
  ['an amount that is a number', when({ amountAtLeast: 5 }), 'rules[0].when.amountAtLeast'],
  ['a negative amount', when({ amountAtLeast: '-5' }), 'rules[0].when.amountAtLeast'],
  ['an amount with an exponent', when({ amountAtLeast: '1e5' }), 'rules[0].when.amountAtLeast'],
  ['no wallet at all', when({ walletIds: [] }), 'rules[0].when.walletIds'],
  ['a wallet that is no id', when({ walletIds: [1, 0] }), 'rules[0].when.walletIds[1]'],
  ['an unknown type', when({ types: ['SWAP'] }), 'rules[0].when.types[0]'],
  ['an empty counterparty', when({ counterparties: [''] }), 'rules[0].when.counterparties[0]'],
  [
    'an unknown time zone',
    when({ outsideHours: hours({ timezone: 'Mars/Base' }) }),
    'rules[0].when.outsideHours.timezone',
  ],
  [
    'an offset for a zone',
    when({ outsideHours: hours({ timezone: '+02:00' }) }),
    'rules[0].when.outsideHours.timezone',
  ],
  ['an hour 25', when({ outsideHours: hours({ to: '25:00' }) }), 'rules[0].when.outsideHours.to'],
  ['hours that begin at 24:00', when({ outsideHours: hours({ from: '24:00' }) }), 'rules[0].when.outsideHours.from'],
  ['no days', when({ outsideHours: hours({ days: undefined }) }), 'rules[0].when.outsideHours.days'],
  ['a day 8', when({ outsideHours: hours({ days: [1, 8] }) }), 'rules[0].when.outsideHours.days[1]'],
])('%s is rejected at its path, and nothing changes', async (_, body, path) => {
  const refused = await put(body)
  expect(refused).toMatchObject({ status: 400, body: { code: 'VALIDATION_ERROR' } })
  expect(refused.body.details.issues.map((issue: { path: string }) => issue.path)).toContain(path)
  expect((await get()).body.data.version).toBe(0)
})

test('a policy that this version cannot read requires approval, and says so', async () => {
  await put(full)
  await server.parts.db
    .insertInto('approval_policies')
    .values({
      organization_id: staff.organizationId,
      version: 2,
      policy: JSON.stringify({ mode: 'by-the-moon' }),
      changed_by: staff.ids.owner,
      created_at: server.parts.clock.now(),
    })
    .execute()
  expect((await get()).body.data).toMatchObject({ readable: false, mode: 'manual', version: 2 })
  expect((await evaluate({ type: 'SUPPLY', amount: '1.00' })).body.data).toMatchObject({
    outcome: 'require_approval',
    rule: null,
    requiredApprovals: 1,
  })
  expect((await put(full)).body.data).toMatchObject({ version: 3, readable: true })
})

test('past versions cannot be changed or removed, not even by SQL', async () => {
  await put(full)
  const { db } = server.parts
  await expect(db.deleteFrom('approval_policies').execute()).rejects.toThrow('only grows')
  await expect(db.updateTable('approval_policies').set({ version: 7 }).execute()).rejects.toThrow('only grows')
})
