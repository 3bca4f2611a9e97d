// Also tested in: mail/deliver-mails.test.ts (emails that wait are not swept).
import { expect, test } from 'vitest'
import { organization } from '../../testing/identity/identity-fixture.ts'
import { mailFixture } from '../../testing/identity/mail-fixture.ts'
import { deleteOldRows } from '../database/index.ts'
import { mailRetention } from './mail-retention.ts'

test('an ended mail counts for the limits of its address for two days, then it is gone', async () => {
  const parts = await mailFixture()
  await organization(parts)
  await parts.db.updateTable('mails').set({ content: null, next_attempt_at: null }).execute()
  const left = async () => (await parts.db.selectFrom('mails').select('id').execute()).length
  parts.clock.advance(2 * 86_400_000 - 1)
  await deleteOldRows(parts, [mailRetention(parts)])
  expect(await left()).toBe(1)
  parts.clock.advance(1)
  await deleteOldRows(parts, [mailRetention(parts)])
  expect(await left()).toBe(0)
  await parts.close()
})
