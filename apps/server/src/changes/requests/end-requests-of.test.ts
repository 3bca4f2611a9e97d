// Also tested over HTTP: system/attacks-service-accounts.test.ts.
import { expect, test } from 'vitest'
import { useChanges } from '../../../testing/use-changes.ts'
import { inTransaction } from '../../database/index.ts'
import { generateKey } from '../../identity/index.ts'
import type { ChangeRequester } from './change-request.ts'
import { endRequestsOf } from './end-requests-of.ts'
import { getChangeRequest } from './read-change-requests.ts'
import { rejectChangeRequest } from './reject-change-request.ts'

const use = useChanges()
const stateOf = async ({ id }: { readonly id: number }) =>
  (await getChangeRequest(use.parts, { organizationId: use.organizationId, changeRequestId: id })).state
async function key(): Promise<ChangeRequester> {
  const { id } = await generateKey(use.parts, { organizationId: use.organizationId, name: 'ramp' })
  return { type: 'key', id }
}

test('all open requests of a key end with it, those that ended stay, and so do those of others', async () => {
  const [ended, other] = [await key(), await key()]
  const waiting = await use.request({ requestedBy: ended })
  const approved = await use.request({ requestedBy: ended })
  await use.approveTwice(approved)
  const rejected = await use.request({ requestedBy: ended })
  const decision = { organizationId: use.organizationId, changeRequestId: rejected.id, userId: use.ids.grace }
  await rejectChangeRequest(use.parts, decision)
  const ofOther = await use.request({ requestedBy: other })
  await inTransaction(use.parts.db, (tx) => endRequestsOf(tx, use.parts, use.organizationId, ended))
  expect(await Promise.all([waiting, approved, rejected, ofOther].map(stateOf))).toEqual([
    'cancelled',
    'cancelled',
    'rejected',
    'requested',
  ])
  expect((await use.actions()).filter((action) => action === 'cancelChangeRequest')).toHaveLength(2)
})
