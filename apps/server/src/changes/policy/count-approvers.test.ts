import { expect, test } from 'vitest'
import { useChanges } from '../../../testing/changes/use-changes.ts'
import { enrollPasskey } from '../../../testing/identity/enroll-factors.ts'
import { inTransaction } from '../../database/index.ts'
import { NO_PASSWORD } from '../../identity/members/password.ts'
import { countApprovers } from './count-approvers.ts'

const use = useChanges()
const count = (without?: number) =>
  inTransaction(use.parts.db, (tx) => countApprovers(tx, use.organizationId, without === undefined ? {} : { without }))
const set = (id: number, columns: { password_change_required?: boolean; password_hash?: string }) =>
  use.parts.db.updateTable('users').set(columns).where('id', '=', id).execute()

test('owners, admins and approvers count, without those who left and one that is named', async () => {
  expect(await count()).toBe(4)
  expect(await count(use.ids.grace)).toBe(3)
  expect(await count(use.ids.viewer)).toBe(4)
  await use.remove(use.ids.linus)
  expect(await count()).toBe(3)
})

test('a member who has not replaced a one-time password does not count', async () => {
  await set(use.ids.grace, { password_change_required: true })
  expect(await count()).toBe(3)
  expect(await count(use.ids.grace)).toBe(3)
})

// identity/members/read-ways-in.test.ts has accounts at identity providers.
test('a member without a password counts once they have a passkey', async () => {
  for (const id of [use.ids.grace, use.ids.linus]) await set(id, { password_hash: NO_PASSWORD })
  expect(await count()).toBe(2)
  await set(use.owner.userId, { password_change_required: false })
  await enrollPasskey(use.parts, use.owner)
  await set(use.owner.userId, { password_hash: NO_PASSWORD })
  expect(await count()).toBe(2)
})
