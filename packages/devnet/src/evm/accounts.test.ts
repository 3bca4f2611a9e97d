import { privateKeyToAddress } from 'viem/accounts'
import { expect, test } from 'vitest'
import { roleAccounts } from './accounts.ts'
import { CHAIN_DESIGNS } from './chains.ts'

test('the listed addresses are those that the phrase derives', () => {
  for (const { accountIndex } of Object.values(CHAIN_DESIGNS)) {
    for (const { address, privateKey } of Object.values(roleAccounts(accountIndex)))
      expect(privateKeyToAddress(privateKey)).toBe(address)
  }
})
