import { expect, test } from 'vitest'
import { newMember } from '../../../../testing/identity/new-member.ts'
import { organizationWithSso, ssoFixture } from '../../../../testing/identity/sso-fixture.ts'
import { useFixture } from '../../../../testing/use-fixture.ts'
import { inTransaction, type Role } from '../../../database/index.ts'
import { listAuditLog } from '../../audit/list-audit-log.ts'
import { listMembers } from '../../members/list-members.ts'
import type { SsoProvider } from '../providers/provider.ts'
import { applyRole } from './apply-role.ts'

const parts = useFixture(ssoFixture)

type Organization = Awaited<ReturnType<typeof organizationWithSso>>

async function apply({ owner, provider }: Organization, id: number, role: Role, more: Partial<SsoProvider> = {}) {
  const { organizationId } = owner
  const context = {
    organizationId,
    at: parts.clock.now(),
    from: null,
    rules: parts.sso.roleRules,
    assignedPasswords: parts.assignedPasswords,
  }
  const before = await roleOf(owner.organizationId, id)
  await inTransaction(parts.db, (tx) =>
    applyRole(tx, context, { provider: { ...provider, ...more }, member: { id, role: before }, role }),
  )
  return await roleOf(organizationId, id)
}

async function roleOf(organizationId: number, id: number): Promise<Role> {
  return (await listMembers(parts, organizationId)).items.find((member) => member.id === id)!.role
}

test('a member gets the role of their claims, and the audit log says what it was before', async () => {
  const home = await organizationWithSso(parts)
  const { id } = await newMember(parts, home.owner, 'admin')
  expect(await apply(home, id, 'viewer')).toBe('viewer')
  const { items } = await listAuditLog(parts, home.owner.organizationId, {}, { limit: 1, offset: 0 })
  expect(items[0]).toMatchObject({ action: 'changeRoleBySso', objectId: id, actor: { type: 'system' } })
  expect(JSON.parse(items[0]!.details!)).toMatchObject({ before: 'admin', role: 'viewer' })
})

test('with owners by claim, an owner loses the role unless they are the last or the break-glass one', async () => {
  const home = await organizationWithSso(parts)
  const { id } = await newMember(parts, home.owner, 'owner')
  expect(await apply(home, id, 'viewer', { allowOwner: true, breakGlassMemberId: id })).toBe('owner')
  expect(await apply(home, id, 'viewer', { allowOwner: true })).toBe('viewer')
  expect(await apply(home, home.owner.userId, 'viewer', { allowOwner: true })).toBe('owner')
  expect(await apply(home, id, 'owner', { allowOwner: true })).toBe('owner')
})
