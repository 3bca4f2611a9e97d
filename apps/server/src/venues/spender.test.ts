import { expect, test } from 'vitest'
import { spenderOf } from './spender.ts'

test('the spender of a deposit is the pool, the Comet or the vault, and nobody on Solana', () => {
  expect(spenderOf({ pool: 'pool', aToken: 'a' })).toBe('pool')
  expect(spenderOf({ comet: 'comet' })).toBe('comet')
  expect(spenderOf({ vault: 'vault', escrow: 'escrow' })).toBe('vault')
  expect(spenderOf({ program: 'program', vault: 'vault' })).toBeNull()
  expect(spenderOf({})).toBeNull()
})
