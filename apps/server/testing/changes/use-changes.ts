import { afterAll, beforeAll, beforeEach } from 'vitest'
import type { ChangeClaim, completeChangeRequest } from '../../src/changes/index.ts'
import {
  approveChangeRequest,
  type ChangeParts,
  type ChangeRequestView,
  type ChangeRules,
  fingerprintOf,
  requestChange,
  updateChangePolicy,
} from '../../src/changes/index.ts'
import type { Role } from '../../src/database/index.ts'
import { transactOn } from '../../src/database/index.ts'
import type { UserCredential } from '../../src/identity/index.ts'
import { type IdentityFixture, identityFixture, organization } from '../identity/identity-fixture.ts'
import { addApprover } from './add-approver.ts'
import { CHANGE_SECRETS } from './change-secrets.ts'

type Requested = Parameters<typeof requestChange>[1]

/** An organization with an owner, an admin, two approvers and a viewer for each test, on one database for the file. */
export interface ChangesInUse {
  readonly parts: ChangeParts & IdentityFixture
  readonly owner: UserCredential
  readonly organizationId: number
  readonly ids: { readonly admin: number; readonly grace: number; readonly linus: number; readonly viewer: number }
  setRules(rules: Partial<ChangeRules>): Promise<unknown>
  /** The owner requests to add a member, under a rule with two approvals and an hour of cooling-off by default. */
  request(overrides?: Partial<Requested>): Promise<ChangeRequestView>
  approve(request: { readonly id: number }, userId: number): Promise<ChangeRequestView>
  /** Approvals of grace and linus. */
  approveTwice(request: { readonly id: number }): Promise<ChangeRequestView>
  claimOf(request: ChangeRequestView, overrides?: Partial<ChangeClaim>): ChangeClaim
  setRole(userId: number, role: Role): Promise<unknown>
  remove(userId: number): Promise<unknown>
  /** Every action of the audit log that concerns change requests, oldest first. */
  actions(): Promise<string[]>
}

export const HOUR_SECONDS = 3_600
const TWO_AND_AN_HOUR = { requiredApprovals: 2, coolingOffSeconds: HOUR_SECONDS } as const

export function useChanges(): ChangesInUse {
  let parts: ChangeParts & IdentityFixture
  let owner: UserCredential
  let ids: ChangesInUse['ids']
  beforeAll(async () => {
    parts = { ...(await identityFixture()), ...CHANGE_SECRETS }
  })
  afterAll(() => parts?.close())
  beforeEach(async () => {
    ;({ owner } = await organization(parts))
    const add = (role: Role) => addApprover(parts, owner.organizationId, role)
    ids = {
      admin: await add('admin'),
      grace: await add('approver'),
      linus: await add('approver'),
      viewer: await add('viewer'),
    }
  })
  const users = (userId: number) =>
    parts.db.updateTable('users').where('organization_id', '=', owner.organizationId).where('id', '=', userId)
  const use: ChangesInUse = {
    get parts() {
      return parts
    },
    get owner() {
      return owner
    },
    get organizationId() {
      return owner.organizationId
    },
    get ids() {
      return ids
    },
    setRules: (rules) => updateChangePolicy(parts, owner, { rules }),
    request: (overrides = {}) => requestChange(parts, { ...requestedBy(owner), ...overrides }),
    approve: ({ id }, userId) =>
      approveChangeRequest(parts, { organizationId: owner.organizationId, changeRequestId: id, userId }),
    async approveTwice(request) {
      await use.approve(request, ids.grace)
      return await use.approve(request, ids.linus)
    },
    claimOf: (request, overrides = {}) => ({
      organizationId: request.organizationId,
      changeRequestId: request.id,
      kind: request.kind,
      fingerprint: request.fingerprint,
      requestedBy: request.requestedBy,
      from: '192.0.2.1',
      ...overrides,
    }),
    setRole: (userId, role) => users(userId).set({ role }).execute(),
    remove: (userId) => users(userId).set({ removed_at: parts.clock.now() }).execute(),
    async actions() {
      const rows = await parts.db
        .selectFrom('audit_log')
        .select('action')
        .where('organization_id', '=', owner.organizationId)
        .where('object_type', '=', 'change_request')
        .orderBy('id')
        .execute()
      return rows.map(({ action }) => action)
    },
  }
  return use
}

let bodies = 0

/** A request that differs from every other. */
export function requestedBy({ organizationId, userId }: Pick<UserCredential, 'organizationId' | 'userId'>): Requested {
  bodies += 1
  const body = { email: `new${bodies}@acme.example`, role: 'approver', password: '********' }
  return {
    organizationId,
    kind: 'members',
    action: 'addMember',
    content: { summary: 'Add a member', method: 'POST', path: '/api/core/members', body },
    fingerprint: fingerprintOf(CHANGE_SECRETS.fingerprintKey, {
      organizationId,
      method: 'POST',
      route: '/api/core/members',
      params: {},
      query: {},
      body,
    }),
    requestedBy: { type: 'user', id: userId },
    from: '192.0.2.1',
    rule: TWO_AND_AN_HOUR,
  }
}

/** Completes a change whose effect is a label on the organization, so that a test sees whether it was made. */
export async function renameUnder(
  parts: ChangeParts,
  claim: ChangeClaim,
  complete: typeof completeChangeRequest,
): Promise<void> {
  await complete<void>(
    parts,
    claim,
    transactOn(parts.db),
  )(async (tx) => {
    await tx.updateTable('organizations').set({ name: 'Changed' }).where('id', '=', claim.organizationId).execute()
  })
}
