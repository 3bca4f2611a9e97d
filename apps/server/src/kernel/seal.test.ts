import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { systemRandomSource } from './ids.ts'
import { keyRing } from './key-ring.ts'
import { blindIndex, createSealer, sealingKeyId } from './seal.ts'

const KEY = 'ab'.repeat(32)
const sealer = createSealer(KEY, 'tests', systemRandomSource)

test('sealed text opens again and reveals nothing about its content', () => {
  const sealed = sealer.seal('whsec_ünï code', 'webhook 1/2')
  expect(sealer.open(sealed, 'webhook 1/2')).toBe('whsec_ünï code')
  expect(sealed.toString('latin1')).not.toContain('whsec')
  expect(sealer.seal('whsec_ünï code', 'webhook 1/2')).not.toEqual(sealed)
})

test('sealed text does not open with another label, key or purpose, nor after one bit was flipped', () => {
  const sealed = sealer.seal('secret', 'webhook 1/2')
  expect(() => sealer.open(sealed, 'webhook 1/3')).toThrow()
  expect(() => createSealer('cd'.repeat(32), 'tests', systemRandomSource).open(sealed, 'webhook 1/2')).toThrow()
  expect(() => createSealer(KEY, 'other', systemRandomSource).open(sealed, 'webhook 1/2')).toThrow()
  for (let at = 0; at < sealed.length; at += 1) {
    const turned = Buffer.from(sealed)
    turned[at]! ^= 1
    expect(() => sealer.open(turned, 'webhook 1/2')).toThrow()
  }
  expect(() => sealer.open(sealed.subarray(0, 20), 'webhook 1/2')).toThrow()
})

describe('a ring of keys', () => {
  const [old, current] = ['ab'.repeat(32), 'cd'.repeat(32)]
  const before = createSealer(keyRing([['0', old]]), 'tests', systemRandomSource)
  const second = [
    ['0', old],
    ['2026b', current],
  ] as const
  const both = createSealer(keyRing(second.toReversed()), 'tests', systemRandomSource)

  test('opens what the single key sealed, and seals with its first key, whose id the value names', () => {
    const sealed = both.seal('secret', 'webhook 1/2')
    expect(both.open(before.seal('secret', 'webhook 1/2'), 'webhook 1/2')).toBe('secret')
    expect(createSealer(keyRing(second), 'tests', systemRandomSource).open(sealed, 'webhook 1/2')).toBe('secret')
    expect([sealingKeyId(sealed), sealingKeyId(before.seal('secret', 'x'))]).toEqual(['2026b', '0'])
  })

  test('seals as before while its current key has no id, so that older processes can read it', () => {
    const sealed = createSealer(keyRing(second), 'tests', systemRandomSource).seal('secret', 'webhook 1/2')
    expect(sealer.open(sealed, 'webhook 1/2')).toBe('secret')
  })

  test('says which key is missing', () => {
    const sealed = both.seal('secret', 'webhook 1/2')
    expect(() => before.open(sealed, 'webhook 1/2')).toThrow(/the key 2026b, which is not in the key ring/)
  })

  test('opens nothing whose key id was removed or replaced', () => {
    const sealed = both.seal('secret', 'webhook 1/2')
    const header = 4 + '2026b'.length
    expect(() => both.open(sealed.subarray(header), 'webhook 1/2')).toThrow()
    const renamed = createSealer(keyRing([['2026c', current]]), 'tests', systemRandomSource)
    const relabelled = Buffer.from(sealed)
    relabelled.write('2026c', 4, 'latin1')
    expect(() => renamed.open(relabelled, 'webhook 1/2')).toThrow()
  })
})

test('a blind index finds equal text of one owner only, and only with its key', () => {
  const index = blindIndex(KEY, 'ramp_customers.external_id 1', 'a-1')
  expect(blindIndex(KEY, 'ramp_customers.external_id 1', 'a-1')).toEqual(index)
  for (const other of [
    blindIndex(KEY, 'ramp_customers.external_id 2', 'a-1'),
    blindIndex(KEY, 'ramp_customers.external_id 1', 'a-2'),
    blindIndex('cd'.repeat(32), 'ramp_customers.external_id 1', 'a-1'),
    createHash('sha256').update('a-1').digest(),
  ])
    expect(other).not.toEqual(index)
})
