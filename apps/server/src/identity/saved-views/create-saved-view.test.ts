import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { overlap } from '../../../testing/database/overlap.ts'
import { identityFixture, organization } from '../../../testing/identity/identity-fixture.ts'
import { newMember } from '../../../testing/identity/new-member.ts'
import { beyondQuota, setQuotas } from '../../../testing/identity/set-quotas.ts'
import { failingTransact } from '../../../testing/index.ts'
import { useFixture } from '../../../testing/use-fixture.ts'
import type { Transact } from '../../database/index.ts'
import { QUOTAS } from '../../kernel/index.ts'
import type { UserCredential } from '../shared/credential.ts'
import { createSavedView } from './create-saved-view.ts'
import { deleteSavedView } from './delete-saved-view.ts'
import { listSavedViews } from './list-saved-views.ts'
import type { SavedView } from './saved-view.ts'

const parts = useFixture(identityFixture)

const ALL = { limit: null, offset: 0 }
const fields = { path: '/app/operations', query: 'status=FAILED', isShared: false }
const idsOf = ({ organizationId, userId }: UserCredential) => ({ organizationId, userId })
async function owner() {
  const { owner: credential } = await organization(parts)
  return { ...idsOf(credential), credential }
}
const names = async (viewer: { organizationId: number; userId: number }, path?: string) =>
  (await listSavedViews(parts, viewer, path, ALL)).items.map(({ name }) => name)

test('a member sees their own views and those that others share, of one page or all, and no other organization does', async () => {
  const { credential, ...maker } = await owner()
  const other = idsOf((await newMember(parts, credential, 'viewer')).credential)
  const made = await createSavedView(parts, { ...fields, ...maker, name: ' Failed ' })
  const at = parts.clock.now()
  expect(made).toEqual({
    ...fields,
    id: made.id,
    name: 'Failed',
    createdBy: maker.userId,
    createdAt: at,
    updatedAt: at,
  })
  await createSavedView(parts, { ...fields, ...maker, name: 'Everybody', isShared: true })
  await createSavedView(parts, { ...fields, ...maker, name: 'Wallets', path: '/app/wallets', isShared: true })
  await createSavedView(parts, { ...fields, ...other, name: 'Failed' })
  expect(await names(maker)).toEqual(['Wallets', 'Everybody', 'Failed'])
  expect(await names(maker, '/app/operations')).toEqual(['Everybody', 'Failed'])
  expect(await names(other, '/app/operations')).toEqual(['Failed', 'Everybody'])
  expect(await listSavedViews(parts, other, undefined, { limit: 1, offset: 1 })).toMatchObject({
    items: [{ name: 'Wallets' }],
    total: 3,
  })
  const { credential: _, ...stranger } = await owner()
  expect(await names(stranger)).toEqual([])
})

test('a name is used once by a member on a page', async () => {
  const { credential: _, ...maker } = await owner()
  await createSavedView(parts, { ...fields, ...maker, name: 'Failed' })
  await expect(createSavedView(parts, { ...fields, ...maker, name: 'Failed ' })).rejects.toMatchObject({
    code: 'CONFLICT',
  })
  await createSavedView(parts, { ...fields, ...maker, name: 'Failed', path: '/app/wallets' })
})

test.each([
  { name: ' ' },
  { name: 'x'.repeat(201) },
  { path: 'https://elsewhere.example/' },
  { path: '//elsewhere.example' },
  { path: '/docs' },
  { path: '/app/../x' },
  { query: 'x'.repeat(2_001) },
  { query: 'a b' },
  { query: 'a=\u0000' },
])('%j is refused', async (wrong) => {
  const { credential: _, ...maker } = await owner()
  await expect(createSavedView(parts, { ...fields, ...maker, name: 'A view', ...wrong })).rejects.toMatchObject({
    code: 'VALIDATION_ERROR',
  })
  expect(await names(maker)).toEqual([])
})

test('views count for the quota of the organization, and a refused response leaves none', async () => {
  const { credential: _, ...maker } = await owner()
  await setQuotas(parts.db, maker.organizationId, { savedViews: 1 })
  const transact = failingTransact<SavedView>(parts.db, 'the response was not recorded')
  await expect(createSavedView(parts, { ...fields, ...maker, name: 'Lost' }, transact)).rejects.toThrow('not recorded')
  await createSavedView(parts, { ...fields, ...maker, name: 'First' })
  await expect(createSavedView(parts, { ...fields, ...maker, name: 'Second' })).rejects.toMatchObject(
    beyondQuota('savedViews', 1),
  )
  expect(await names(maker)).toEqual(['First'])
})

test('one member takes a tenth of the quota at most, also at once, and leaves the rest to the others', async () => {
  const { credential, ...maker } = await owner()
  const other = idsOf((await newMember(parts, credential, 'viewer')).credential)
  await sql`
    insert into saved_views (organization_id, name, path, query, is_shared, created_by, created_at, updated_at)
    select ${maker.organizationId}, n, '/app/wallets', '', false, ${maker.userId}, now(), now()
    from generate_series(2, ${QUOTAS.savedViews / 10}::int) n
  `.execute(parts.db)
  const create = (name: string, transact?: Transact<SavedView>) =>
    createSavedView(parts, { ...fields, ...maker, name }, transact)
  const second = overlap(parts.db, () => create('Two'))
  const made = await create('One', second.transact)
  await expect(second.outcome()).rejects.toMatchObject({
    code: 'CONFLICT',
    details: { reason: 'too_many_saved_views' },
  })
  await createSavedView(parts, { ...fields, ...other, name: 'Of another' })
  await deleteSavedView(parts, credential, made.id)
  await create('Three')
})
