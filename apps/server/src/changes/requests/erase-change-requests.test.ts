// Also tested in: main/compose/organization-erasure.test.ts (with the other data of an organization).

import { expect, test } from 'vitest'
import { useChanges } from '../../../testing/changes/use-changes.ts'
import { inTransaction } from '../../database/index.ts'
import { changeRequestErasure } from './erase-change-requests.ts'
import { expireChangeRequests } from './expire-change-requests.ts'
import { getChangeRequest } from './read-change-requests.ts'

const use = useChanges()

test('open requests expire, all lose what approvers read, and later sweeps pass over them', async () => {
  const request = await use.request()
  const { organizationId } = use
  const step = changeRequestErasure(use.parts)
  const erase = () => inTransaction(use.parts.db, (tx) => step.erase(tx, { organizationId, at: use.parts.clock.now() }))
  expect([await erase(), await erase()]).toEqual([1, 0])
  const read = await getChangeRequest(use.parts, { organizationId, changeRequestId: request.id })
  expect(read).toMatchObject({ state: 'expired', content: { summary: '[erased]', body: null } })
  expect(await use.actions()).toEqual(['requestChange', 'expireChangeRequest'])
  use.parts.clock.advance(365 * 86_400_000)
  expect(await expireChangeRequests(use.parts)).toBe(0)
})
