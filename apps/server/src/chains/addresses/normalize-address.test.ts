import fc from 'fast-check'
import { getAddress } from 'viem'
import { expect, test } from 'vitest'
import { addressFamilies, normalizeAddress, normalizeEvmHash } from './normalize-address.ts'

const CHECKSUMMED = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'
const SOLANA = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'

test('a single-case EVM address is accepted and returned with its checksum', () => {
  for (const text of [CHECKSUMMED, CHECKSUMMED.toLowerCase(), `0x${CHECKSUMMED.slice(2).toUpperCase()}`]) {
    expect(normalizeAddress('base', text)).toBe(CHECKSUMMED)
  }
})

test('an EVM address with a wrong checksum, length, digit or prefix is malformed', () => {
  const wrong = [
    CHECKSUMMED.replace('fCD6', 'fcD6'),
    CHECKSUMMED.slice(0, -1),
    `${CHECKSUMMED}0`,
    CHECKSUMMED.replace('3', 'g'),
    CHECKSUMMED.replace('0x', '0X'),
    CHECKSUMMED.slice(2),
    ` ${CHECKSUMMED}`,
    '',
    SOLANA,
  ]
  for (const text of wrong) expect(normalizeAddress('polygon', text), text).toBeUndefined()
})

test('a Solana address is base58 of exactly 32 bytes', () => {
  expect(normalizeAddress('solana', SOLANA)).toBe(SOLANA)
  expect(normalizeAddress('solana', '11111111111111111111111111111111')).toBe('11111111111111111111111111111111')
  for (const text of [
    '1111111111111111111111111111111',
    SOLANA.slice(2),
    `${SOLANA}1`,
    `${SOLANA.slice(0, -1)}0`,
    '',
    CHECKSUMMED,
  ]) {
    expect(normalizeAddress('solana', text), text).toBeUndefined()
  }
})

test('text matches the address form of at most one family', () => {
  expect(addressFamilies(CHECKSUMMED)).toEqual(['evm'])
  expect(addressFamilies(SOLANA)).toEqual(['svm'])
  expect(addressFamilies('nobody')).toEqual([])
})

test('normalizing yields the checksum of the bytes and is idempotent', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 20, maxLength: 20 }), (bytes) => {
      const lower = `0x${Buffer.from(bytes).toString('hex')}` as const
      const once = normalizeAddress('ethereum', lower)
      expect(once).toBe(getAddress(lower))
      expect(normalizeAddress('ethereum', once ?? '')).toBe(once)
    }),
    { numRuns: 50 },
  )
})

test('a transaction hash is 32 bytes of hex, in lower case', () => {
  expect(normalizeEvmHash(`0x${'AB'.repeat(32)}`)).toBe(`0x${'ab'.repeat(32)}`)
  expect(normalizeEvmHash(`0x${'ab'.repeat(31)}`)).toBeUndefined()
})
