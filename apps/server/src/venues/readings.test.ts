import { expect, test } from 'vitest'
import { contractsOf } from './readings.ts'

test('how a contract is read is not a contract', () => {
  const params = { vault: '0x1', escrow: '0x2', limits: 'unreported', rate: 'ssr', cash: 'fluid' }
  expect(contractsOf({ params })).toEqual({ vault: '0x1', escrow: '0x2' })
})
