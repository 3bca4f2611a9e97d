// Also tested elsewhere: which emails they stop (operations/approval/notify-of-operations.test.ts).
import { expect, test } from 'vitest'
import { identityFixture, organization } from '../../../testing/identity/identity-fixture.ts'
import { newMember } from '../../../testing/identity/new-member.ts'
import { useFixture } from '../../../testing/use-fixture.ts'
import { getNotificationSettings, updateNotificationSettings } from './notification-settings.ts'

const parts = useFixture(identityFixture)

test('a member switches their own emails off and on, and nobody else’s', async () => {
  const { owner } = await organization(parts)
  const { credential } = await newMember(parts, owner, 'viewer')
  expect(await getNotificationSettings(parts, credential)).toEqual({ approvalMails: true })
  expect(await updateNotificationSettings(parts, credential, { approvalMails: false })).toEqual({
    approvalMails: false,
  })
  expect(await getNotificationSettings(parts, credential)).toEqual({ approvalMails: false })
  expect(await getNotificationSettings(parts, owner)).toEqual({ approvalMails: true })
  await updateNotificationSettings(parts, credential, { approvalMails: true })
  expect(await getNotificationSettings(parts, credential)).toEqual({ approvalMails: true })
})
