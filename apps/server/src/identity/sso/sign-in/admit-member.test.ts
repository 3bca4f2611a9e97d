import { expect, test } from 'vitest'
import { organization, PASSWORD } from '../../../../testing/identity/identity-fixture.ts'
import { newMember } from '../../../../testing/identity/new-member.ts'
import { organizationWithSso, ssoMailFixture } from '../../../../testing/identity/sso-fixture.ts'
import { useFixture } from '../../../../testing/use-fixture.ts'
import { addMember } from '../../members/add-member.ts'
import { listMembers } from '../../members/list-members.ts'
import { logIn } from '../../sessions/log-in.ts'
import { admitMember } from './admit-member.ts'

const parts = useFixture(ssoMailFixture)

test('an admitted member has no password', async () => {
  const { owner, domain } = await organizationWithSso(parts)
  const email = `Ada@${domain}`
  expect(await admitMember(parts, owner, { email, name: 'Ada', role: 'approver' })).toMatchObject({
    email: `ada@${domain}`,
    name: 'Ada',
    role: 'approver',
  })
  for (const password of [PASSWORD, '', 'null']) {
    const login = logIn(parts, { email, password, address: '192.0.2.1' })
    await expect(login).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
  }
})

test('an address in use, a domain without provider and an owner admitted by an admin are refused', async () => {
  const { owner, domain } = await organizationWithSso(parts)
  const admin = (await newMember(parts, owner, 'admin')).credential
  const other = (await organization(parts)).owner
  const email = `ada@${domain}`
  await admitMember(parts, owner, { email, role: 'viewer' })
  const role = 'viewer' as const
  await expect(admitMember(parts, owner, { email, role })).rejects.toMatchObject({ code: 'CONFLICT' })
  const outside = { code: 'VALIDATION_ERROR' }
  await expect(admitMember(parts, owner, { email: 'a@gmail.example', role })).rejects.toMatchObject(outside)
  await expect(admitMember(parts, other, { email: `bob@${domain}`, role })).rejects.toMatchObject(outside)
  const owners = admitMember(parts, admin, { email: `eve@${domain}`, role: 'owner' })
  await expect(owners).rejects.toMatchObject({ code: 'FORBIDDEN' })
})

test('an address that a member of another organization never proved is taken over if the request says so', async () => {
  const { owner, domain } = await organizationWithSso(parts)
  const other = (await organization(parts)).owner
  const email = `ada@${domain}`
  const { id } = await addMember(parts, other, { email, role: 'admin', password: PASSWORD })
  await parts.mails()
  const admit = (takeAddress?: boolean) => admitMember(parts, owner, { email, role: 'viewer', takeAddress })
  const unproved = { code: 'CONFLICT', details: { reason: 'address_unproved' } }
  await expect(admit()).rejects.toMatchObject(unproved)
  await expect(admit(false)).rejects.toMatchObject(unproved)
  const prove = (at: Date | null) =>
    parts.db.updateTable('users').set({ email_verified_at: at }).where('id', '=', id).execute()
  await prove(parts.clock.now())
  await expect(admit(true)).rejects.toMatchObject({ code: 'CONFLICT', details: { reason: 'address_in_use' } })
  await prove(null)
  expect(await admit(true)).toMatchObject({ email, role: 'viewer' })
  const released = `released-${id}@weir.invalid`
  expect((await listMembers(parts, other.organizationId)).items[0]).toMatchObject({ id, email: released })
  const change = { what: 'address_released', to: released }
  expect(await parts.mails()).toMatchObject([{ to: email, content: { kind: 'notice', change } }])
})

test('a member of the organization itself never loses their address to an admission', async () => {
  const { owner, domain } = await organizationWithSso(parts)
  const email = `ada@${domain}`
  const member = await admitMember(parts, owner, { email, role: 'viewer' })
  const again = admitMember(parts, owner, { email, role: 'approver', takeAddress: true })
  await expect(again).rejects.toMatchObject({ code: 'CONFLICT' })
  expect((await listMembers(parts, owner.organizationId)).items).toContainEqual(member)
})
