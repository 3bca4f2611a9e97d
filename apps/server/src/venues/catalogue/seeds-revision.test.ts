import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { liveSeeds } from './live-seeds.ts'
import { SEEDS_REVISION } from './seed-catalogue.ts'

/**
 * Revisions and the digests of their live seeds, oldest first. Append; never change a line. The second has the seeds of
 * the first: processes of the first deprecate what a venue file lists.
 */
const REVISIONS = [
  'e5918801156d2143',
  'e5918801156d2143',
  '9b22cf8e2a1570a2',
  'cfd7136d2be393ae',
  'ad1033cac1bc0b71',
  '70835d584da27085',
]

test('every change of the live seeds has a revision of its own', () => {
  const seeds = JSON.stringify(liveSeeds(['ethereum', 'polygon', 'base', 'solana']), (_key, value: unknown) =>
    typeof value === 'bigint' ? value.toString() : value,
  )
  expect(createHash('sha256').update(seeds).digest('hex').slice(0, 16)).toBe(REVISIONS.at(-1))
  expect(SEEDS_REVISION).toBe(REVISIONS.length)
})
