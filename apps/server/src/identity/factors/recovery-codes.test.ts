import { expect, test } from 'vitest'
import { enrollTotp } from '../../../testing/identity/enroll-factors.ts'
import { identityFixture, organization } from '../../../testing/identity/identity-fixture.ts'
import { useFixture } from '../../../testing/use-fixture.ts'
import { inTransaction } from '../../database/index.ts'
import { keyRing } from '../../kernel/index.ts'
import { hashSecret } from '../keys/key-material.ts'
import type { UserKey } from './challenges.ts'
import { consumeRecoveryCode, replaceRecoveryCodes } from './recovery-codes.ts'

const parts = useFixture(identityFixture)

const consume = (user: UserKey, code: string, on: Parameters<typeof consumeRecoveryCode>[1] = parts) =>
  inTransaction(parts.db, (tx) => consumeRecoveryCode(tx, on, user, code))

test('each code has 120 random bits and works once, as people type it', async () => {
  const { owner } = await organization(parts)
  const { recoveryCodes } = await enrollTotp(parts, owner)
  expect(recoveryCodes).toHaveLength(10)
  for (const code of recoveryCodes) {
    expect(code).toMatch(/^([0-9A-HJKMNP-TV-Z]{4}-){5}[0-9A-HJKMNP-TV-Z]{4}$/)
    expect(
      await consume(owner, ` ${code.toLowerCase().replaceAll('-', ' ').replaceAll('0', 'o').replaceAll('1', 'l')}`),
    ).toBe(true)
    expect(await consume(owner, code)).toBe(false)
  }
})

test('a code of sixteen characters, as earlier versions made them, still works', async () => {
  const { owner } = await organization(parts)
  const code = 'K7QW-2M9T-X0AB-HJ4C'
  const { organizationId, userId } = owner
  const pepper = parts.secrets.pepper
  const code_hash = hashSecret(pepper, `recovery code\n${organizationId}/${userId}\n${code.replaceAll('-', '')}`)
  const row = { organization_id: organizationId, user_id: userId, code_hash, pepper_id: pepper.currentId }
  await parts.db.insertInto('user_recovery_codes').values(row).execute()
  expect(await consume(owner, code)).toBe(true)
  expect(await consume(owner, code)).toBe(false)
})

test('new codes replace all earlier ones, and belong to their user only', async () => {
  const { owner } = await organization(parts)
  const { owner: other } = await organization(parts)
  const [first] = (await enrollTotp(parts, owner)).recoveryCodes
  const renewed = await inTransaction(parts.db, (tx) => replaceRecoveryCodes(tx, parts, owner))
  expect(await consume(owner, first!)).toBe(false)
  expect(await consume(other, renewed[0]!)).toBe(false)
  expect(await consume(owner, renewed[0]!)).toBe(true)
})

test('the database holds keyed hashes only, and a code of an earlier pepper still works', async () => {
  const { owner } = await organization(parts)
  const { recoveryCodes } = await enrollTotp(parts, owner)
  const rows = await parts.db
    .selectFrom('user_recovery_codes')
    .selectAll()
    .where('user_id', '=', owner.userId)
    .execute()
  expect(rows.map(({ code_hash }) => code_hash.length)).toEqual(Array(10).fill(32))
  const old = parts.secrets.pepper.keys.get(parts.secrets.pepper.currentId)!
  const pepper = keyRing(
    new Map([
      ['new', 'another-pepper-of-the-tests'],
      [parts.secrets.pepper.currentId, old],
    ]),
  )
  expect(await consume(owner, recoveryCodes[0]!, { ...parts, secrets: { ...parts.secrets, pepper } })).toBe(true)
})
