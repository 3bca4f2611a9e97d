import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type CoreServer, coreServer, staffedOrganization } from '../../../testing/core-server.ts'
import { generateKey } from '../../identity/index.ts'
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

test('before anybody set one, the policy is automatic and nobody set it', async () => {
  expect(await get('', staff.tokens.viewer)).toMatchObject({
    status: 200,
    body: {
      success: true,
      data: {
        mode: 'automatic',
        rules: [],
        default: 'require_approval',
        requiredApprovals: 1,
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

test('a policy that was set is answered as it was written, with who and when', async () => {
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

test('every change stays in the history, newest first, with who and when', async () => {
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

test('ten changes at once are ten versions', async () => {
  const answers = await Promise.all(Array.from({ length: 10 }, () => put(full)))
  const versions = answers.map(({ body }) => body.data.version).sort((a, b) => a - b)
  expect(versions).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
})

test('owners and admins change it, everybody else of the organization reads it, keys do neither', async () => {
  for (const role of ['approver', 'viewer'] as const) {
    expect(await put(full, staff.tokens[role])).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } })
    expect((await get('', staff.tokens[role])).status).toBe(200)
    expect((await evaluate({}, staff.tokens[role])).status).toBe(200)
  }
  expect((await put(full, staff.tokens.admin)).status).toBe(200)
  const { apiKey } = await generateKey(server.parts, { organizationId: staff.organizationId, name: 'k' })
  expect((await server.call('GET', URL, { key: apiKey })).status).toBe(401)
})

test('an organization neither sees nor feels the policy of another', async () => {
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
])('%s is refused where it stands, and nothing changes', async (_, body, path) => {
  const refused = await put(body)
  expect(refused).toMatchObject({ status: 400, body: { code: 'VALIDATION_ERROR' } })
  expect(refused.body.details.issues.map((issue: { path: string }) => issue.path)).toContain(path)
  expect((await get()).body.data.version).toBe(0)
})

test('evaluate tells the outcome, the rule that decides, and how many must approve', async () => {
  await put(conditional([big, { name: 'never', when: { counterparties: ['Shady'] }, then: 'reject' }]))
  expect((await evaluate({ amount: '10000', type: 'SUPPLY', counterparties: ['Aave V3'] })).body.data).toEqual({
    outcome: 'require_approval',
    rule: 'big',
    requiredApprovals: 2,
    explanation: 'The rule "big" holds: approval is required.',
  })
  expect((await evaluate({ amount: '9999.999999', counterparties: ['aave-v3'] })).body.data).toMatchObject({
    outcome: 'approve',
    rule: null,
    requiredApprovals: 0,
  })
  expect((await evaluate({ amount: '1.00', counterparties: ['0x1', 'shady'] })).body.data).toMatchObject({
    outcome: 'reject',
    rule: 'never',
    requiredApprovals: 0,
  })
})

test('what a rule needs and is not said asks for approval', async () => {
  await put(conditional([{ ...big, then: 'approve' }]))
  for (const body of [undefined, {}, { type: 'SUPPLY' }]) {
    expect((await evaluate(body)).body.data).toMatchObject({
      outcome: 'require_approval',
      rule: 'big',
      requiredApprovals: 2,
      explanation: expect.stringContaining('the amount'),
    })
  }
})

test('a wallet tells its custody provider, and a strategy its counterparties', async () => {
  const { db, clock } = server.parts
  const { id: profile } = await db
    .selectFrom('wallet_profiles')
    .select('id')
    .where('organization_id', '=', staff.organizationId)
    .executeTakeFirstOrThrow()
  const { id: walletId } = await db
    .insertInto('wallets')
    .values({
      organization_id: staff.organizationId,
      wallet_profile_id: profile,
      blockchain: 'polygon',
      address: '0x794a61358D6845594F94dc1DB02A252b5b4814aD',
      created_at: clock.now(),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const venue = { name: 'Aave V3 on polygon', protocol: 'aave-v3', blockchain: 'polygon', status: 'active' } as const
  const { id: venueId } = await db
    .insertInto('venues')
    .values({ ...venue, key: `venue-${staff.organizationId}` })
    .returning('id')
    .executeTakeFirstOrThrow()
  const { id: strategyId } = await db
    .insertInto('strategies')
    .values({
      venue_id: venueId,
      key: `strategy-${staff.organizationId}`,
      name: 'USDC',
      protocol: 'aave-v3',
      blockchain: 'polygon',
      token: 'USDC',
      token_address: '0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359',
      token_decimals: 6,
      status: 'active',
      params: JSON.stringify({ pool: '0xABCD' }),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await put(
    conditional([
      { name: 'ours', when: { custodyProviders: ['self'], walletIds: [walletId] }, then: 'require_approval' },
      { name: 'venue', when: { counterparties: ['aave v3 on polygon'] }, then: 'reject' },
    ]),
  )
  const rule = async (body: unknown) => (await evaluate(body)).body.data.rule
  expect(await rule({ walletId, strategyId })).toBe('ours')
  expect(await rule({ walletId, custodyProvider: 'fireblocks', strategyId })).toBe('venue')
  expect(await rule({ walletId, custodyProvider: 'fireblocks', counterparties: ['0xabcd'] })).toBe(null)
  const others = await staffedOrganization(server.parts)
  expect((await evaluate({ walletId }, others.tokens.owner)).status).toBe(404)
})

test('a policy can be tried out before it is set, and is judged like one that is set', async () => {
  const tried = await evaluate({ amount: '10000.00', policy: conditional([big]) })
  expect(tried.body.data).toMatchObject({ outcome: 'require_approval', rule: 'big' })
  const refused = await evaluate({ policy: conditional([{ ...big, when: { amountAtLeast: 'much' } }]) })
  expect(refused.body.details.issues[0].path).toBe('policy.rules[0].when.amountAtLeast')
  expect((await get()).body.data.version).toBe(0)
})

test('an operation that makes no sense is refused, and a wallet of others is unknown', async () => {
  for (const [body, path] of [
    [{ amount: '0.00' }, 'amount'],
    [{ amount: 5 }, 'amount'],
    [{ type: 'SWAP' }, 'type'],
    [{ at: 'soon' }, 'at'],
    [{ opWalletId: 1, managedWalletId: 2 }, 'managedWalletId'],
  ] as const) {
    const refused = await evaluate(body)
    expect(refused.status).toBe(400)
    expect(refused.body.details.issues[0].path).toBe(path)
  }
  expect(await evaluate({ walletId: 9_999 })).toMatchObject({ status: 404, body: { code: 'WALLET_NOT_FOUND' } })
  expect(await evaluate({ opWalletId: 9_999 })).toMatchObject({ status: 404, body: { code: 'WALLET_NOT_FOUND' } })
  expect(await evaluate({ strategyId: 9_999 })).toMatchObject({ status: 404, body: { code: 'STRATEGY_NOT_FOUND' } })
})

test('a policy that this build cannot read asks for approval, and says so', async () => {
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

test('what was ever in force is neither changed nor removed, not even by hand', async () => {
  await put(full)
  const { db } = server.parts
  await expect(db.deleteFrom('approval_policies').execute()).rejects.toThrow('only grows')
  await expect(db.updateTable('approval_policies').set({ version: 7 }).execute()).rejects.toThrow('only grows')
})
