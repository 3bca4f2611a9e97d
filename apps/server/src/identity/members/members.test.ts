import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  credentialOf,
  type IdentityFixture,
  identityFixture,
  organization,
  PASSWORD,
} from '../../../testing/identity-fixture.ts'
import type { Role } from '../../database/index.ts'
import { authenticateBearer } from '../sessions/authenticate-bearer.ts'
import { logIn } from '../sessions/log-in.ts'
import { addMember } from './add-member.ts'
import { listMembers } from './list-members.ts'
import { removeMember } from './remove-member.ts'
import { updateMember } from './update-member.ts'

let parts: IdentityFixture
beforeAll(async () => {
  parts = await identityFixture()
})
afterAll(() => parts.close())

const conflict = { code: 'CONFLICT' }
const forbidden = { code: 'FORBIDDEN' }
const notFound = { code: 'NOT_FOUND' }
let added = 0

/** A new member of the owner's organization, logged in. */
async function member(owner: Parameters<typeof addMember>[1], role: Role) {
  added += 1
  const email = `member${added}@acme.example`
  const { id } = await addMember(parts, owner, { email, role, password: PASSWORD })
  const { accessToken } = await logIn(parts, { email, password: PASSWORD, address: '192.0.2.1' })
  return { id, email, accessToken, credential: await credentialOf(parts, accessToken) }
}

test('a member logs in with the given password and is listed, newest first', async () => {
  const { owner, user } = await organization(parts)
  const viewer = await member(owner, 'viewer')
  expect(viewer.credential).toMatchObject({ organizationId: owner.organizationId, role: 'viewer' })
  const { items, total } = await listMembers(parts, owner.organizationId)
  expect(items.map(({ id, role }) => ({ id, role }))).toEqual([
    { id: viewer.id, role: 'viewer' },
    { id: user.id, role: 'owner' },
  ])
  expect(total).toBe(2)
})

test('a page of the list reports the total, even past its end', async () => {
  const { owner } = await organization(parts)
  for (const role of ['admin', 'approver', 'viewer'] as const) await member(owner, role)
  const part = (limit: number | null, offset: number) => listMembers(parts, owner.organizationId, { limit, offset })
  expect((await part(2, 1)).items.map(({ role }) => role)).toEqual(['approver', 'admin'])
  for (const [limit, offset] of [
    [1, 0],
    [2, 3],
    [null, 2],
    [1, 9],
  ] as const) {
    expect((await part(limit, offset)).total).toBe(4)
  }
})

test('an e-mail in use anywhere is refused, and is free again once its member is removed', async () => {
  const { owner } = await organization(parts)
  const { owner: stranger, user } = await organization(parts)
  const input = { email: user.email.toUpperCase(), role: 'viewer', password: PASSWORD } as const
  await expect(addMember(parts, owner, input)).rejects.toMatchObject(conflict)
  const { id, email } = await member(stranger, 'viewer')
  await removeMember(parts, stranger, id)
  expect(await addMember(parts, owner, { ...input, email })).toMatchObject({ email, role: 'viewer' })
})

describe('a change takes effect with the next request', () => {
  test('of a role', async () => {
    const { owner } = await organization(parts)
    const { id, accessToken } = await member(owner, 'viewer')
    await updateMember(parts, owner, id, { role: 'admin' })
    expect(await authenticateBearer(parts, accessToken)).toMatchObject({ role: 'admin' })
  })

  test('of a password, which ends the sessions opened with the old one', async () => {
    const { owner, accessToken: owners } = await organization(parts)
    const { id, email, accessToken } = await member(owner, 'viewer')
    await updateMember(parts, owner, id, { password: 'another horse entirely' })
    expect(await authenticateBearer(parts, accessToken)).toBeUndefined()
    const login = (password: string) => logIn(parts, { email, password, address: '192.0.2.1' })
    await expect(login(PASSWORD)).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
    expect(await login('another horse entirely')).toMatchObject({ user: { id } })
    await updateMember(parts, owner, owner.userId, { password: 'and one more of them' })
    expect(await authenticateBearer(parts, owners)).toBeDefined()
  })

  test('and so does a removal', async () => {
    const { owner } = await organization(parts)
    const { id, email, accessToken } = await member(owner, 'approver')
    await removeMember(parts, owner, id)
    expect(await authenticateBearer(parts, accessToken)).toBeUndefined()
    const login = logIn(parts, { email, password: PASSWORD, address: '192.0.2.1' })
    await expect(login).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
    await expect(removeMember(parts, owner, id)).rejects.toMatchObject(notFound)
  })
})

test('omitted fields are unchanged, and a name can be cleared', async () => {
  const { owner } = await organization(parts)
  const { id, email } = await member(owner, 'viewer')
  expect(await updateMember(parts, owner, id, { name: ' Grace ' })).toMatchObject({
    name: 'Grace',
    role: 'viewer',
    email,
  })
  expect(await updateMember(parts, owner, id, {})).toMatchObject({ name: 'Grace', role: 'viewer' })
  expect(await updateMember(parts, owner, id, { name: null, role: 'approver' })).toMatchObject({
    name: null,
    role: 'approver',
  })
})

test('an admin can neither add, change nor remove an owner', async () => {
  const { owner } = await organization(parts)
  const admin = (await member(owner, 'admin')).credential
  const { id } = await member(owner, 'viewer')
  const another = { email: 'second-owner@acme.example', role: 'owner', password: PASSWORD } as const
  await expect(addMember(parts, admin, another)).rejects.toMatchObject(forbidden)
  await expect(updateMember(parts, admin, id, { role: 'owner' })).rejects.toMatchObject(forbidden)
  for (const changes of [{ role: 'viewer' }, { name: 'Taken' }, { password: 'taken over, taken' }] as const) {
    await expect(updateMember(parts, admin, owner.userId, changes)).rejects.toMatchObject(forbidden)
  }
  await expect(removeMember(parts, admin, owner.userId)).rejects.toMatchObject(forbidden)
  expect(await updateMember(parts, admin, id, { role: 'approver' })).toMatchObject({ role: 'approver' })
})

test('a member of another organization does not exist here', async () => {
  const { owner } = await organization(parts)
  const { owner: stranger } = await organization(parts)
  await expect(updateMember(parts, owner, stranger.userId, { role: 'viewer' })).rejects.toMatchObject(notFound)
  await expect(removeMember(parts, owner, stranger.userId)).rejects.toMatchObject(notFound)
  await expect(removeMember(parts, owner, Number.MAX_SAFE_INTEGER)).rejects.toMatchObject(notFound)
})

test('the last owner can be neither demoted nor removed', async () => {
  const { owner } = await organization(parts)
  await expect(updateMember(parts, owner, owner.userId, { role: 'admin' })).rejects.toMatchObject(conflict)
  await expect(removeMember(parts, owner, owner.userId)).rejects.toMatchObject(conflict)
  const second = await member(owner, 'owner')
  await updateMember(parts, owner, owner.userId, { role: 'admin' })
  await expect(removeMember(parts, second.credential, second.id)).rejects.toMatchObject(conflict)
})

test('when all owners leave at once, one remains', async () => {
  const leave = fc.constantFrom('demote', 'remove')
  await fc.assert(
    fc.asyncProperty(fc.array(leave, { minLength: 2, maxLength: 4 }), async (ways) => {
      const { owner } = await organization(parts)
      const owners = [{ id: owner.userId, credential: owner }]
      while (owners.length < ways.length) owners.push(await member(owner, 'owner'))
      const outcomes = await Promise.allSettled(
        ways.map((way, i) => {
          const { id, credential } = owners[i]!
          return way === 'remove'
            ? removeMember(parts, credential, id)
            : updateMember(parts, credential, id, { role: 'viewer' })
        }),
      )
      expect(outcomes.filter(({ status }) => status === 'rejected')).toHaveLength(1)
      const { items } = await listMembers(parts, owner.organizationId)
      expect(items.filter(({ role }) => role === 'owner')).toHaveLength(1)
    }),
    { numRuns: 8 },
  )
})
