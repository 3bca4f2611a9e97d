import { expect, test } from 'vitest'
import { identityFixture, organization, PASSWORD } from '../../../testing/identity/identity-fixture.ts'
import { logIn } from '../../../testing/identity/log-in.ts'
import { newMember } from '../../../testing/identity/new-member.ts'
import { useFixture } from '../../../testing/use-fixture.ts'
import { authenticateBearer } from './authenticate-bearer.ts'
import { endOtherSessions } from './end-other-sessions.ts'

const parts = useFixture(identityFixture)

test('all other sessions of the user end, not the current one and not those of colleagues', async () => {
  const { owner, user, accessToken } = await organization(parts)
  const colleague = await newMember(parts, owner, 'viewer')
  const login = { email: user.email, password: PASSWORD, address: '192.0.2.1' }
  const others = [await logIn(parts, login), await logIn(parts, login)]
  expect(await endOtherSessions(parts, owner)).toBe(2)
  for (const other of others) expect(await authenticateBearer(parts, other.accessToken)).toBeUndefined()
  expect(await authenticateBearer(parts, accessToken)).toBeDefined()
  expect(await authenticateBearer(parts, colleague.accessToken)).toBeDefined()
})
