import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

/** Each released version, the number of its last migration, and the SHA-256 over its migrations' names and sources. */
const RELEASES = [
  ['0.1.0', '0027', '5ca399f0622d7af3f7083524559b65f8a8facc89e462b92ec9b836d119d210f1'],
  ['0.2.0', '0083', '57d47020906fc7702ce191b4dcffb56e99ed43423de66ccec2c189a9cc189175'],
  ['0.3.0', '0136', 'f32ea1c598092f2d2c3370172cb2b8e1eb30d8d88ccf816a4e4a1cac89e2a192'],
] as const
const FOLDER = new URL('../migrations/', import.meta.url)

test.each(RELEASES)('the migrations of %s are as they were released', (_version, last, digest) => {
  const files = readdirSync(FOLDER).filter((name) => !name.includes('.test.') && name.slice(0, 4) <= last)
  const hash = createHash('sha256')
  for (const name of files.sort()) hash.update(`${name}\n${readFileSync(new URL(name, FOLDER), 'utf8')}`)
  expect(hash.digest('hex')).toBe(digest)
})
