import { expect, test } from 'vitest'
import type { SvmIncludedTransaction, TokenChange } from '../../port/included-transaction.ts'
import { transfers } from './transfers.ts'

const change = (owner: string, before: bigint, after: bigint, token = 'USDC'): TokenChange => ({
  account: `account of ${owner}`,
  owner,
  token,
  before,
  after,
})
const transaction = (...tokens: TokenChange[]) => ({ family: 'svm', tokens }) as unknown as SvmIncludedTransaction

test('the sender of a gain is the owner of the same token that lost some', () => {
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

test('none of several owners that lost tokens is the sender of a gain, and one owner of several accounts is', () => {
  const gains = (...changes: TokenChange[]) =>
    transfers(transaction(...changes)).flatMap(({ from, to }) => (to === undefined ? [] : [[from, to]]))
  expect(gains(change('s1', 5n, 0n), change('x', 0n, 5n), change('s2', 12n, 2n), change('payee', 0n, 10n))).toEqual([
    [undefined, 'x'],
    [undefined, 'payee'],
  ])
  expect(gains(change('s1', 5n, 0n), change('s1', 7n, 0n), change('payee', 0n, 12n))).toEqual([['s1', 'payee']])
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
