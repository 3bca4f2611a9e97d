import { expect, test } from 'vitest'
import { organization, PASSWORD } from '../../../testing/identity-fixture.ts'
import { newMember } from '../../../testing/new-member.ts'
import { organizationWithSso, ssoFixture } from '../../../testing/sso-fixture.ts'
import { useFixture } from '../../../testing/use-fixture.ts'
import { logIn } from '../sessions/log-in.ts'
import { admitMember } from './admit-member.ts'

const parts = useFixture(ssoFixture)

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
