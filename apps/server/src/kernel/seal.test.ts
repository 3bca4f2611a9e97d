import { expect, test } from 'vitest'
import { systemRandomSource } from './ids.ts'
import { createSealer } from './seal.ts'

const KEY = 'ab'.repeat(32)
const sealer = createSealer(KEY, 'tests', systemRandomSource)

test('sealed text opens again and reveals nothing of its content', () => {
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
