import { expect, test } from 'vitest'
import { requireAddress } from './require-address.ts'

const CHECKSUMMED = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
const SOLANA = 'So11111111111111111111111111111111111111112'

test('a valid address is returned in its chain’s spelling', () => {
  expect(requireAddress('base', CHECKSUMMED.toLowerCase())).toBe(CHECKSUMMED)
  expect(requireAddress('solana', SOLANA)).toBe(SOLANA)
})

test('anything but an EVM address is refused, with the expected form', () => {
  const message =
    'The wallet address is not an EVM address: 0x and 40 hexadecimal digits, with a valid checksum (EIP-55) if it is in mixed case.'
  for (const text of [CHECKSUMMED.replace('5aA', '5AA'), CHECKSUMMED.slice(2), SOLANA, ''])
    expect(() => requireAddress('polygon', text), text).toThrow(
      expect.objectContaining({ code: 'INVALID_ADDRESS', message }),
    )
})

test('anything but a Solana address is refused, with the expected form', () => {
  const message = 'result.address is not a Solana address: base58 of 32 bytes.'
  for (const text of [CHECKSUMMED, SOLANA.slice(2), ''])
    expect(() => requireAddress('solana', text, 'result.address'), text).toThrow(
      expect.objectContaining({ code: 'INVALID_ADDRESS', message }),
    )
})
