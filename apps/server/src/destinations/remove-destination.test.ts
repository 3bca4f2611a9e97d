import { expect, test } from 'vitest'
import { identityFixture, organization } from '../../testing/identity/identity-fixture.ts'
import { useFixture } from '../../testing/use-fixture.ts'
import { addDestination } from './add-destination.ts'
import { listDestinations } from './list-destinations.ts'
import { removeDestination } from './remove-destination.ts'

const parts = useFixture(identityFixture)

test('an address leaves the list of its organization, and of no other', async () => {
  const { owner } = await organization(parts)
  const { owner: stranger } = await organization(parts)
  const destination = { blockchain: 'base', address: `0x${'ab'.repeat(20)}`, label: 'Treasury' } as const
  const { id: destinationId } = await addDestination(parts, owner, destination)
  const remove = ({ organizationId }: typeof owner) => removeDestination(parts, { organizationId, destinationId })
  await expect(remove(stranger)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  await remove(owner)
  expect((await listDestinations(parts.db, owner.organizationId)).destinations).toEqual([])
  await expect(remove(owner)).rejects.toMatchObject({ code: 'NOT_FOUND' })
})
