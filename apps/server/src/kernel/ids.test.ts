import { expect, test } from 'vitest'
import { systemRandomSource, uuidV7 } from './ids.ts'

test('a UUID of version 7 sorts by its time, then by its sequence', () => {
  const at = (milliseconds: number, sequence?: number) => uuidV7(systemRandomSource, new Date(milliseconds), sequence)
  const ids = [at(1_795_000_000_000), at(1_795_000_000_000, 1), at(1_795_000_000_000, 4_095), at(1_795_000_000_001)]
  expect(ids.toSorted()).toEqual(ids)
  for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  expect(new Set(Array.from({ length: 1_000 }, () => at(0))).size).toBe(1_000)
})
