import fc from 'fast-check'
import { expect, test } from 'vitest'
import { identityFixture, organization, PASSWORD } from '../../../testing/identity/identity-fixture.ts'
import { newMember } from '../../../testing/identity/new-member.ts'
import { failingTransact } from '../../../testing/index.ts'
import { useFixture } from '../../../testing/use-fixture.ts'
import { authenticateKey } from '../keys/authenticate-key.ts'
import { generateKey } from '../keys/generate-key.ts'
import { authenticateBearer } from '../sessions/authenticate-bearer.ts'
import { logIn } from '../sessions/log-in.ts'
import { listMembers } from './list-members.ts'
import { removeMember } from './remove-member.ts'
import { updateMember } from './update-member.ts'

const parts = useFixture(identityFixture)

const conflict = { code: 'CONFLICT' }
const notFound = { code: 'NOT_FOUND' }

test('a removal takes effect with the next request, and cannot be repeated', async () => {
  const { owner } = await organization(parts)
  const { id, email, accessToken } = await newMember(parts, owner, 'approver')
  await removeMember(parts, owner, id)
  expect(await authenticateBearer(parts, accessToken)).toBeUndefined()
  const login = logIn(parts, { email, password: PASSWORD, address: '192.0.2.1' })
  await expect(login).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
  await expect(removeMember(parts, owner, id)).rejects.toMatchObject(notFound)
})

test('the sessions of a removed member end with the removal', async () => {
  const { owner } = await organization(parts)
  const { id } = await newMember(parts, owner, 'viewer')
  await removeMember(parts, owner, id)
  const sessions = await parts.db.selectFrom('sessions').select('revoked_at').where('user_id', '=', id).execute()
  expect(sessions).toEqual([{ revoked_at: parts.clock.now() }])
})

test('the keys of the organization outlive the member who created them', async () => {
  const { owner } = await organization(parts)
  const { id } = await newMember(parts, owner, 'admin')
  const { apiKey } = await generateKey(parts, { organizationId: owner.organizationId, name: 'Server' })
  await removeMember(parts, owner, id)
  expect(await authenticateKey(parts, apiKey)).toMatchObject({ status: 'valid' })
})

test('an admin cannot remove an owner', async () => {
  const { owner } = await organization(parts)
  const admin = (await newMember(parts, owner, 'admin')).credential
  await expect(removeMember(parts, admin, owner.userId)).rejects.toMatchObject({ code: 'FORBIDDEN' })
})

test('a member of another organization does not exist here', async () => {
  const { owner } = await organization(parts)
  const { owner: stranger, accessToken } = await organization(parts)
  await expect(removeMember(parts, owner, stranger.userId)).rejects.toMatchObject(notFound)
  await expect(removeMember(parts, owner, Number.MAX_SAFE_INTEGER)).rejects.toMatchObject(notFound)
  expect(await authenticateBearer(parts, accessToken)).toBeDefined()
})

test('the last owner cannot be removed', async () => {
  const { owner } = await organization(parts)
  await expect(removeMember(parts, owner, owner.userId)).rejects.toMatchObject(conflict)
  const second = await newMember(parts, owner, 'owner')
  await updateMember(parts, { actor: owner, memberId: owner.userId, changes: { role: 'admin' } })
  await expect(removeMember(parts, second.credential, second.id)).rejects.toMatchObject(conflict)
})

test('a removal commits together with the caller’s transaction', async () => {
  const { owner } = await organization(parts)
  const { id, accessToken } = await newMember(parts, owner, 'viewer')
  const transact = failingTransact<void>(parts.db, 'the response was not recorded')
  await expect(removeMember(parts, owner, id, transact)).rejects.toThrow('not recorded')
  expect(await authenticateBearer(parts, accessToken)).toMatchObject({ role: 'viewer' })
})

test('when all owners leave at once, one remains', async () => {
  const leave = fc.constantFrom('demote', 'remove')
  await fc.assert(
    fc.asyncProperty(fc.array(leave, { minLength: 2, maxLength: 4 }), async (ways) => {
      const { owner } = await organization(parts)
      const owners = [{ id: owner.userId, credential: owner }]
      while (owners.length < ways.length) owners.push(await newMember(parts, owner, 'owner'))
      const outcomes = await Promise.allSettled(
        ways.map((way, i) => {
          const { id, credential } = owners[i]!
          return way === 'remove'
            ? removeMember(parts, credential, id)
            : updateMember(parts, { actor: credential, memberId: id, changes: { role: 'viewer' } })
        }),
      )
      expect(outcomes.filter(({ status }) => status === 'rejected')).toHaveLength(1)
      const { items } = await listMembers(parts, owner.organizationId)
      expect(items.filter(({ role }) => role === 'owner')).toHaveLength(1)
    }),
    { numRuns: 8 },
  )
})
