import { expect, test } from 'vitest'
import { assetOf, bankOf, walletOf } from './account-bodies.ts'

const snake = {
  routing_number: '021000021',
  account_number: '000123456789',
  account_type: 'checking',
  account_holder_name: 'Acme',
  bank_name: 'First Bank',
} as const
const camel = {
  routingNumber: '021000021',
  accountNumber: '000123456789',
  accountType: 'checking',
  accountHolderName: 'Acme',
  bankName: 'First Bank',
} as const
const bank = {
  routingNumber: '021000021',
  accountNumber: '000123456789',
  accountType: 'checking',
  holderName: 'Acme',
  bankName: 'First Bank',
}

const refusedAt = (path: string) =>
  expect.objectContaining({
    code: 'VALIDATION_ERROR',
    details: { issues: [{ path, message: expect.any(String) }] },
  })

test('bank details are the same in either spelling, and in both', () => {
  for (const body of [{ bank_details: snake }, { bankDetails: camel }, { bank_details: snake, bankDetails: camel }])
    expect(bankOf(body)).toEqual(bank)
})

test('bank details in two spellings that name different accounts are refused, whichever field differs', () => {
  for (const name of Object.keys(camel) as (keyof typeof camel)[]) {
    const other = { ...camel, [name]: name === 'accountType' ? 'savings' : '111111111' } as const
    expect(() => bankOf({ bank_details: snake, bankDetails: other })).toThrow(refusedAt('bank_details'))
  }
  expect(() => bankOf({})).toThrow(refusedAt('bank_details'))
})

test('a wallet and a token in two spellings with different values are refused', () => {
  expect(() => walletOf({ org_wallet_id: 1, orgWalletId: 2 }, 'org_wallet_id')).toThrow('org_wallet_id')
  expect(() => assetOf({ source_asset: 'USDC', sourceAsset: 'USDT' }, 'offramp')).toThrow('source_asset')
  expect(assetOf({ destination_asset: 'USDT', destinationAsset: 'USDT' }, 'onramp')).toBe('USDT')
})
