import { expect, test } from 'vitest'
import { codeAt, enrollTotp } from '../../../testing/identity/enroll-factors.ts'
import { identityFixture, organization } from '../../../testing/identity/identity-fixture.ts'
import { useFixture } from '../../../testing/use-fixture.ts'
import { inTransaction } from '../../database/index.ts'
import type { UserKey } from './challenges.ts'
import { consumeTotpCode } from './consume-totp-code.ts'

const parts = useFixture(identityFixture)

const STEP_MS = 30_000
const consume = (user: UserKey, code: string) => inTransaction(parts.db, (tx) => consumeTotpCode(tx, parts, user, code))
const after = (steps: number) => new Date(parts.clock.now().getTime() + steps * STEP_MS)

async function enrolled() {
  const { owner } = await organization(parts)
  const { secret } = await enrollTotp(parts, owner)
  parts.clock.advance(10 * STEP_MS)
  return { owner, secret }
}

test('a code counts in its own step and in the one before and after, and in no other', async () => {
  for (const [steps, counts] of [
    [-2, false],
    [-1, true],
    [0, true],
    [1, true],
    [2, false],
  ] as const) {
    const { owner, secret } = await enrolled()
    expect(await consume(owner, codeAt(secret, after(steps))), `${steps} steps away`).toBe(counts)
  }
})

test('a code works once, and codes of earlier steps no longer do', async () => {
  const { owner, secret } = await enrolled()
  const [early, current, late] = [-1, 0, 1].map((steps) => codeAt(secret, after(steps)))
  expect(await consume(owner, current!)).toBe(true)
  expect(await consume(owner, current!)).toBe(false)
  expect(await consume(owner, early!)).toBe(false)
  expect(await consume(owner, late!)).toBe(true)
})

test('one of several concurrent uses of a code counts', async () => {
  const { owner, secret } = await enrolled()
  const code = codeAt(secret, parts.clock.now())
  const results = await Promise.all(Array.from({ length: 5 }, () => consume(owner, code)))
  expect(results.filter(Boolean)).toHaveLength(1)
})

test('a code of another user, or of a secret in the row of another user, does not count', async () => {
  const { owner, secret } = await enrolled()
  const { owner: other } = await organization(parts)
  await enrollTotp(parts, other)
  const code = codeAt(secret, parts.clock.now())
  expect(await consume(other, code)).toBe(false)
  const stolen = await parts.db
    .selectFrom('user_totp')
    .select('sealed_secret')
    .where('user_id', '=', owner.userId)
    .executeTakeFirstOrThrow()
  await parts.db.updateTable('user_totp').set(stolen).where('user_id', '=', other.userId).execute()
  await expect(consume(other, code)).rejects.toThrow()
})

test('an app that is not confirmed does not count', async () => {
  const { owner, secret } = await enrolled()
  await parts.db.updateTable('user_totp').set({ confirmed_at: null }).where('user_id', '=', owner.userId).execute()
  expect(await consume(owner, codeAt(secret, parts.clock.now()))).toBe(false)
})
