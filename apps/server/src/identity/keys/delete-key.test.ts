// Also tested elsewhere: every process refuses it (authenticate-key.test.ts), over HTTP (system/access/identity.test.ts).
import { expect, test } from 'vitest'
import { identityFixture, organization } from '../../../testing/identity/identity-fixture.ts'
import { useFixture } from '../../../testing/use-fixture.ts'
import { authenticateKey } from './authenticate-key.ts'
import { deleteKey } from './delete-key.ts'
import { generateKey } from './generate-key.ts'

const parts = useFixture(identityFixture)

test('a deleted key is refused from the next request on, and the organization’s other keys go on working', async () => {
  const { owner } = await organization(parts)
  const { organizationId } = owner
  const kept = await generateKey(parts, { organizationId, name: 'kept' })
  const gone = await generateKey(parts, { organizationId, name: 'gone' })
  await deleteKey(parts, organizationId, gone.id)
  expect(await authenticateKey(parts, gone.apiKey)).toEqual({ status: 'revoked', key: expect.anything() })
  expect(await authenticateKey(parts, kept.apiKey)).toMatchObject({ status: 'valid' })
})

test('a key of another organization, and one that was deleted before, are NOT_FOUND', async () => {
  const { owner } = await organization(parts)
  const other = await organization(parts)
  const { id, apiKey } = await generateKey(parts, { organizationId: owner.organizationId, name: 'a key' })
  const refused = { code: 'NOT_FOUND' }
  await expect(deleteKey(parts, other.owner.organizationId, id)).rejects.toMatchObject(refused)
  expect(await authenticateKey(parts, apiKey)).toMatchObject({ status: 'valid' })
  await deleteKey(parts, owner.organizationId, id)
  await expect(deleteKey(parts, owner.organizationId, id)).rejects.toMatchObject(refused)
})
