import { expect, test } from 'vitest'
import { hashPassword, passwordMatches } from './password.ts'

test('a password is hashed with argon2id, 19 MiB and two passes', async () => {
  expect(await hashPassword('maple-orbit-cactus')).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
})

test('every character counts, in its case and place, up to 1,024 of them', async () => {
  const longest = `${'ü 漢'.repeat(341)}x`
  expect([...longest]).toHaveLength(1_024)
  const hash = await hashPassword(longest)
  expect(await passwordMatches(hash, longest)).toBe(true)
  for (const other of [`${longest.slice(0, -1)}X`, longest.slice(0, -1), ` ${longest}`])
    expect(await passwordMatches(hash, other)).toBe(false)
})

test('the same password typed on another keyboard matches', async () => {
  const hash = await hashPassword('stra\u00dfe caf\u00e9 12')
  expect(await passwordMatches(hash, 'stra\u00dfe cafe\u0301 12')).toBe(true)
})

test('twelve characters are enough, eleven are not', async () => {
  expect(await hashPassword('twelve chars')).toBeDefined()
  await expect(hashPassword('elevenchars')).rejects.toMatchObject({ code: 'VALIDATION_ERROR' })
})
