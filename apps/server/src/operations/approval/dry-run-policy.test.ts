// Also tested elsewhere: the decision itself (policy/decide.test.ts), and the answer over HTTP
// (surfaces/core/operations/policy-dry-run.test.ts).
import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { useStore } from '../../../testing/operations/use-store.ts'
import { setPolicy } from '../../../testing/rebalancing/operational-wallets.ts'
import { USDC } from '../../../testing/units.ts'
import { DAY_MS, POLICY_DRY_RUN_CHANGES_MAX, POLICY_DRY_RUN_OPERATIONS_MAX } from '../../kernel/index.ts'
import type { OperationalWallet } from '../../wallets/index.ts'
import type { Operation } from '../lifecycle/states/operation.ts'
import { dryRunPolicy, plannedMoves } from './dry-run-policy.ts'

const store = useStore()
let wallet: OperationalWallet
let planned: Operation

const policy = (rules: readonly object[] = []) => ({
  mode: 'conditional',
  rules,
  default: 'approve',
  requiredApprovals: 2,
})
const large = { name: 'large', when: { amountAtLeast: '500.00' }, then: 'require_approval' }
const run = (tried: object, { days = 30, organizationId = wallet.organizationId } = {}) =>
  dryRunPolicy(store.parts, { organizationId, policy: tried, days })

beforeEach(async () => {
  wallet = await store.operationalWallet(await store.wallet())
  await setPolicy(store, wallet.organizationId, policy())
  planned = await store.move(wallet, { amount: 600n * USDC })
})

let batch = 0
/** More operations like the planned one, each a second older than the one before. */
const copies = (count: number, executor: 'agent' | 'client') => {
  batch += 1
  const older = sql`operations.created_at - n * interval '1 second'`
  return sql`
    insert into operations (organization_id, id, wallet_id, strategy_id, type, executor, state, amount,
      cancelled_operations, op_wallet_id, origin, planned_value, required_approvals, requester_may_approve, created_at,
      updated_at)
    select organization_id, id + ${batch}::bigint * 1000000 + n, wallet_id, strategy_id, type, ${executor}, 'FAILED', amount, '{}',
      ${executor === 'agent' ? sql`op_wallet_id` : sql`null`}, ${executor === 'agent' ? 'rebalancer' : 'client'},
      planned_value, 0, true, ${older}, ${older}
    from operations, generate_series(1, ${count}::int) as n
    where organization_id = ${wallet.organizationId} and id = ${planned.operationId}
  `.execute(store.db)
}

test('what the policy would decide is counted, and what it decides differently is listed with both decisions', async () => {
  expect(await run(policy())).toMatchObject({
    operations: 1,
    isTruncated: false,
    outcomes: { approve: 1, require_approval: 0, reject: 0 },
    changed: 0,
    changes: [],
  })
  const tried = await run(policy([large]))
  expect(tried).toMatchObject({ operations: 1, outcomes: { approve: 0, require_approval: 1, reject: 0 }, changed: 1 })
  expect(tried.changes).toEqual([
    {
      operationId: planned.operationId,
      type: 'SUPPLY',
      walletId: wallet.walletId,
      strategyName: store.strategy.name,
      venueName: store.strategy.venueName,
      amount: 600n * USDC,
      token: 'USDC',
      tokenDecimals: 6,
      plannedAt: planned.createdAt,
      inForce: expect.objectContaining({ outcome: 'approve', requiredApprovals: 0, rule: null }),
      tried: expect.objectContaining({ outcome: 'require_approval', requiredApprovals: 2, rule: 'large' }),
    },
  ])
})

test('every condition sees the facts of the plan, as when it was planned', async () => {
  const { walletId } = wallet
  const hour = planned.createdAt.toISOString().slice(11, 13)
  const hours = { timezone: 'UTC', from: `${hour}:00`, to: `${hour}:59`, days: [0, 1, 2, 3, 4, 5, 6] }
  const holds = {
    walletIds: [walletId],
    custodyProviders: ['self'],
    types: ['SUPPLY'],
    counterparties: [store.strategy.protocol],
  }
  const outcome = async (when: object) =>
    (await run(policy([{ name: 'it', when, then: 'reject' }]))).outcomes.reject === 1
  for (const [name, value] of Object.entries(holds)) expect(await outcome({ [name]: value }), name).toBe(true)
  expect(await outcome(holds)).toBe(true)
  expect(await outcome({ outsideHours: hours })).toBe(false)
  expect(await outcome({ types: ['UNWIND'] })).toBe(false)
  expect(await outcome({ walletIds: [walletId + 1] })).toBe(false)
  store.clock.advance(3 * DAY_MS)
  expect(await outcome({ outsideHours: hours })).toBe(false)
})

test("another number of approvals is a difference, and clients' operations crowd out none", async () => {
  await copies(40, 'client')
  await setPolicy(store, wallet.organizationId, { ...policy([large]), requiredApprovals: 1 })
  expect(await run(policy([large]))).toMatchObject({ operations: 1, changed: 1 })
  expect(await run({ ...policy([large]), requiredApprovals: 1 })).toMatchObject({ operations: 1, changed: 0 })
})

test('it looks at the newest operations of the period, at most a thousand, and says when there are more', async () => {
  await copies(POLICY_DRY_RUN_OPERATIONS_MAX - 1, 'agent')
  const whole = await run(policy([large]))
  expect(whole).toMatchObject({ operations: POLICY_DRY_RUN_OPERATIONS_MAX, isTruncated: false })
  expect(whole.changed).toBe(POLICY_DRY_RUN_OPERATIONS_MAX)
  expect(whole.changes).toHaveLength(POLICY_DRY_RUN_CHANGES_MAX)
  expect(whole.changes[0]!.operationId).toBe(planned.operationId)
  await copies(1, 'agent')
  expect(await run(policy([large]))).toMatchObject({ operations: POLICY_DRY_RUN_OPERATIONS_MAX, isTruncated: true })
})

test('what was planned before the period, or by others, is left out', async () => {
  store.clock.advance(30 * DAY_MS)
  expect(await run(policy([large]))).toMatchObject({ operations: 1 })
  store.clock.advance(1)
  expect(await run(policy([large]))).toMatchObject({ operations: 0, outcomes: { approve: 0, require_approval: 0 } })
  expect(await run(policy([large]), { days: 31 })).toMatchObject({ operations: 1 })
  const organizationId = await store.organization()
  expect(await run(policy([large]), { days: 92, organizationId })).toMatchObject({ operations: 0, changed: 0 })
})

test('an invalid policy is refused at its paths: VALIDATION_ERROR', async () => {
  await expect(run(policy([{ ...large, when: { amountAtLeast: 'much' } }]))).rejects.toMatchObject({
    code: 'VALIDATION_ERROR',
    details: { issues: [{ path: 'policy.rules[0].when.amountAtLeast' }] },
  })
})

test('the period is read from an index without the operations of clients', async () => {
  const { sql: text, parameters } = plannedMoves(store.db, wallet.organizationId, new Date(0)).compile()
  expect(parameters).toContain(wallet.organizationId)
  const explained = text.replaceAll(/\$\d+/g, (name) => {
    const value = parameters[Number(name.slice(1)) - 1]
    return value instanceof Date ? `'${value.toISOString()}'` : String(value)
  })
  const { rows } = await store.db.transaction().execute(async (tx) => {
    await sql`set local enable_seqscan = off; set local enable_bitmapscan = off; set local enable_sort = off`.execute(
      tx,
    )
    return sql.raw<{ 'QUERY PLAN': string }>(`explain ${explained}`).execute(tx)
  })
  expect(rows.map((row) => row['QUERY PLAN']).join('\n')).toContain('operations_planned_moves')
})
