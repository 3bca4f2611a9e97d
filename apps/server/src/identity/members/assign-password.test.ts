// Also tested in: identity/members/update-member.test.ts and require-approver.test.ts (what a one-time password allows).

import { expect, test } from 'vitest'
import { addMilliseconds } from '../../kernel/index.ts'
import { assignedPassword } from './assign-password.ts'

const at = new Date('2026-01-01T00:00:00Z')

test('a one-time password must be replaced within a week, and its user approves nothing for a day', () => {
  expect(assignedPassword('one-time', at)).toEqual({
    password_assigned_at: at,
    password_change_required: true,
    password_expires_at: addMilliseconds(at, 7 * 86_400_000),
    approves_after: addMilliseconds(at, 86_400_000),
  })
})

test('a lasting password neither expires nor changes when its user may approve', () => {
  expect(assignedPassword('lasting', at)).toEqual({
    password_assigned_at: at,
    password_change_required: false,
    password_expires_at: null,
  })
})
