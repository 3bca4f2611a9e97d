import { expect, test } from 'vitest'
import { csvOf } from '../../parts/tables/table-csv.tsx'
import { type ListedOperation, operationColumns } from './operation-columns.tsx'

const operation: ListedOperation = {
  id: 3,
  type: 'SUPPLY',
  status: 'COMPLETED',
  amount: '2500.00',
  token: 'USDC',
  origin: 'rebalancer',
  executor: 'agent',
  createdAt: '2026-11-01T00:00:00.000Z',
  walletAddress: '0xabc',
  walletLabel: 'Payouts',
  blockchain: 'base',
}

/** What the CSV has of an operation in these columns. */
const cells = (row: ListedOperation, ...titles: readonly string[]) => {
  const [head = [], line = []] = csvOf(operationColumns, [row])
    .split('\r\n')
    .map((each) => each.split(','))
  return titles.map((title) => line[head.indexOf(title)])
}

test('the CSV says which way the money of an operation went', () => {
  expect(cells(operation, 'Operation', 'Type', 'Amount', 'Revokes')).toEqual(['3', 'SUPPLY', '2500.00', ''])
  expect(cells({ ...operation, type: 'UNWIND' }, 'Type')).toEqual(['UNWIND'])
})

test('the CSV has a revoked allowance beside the amounts, not among them', () => {
  const revocation = { ...operation, amount: '0.00', revokesAllowance: '900.00' }
  expect(cells(revocation, 'Amount', 'Revokes')).toEqual(['0.00', '900.00'])
})
