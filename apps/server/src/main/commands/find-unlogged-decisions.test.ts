import { sql } from 'kysely'
import { beforeEach, expect, inject, test } from 'vitest'
import { CHANGE_SECRETS } from '../../../testing/changes/change-secrets.ts'
import { MANUAL_POLICY } from '../../../testing/rebalancing/operational-wallets.ts'
import { useTreasury } from '../../../testing/surfaces/use-treasury.ts'
import { readConfig } from '../../config.ts'
import { changePolicyRoutes, changeRequestRoutes } from '../../surfaces/core/index.ts'
import { approvalPolicyRoutes } from '../../surfaces/core/operations/approval-policy.ts'
import { operationDecisionRoutes } from '../../surfaces/core/operations/decisions.ts'
import { allocationMoveRoutes } from '../../surfaces/core/treasury/allocation-moves.ts'
import { operationalWalletRoutes } from '../../surfaces/core/treasury/operational-wallets.ts'
import { verifyAudit } from './audit-command.ts'
import { findUnloggedDecisions } from './find-unlogged-decisions.ts'

const treasury = useTreasury((app, parts) => {
  const changes = { ...parts, ...CHANGE_SECRETS }
  operationalWalletRoutes(app, parts)
  allocationMoveRoutes(app, { ...parts, rebalancing: readConfig({}).rebalancing })
  operationDecisionRoutes(app, parts)
  approvalPolicyRoutes(app, parts)
  changePolicyRoutes(app, changes)
  changeRequestRoutes(app, changes)
})
let operationId: number
let changeRequestId: number

const call = (method: 'POST' | 'PUT', url: string, by: 'owner' | 'admin' | 'approver', body?: object) =>
  treasury.core.call(method, url, { token: treasury.staff.tokens[by], ...(body === undefined ? {} : { body }) })
const unlogged = () => findUnloggedDecisions(treasury.core.parts.db, treasury.staff.organizationId)

/** An operation and a change of the policy that wait for a decision. */
beforeEach(async () => {
  const { opWalletId } = await treasury.operationalWallet('100')
  await call('PUT', '/api/core/approval-policy', 'owner', { ...MANUAL_POLICY, requiredApprovals: 2 })
  const planned = await call('POST', '/api/v1/allocations', 'admin', { opWalletId, amount: '500', asset: 'USDC' })
  operationId = planned.body.data.operationId
  const rules = { approval_policy: { requiredApprovals: 2, coolingOffSeconds: 0 } }
  await call('PUT', '/api/core/change-policy', 'owner', { rules })
  const asked = await call('PUT', '/api/core/approval-policy', 'owner', MANUAL_POLICY)
  changeRequestId = asked.body.data.id
})

test('decisions that Weir took have their entries', async () => {
  for (const [word, path] of [
    ['approve', `operations/${operationId}`],
    ['reject', `operations/${operationId}`],
    ['approve', `change-requests/${changeRequestId}`],
    ['reject', `change-requests/${changeRequestId}`],
  ] as const)
    expect(await call('POST', `/api/core/${path}/${word}`, 'approver')).toMatchObject({ status: 200 })
  expect(await unlogged()).toEqual([])
})

test('a decision that was written into the database is found, also beside one that Weir took', async () => {
  const { db } = treasury.core.parts
  const { organizationId, ids } = treasury.staff
  await call('POST', `/api/core/operations/${operationId}/approve`, 'approver')
  const forged = { organization_id: organizationId, user_id: ids.owner, decision: 'approve', created_at: new Date() }
  await db
    .insertInto('operation_approvals')
    .values({ ...forged, operation_id: operationId } as never)
    .execute()
  await db
    .insertInto('change_decisions')
    .values({ ...forged, user_id: ids.admin, change_request_id: changeRequestId } as never)
    .execute()
  expect(await unlogged()).toEqual([
    { objectType: 'change_request', objectId: changeRequestId, userId: ids.admin, action: 'approveChangeRequest' },
    { objectType: 'operation', objectId: operationId, userId: ids.owner, action: 'approveOperation' },
  ])
  const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(db)
  const url = Object.assign(new URL(inject('postgresUrl')), { pathname: `/${rows[0]!.name}` })
  const lines: string[] = []
  expect(await verifyAudit({ DATABASE_URL: url.href }, [], (line) => lines.push(line))).toBe(false)
  expect(lines).toContain(
    `organization ${organizationId}: user ${ids.owner} decided on operation ${operationId}, but no entry records approveOperation`,
  )
})

test('an approval that was turned into a rejection, or given to somebody else, is found', async () => {
  const { db } = treasury.core.parts
  const { ids } = treasury.staff
  await call('POST', `/api/core/operations/${operationId}/approve`, 'approver')
  await db
    .updateTable('operation_approvals')
    .set({ user_id: ids.owner })
    .where('operation_id', '=', operationId)
    .execute()
  expect(await unlogged()).toMatchObject([{ userId: ids.owner, action: 'approveOperation' }])
})
