import { expect, test } from 'vitest'
import type { SvmIncludedTransaction, TokenChange } from '../port/included-transaction.ts'
import { transfers } from './transfers.ts'

const change = (owner: string, before: bigint, after: bigint, token = 'USDC'): TokenChange => ({
  account: `account of ${owner}`,
  owner,
  token,
  before,
  after,
})
const transaction = (...tokens: TokenChange[]) => ({ family: 'svm', tokens }) as unknown as SvmIncludedTransaction

test('the sender of a gain is the first account of the same token that lost some', () => {
  const found = transfers(
    transaction(
      change('bystander', 1n, 1n),
      change('payer', 9n, 4n),
      change('payee', 0n, 5n),
      change('x', 3n, 0n, 'T'),
    ),
  )
  expect(found).toEqual([
    { token: 'USDC', from: 'payer', to: undefined, amount: 5n, position: 1 },
    { token: 'USDC', from: 'payer', to: 'payee', amount: 5n, position: 2 },
    { token: 'T', from: 'x', to: undefined, amount: 3n, position: 3 },
  ])
})

test('minted tokens have no sender', () => {
  expect(transfers(transaction(change('payee', 1n, 3n)))).toEqual([
    { token: 'USDC', from: undefined, to: 'payee', amount: 2n, position: 0 },
  ])
})

test('with a list of tokens, transfers of other tokens are omitted and log positions kept', () => {
  const found = transfers(transaction(change('a', 0n, 1n, 'T'), change('b', 0n, 1n)), new Set(['USDC']))
  expect(found).toMatchObject([{ to: 'b', position: 1 }])
})
