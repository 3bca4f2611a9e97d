import { expect, test } from 'vitest'
import { onChain } from './on-chain.ts'

const WALLET = {
  orgWalletId: 3,
  token: 'USDC',
  tokenDecimals: 6,
  availableBalance: '100.00',
  reservedBalance: '0.50',
}
const difference = (walletId: number, amountBaseUnits: string, token = 'USDC') => ({
  walletId,
  token,
  tokenDecimals: 6,
  amountBaseUnits,
})
const NONE = new Set<number>()

test('without a break, the chain has what the ledger has in the wallet', () => {
  expect(onChain(WALLET, { breaks: [], quarantined: NONE })).toBe('100.50')
})

test('what the ledger has more or less is not, or also, on the chain; other wallets and tokens do not count', () => {
  const others = [difference(4, '7000000'), difference(3, '7000000', 'USDT')]
  expect(onChain(WALLET, { breaks: [difference(3, '1250001'), ...others], quarantined: NONE })).toBe('99.249999')
  expect(onChain(WALLET, { breaks: [difference(3, '-1000000'), ...others], quarantined: NONE })).toBe('101.50')
})

test('nothing is said of a wallet that is not compared, nor before everything is known', () => {
  expect(onChain(WALLET, { breaks: [], quarantined: new Set([3]) })).toBeNull()
  expect(onChain(WALLET, { breaks: undefined, quarantined: NONE })).toBeNull()
  expect(onChain(WALLET, { breaks: [], quarantined: undefined })).toBeNull()
})
