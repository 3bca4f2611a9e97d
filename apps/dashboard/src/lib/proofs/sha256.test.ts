import { expect, test } from 'vitest'
import { sha256 } from './sha256.ts'

const ABC = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'

test('text and a file with the same bytes have the same hash', async () => {
  expect(await sha256('abc')).toBe(ABC)
  expect(await sha256(new Blob(['a', 'bc']))).toBe(ABC)
  expect(await sha256('ä')).toBe(await sha256(new Blob([Uint8Array.from([0xc3, 0xa4])])))
})
