import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type CoreServer, coreServer, staffedOrganization } from '../../../../testing/surfaces/core-server.ts'
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
const get = () => server.call('GET', URL, { token: staff.tokens.owner })
const put = (body: unknown) => server.call('PUT', URL, { token: staff.tokens.owner, body })
const evaluate = (body: unknown, token = staff.tokens.owner) => server.call('POST', `${URL}/evaluate`, { token, body })

const big = { name: 'big', when: { amountAtLeast: '10000.00' }, then: 'require_approval' }
const conditional = (rules: unknown[]) => ({
  mode: 'conditional',
  rules,
  default: 'approve',
  requiredApprovals: 2,
})
test('evaluate returns the outcome, the deciding rule, and the number of approvals', async () => {
  await put(conditional([big, { name: 'never', when: { counterparties: ['Shady'] }, then: 'reject' }]))
  expect((await evaluate({ amount: '10000', type: 'SUPPLY', counterparties: ['Aave V3'] })).body.data).toEqual({
    outcome: 'require_approval',
    rule: 'big',
    requiredApprovals: 2,
    explanation: 'The rule "big" holds, because the amount is at least 10000.00: approval is required.',
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

test('a fact that a rule needs and the request omits requires approval', async () => {
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

test('a wallet supplies its custody provider, and a strategy its counterparties', async () => {
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

test('a policy can be evaluated before it is set, and is judged like the one in force', async () => {
  const tried = await evaluate({ amount: '10000.00', policy: conditional([big]) })
  expect(tried.body.data).toMatchObject({ outcome: 'require_approval', rule: 'big' })
  const refused = await evaluate({ policy: conditional([{ ...big, when: { amountAtLeast: 'much' } }]) })
  expect(refused.body.details.issues[0].path).toBe('policy.rules[0].when.amountAtLeast')
  expect((await get()).body.data.version).toBe(0)
})

test('an impossible operation is rejected, and a wallet of another organization is unknown', async () => {
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

test('the documented policy for "no approvals" requires none, whatever was set before', async () => {
  const document = readFileSync(join(import.meta.dirname, '../../../../../../docs/approvals.md'), 'utf8')
  const [, section = ''] = document.split('## How do I return to no approvals?')
  const [, told = ''] = /-d '(\{.*?\})'/.exec(section) ?? []
  await put({ ...conditional([big]), mode: 'manual' })
  expect((await evaluate({ type: 'SUPPLY', amount: '25000.00' })).body.data.outcome).toBe('require_approval')
  expect((await put(JSON.parse(told))).status).toBe(200)
  expect((await evaluate({ type: 'SUPPLY', amount: '25000.00' })).body.data).toMatchObject({
    outcome: 'approve',
    requiredApprovals: 0,
  })
})
