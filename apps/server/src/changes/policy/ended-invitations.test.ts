import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { addApprover } from '../../../testing/changes/add-approver.ts'
import { organization, PASSWORD } from '../../../testing/identity/identity-fixture.ts'
import { type MailFixture, mailFixture } from '../../../testing/identity/mail-fixture.ts'
import { freshNetwork } from '../../../testing/surfaces/fresh-network.ts'
import { inTransaction, transactOn } from '../../database/index.ts'
import {
  acceptMemberInvitation,
  inviteMember,
  listAuditLog,
  listMemberInvitations,
  type MemberInvitation,
  type UserCredential,
} from '../../identity/index.ts'
import type { ChangeRules } from './change-policy.ts'
import { requireNoRule } from './require-no-rule.ts'
import { updateChangePolicy } from './update-change-policy.ts'

let parts: MailFixture
let owner: UserCredential
beforeAll(async () => {
  parts = await mailFixture('off')
})
afterAll(() => parts?.close())
beforeEach(async () => {
  ;({ owner } = await organization(parts))
  for (let each = 0; each < 2; each += 1) await addApprover(parts, owner.organizationId, 'approver')
})

const PAGE = { limit: 10, offset: 0 }
const rule = (requiredApprovals: number) => ({ requiredApprovals, coolingOffSeconds: 0 })
const setRules = (rules: Partial<ChangeRules>) => updateChangePolicy(parts, owner, { rules })
const newEmail = () => `${randomUUID()}@acme.example`
async function invite() {
  const email = newEmail()
  const { id } = await inviteMember(parts, owner, { email, role: 'approver' })
  return { id, token: await parts.tokenFor(email) }
}
const accept = (token: string) =>
  acceptMemberInvitation(parts, { token, password: PASSWORD, takeAddress: false, address: freshNetwork() })

test('nobody joins by an invitation from before the first rule for members, which no one approved', async () => {
  const [first, second] = [await invite(), await invite()]
  await setRules({ keys: rule(1) })
  expect((await listMemberInvitations(parts, owner.organizationId)).items).toHaveLength(2)
  await setRules({ members: rule(1) })
  expect((await listMemberInvitations(parts, owner.organizationId)).items).toEqual([])
  for (const { token } of [first, second])
    await expect(accept(token)).rejects.toMatchObject({ code: 'FORBIDDEN', details: { reason: 'invalid_token' } })
  const { items } = await listAuditLog(parts, owner.organizationId, { action: 'endMemberInvitation' }, PAGE)
  expect(items.map(({ objectId }) => objectId)).toEqual([second.id, first.id])
})

test('an invitation that was approved outlives a stricter rule', async () => {
  await setRules({ members: rule(1) })
  const { token } = await invite()
  await setRules({ members: rule(2) })
  expect(await accept(token)).toMatchObject({ user: { role: 'approver' } })
})

test('an invitation at the same time as the first rule for members is refused', async () => {
  const { organizationId } = owner
  const guarded = requireNoRule<MemberInvitation>({ organizationId, kind: 'members' }, transactOn(parts.db))
  let inviting: Promise<unknown> = Promise.resolve()
  await updateChangePolicy(parts, owner, { rules: { members: rule(1) } }, async (work) =>
    inTransaction(parts.db, async (tx) => {
      const policy = await work(tx)
      inviting = inviteMember(parts, owner, { email: newEmail(), role: 'approver' }, guarded).catch(
        (error: unknown) => error,
      )
      for (let waiting = 0; waiting === 0; ) {
        const { rows } = await sql<{ n: number }>`
          select count(*)::int as n from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'
        `.execute(parts.db)
        waiting = rows[0]!.n
      }
      return policy
    }),
  )
  expect(await inviting).toMatchObject({ code: 'CONFLICT', details: { reason: 'change_policy_changed' } })
})
