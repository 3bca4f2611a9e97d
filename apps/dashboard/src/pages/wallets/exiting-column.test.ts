import { expect, test } from 'vitest'
import type { Schema } from '../../api/types.ts'
import { csvOf } from '../../parts/tables/table-csv.tsx'
import { exitingColumn } from './exiting-column.ts'

const liquid = { availableBalance: '5.00' } as Schema<'OperationalWallet'>
const leaving = { ...liquid, exitingBalance: '7.00' }

test('the CSV of all wallets has what waits in exits, though no wallet of the shown page has any', () => {
  const column = exitingColumn([liquid])
  expect(column.csvOnly).toBe(true)
  expect(csvOf([column], [liquid, leaving])).toBe('Exiting\r\n\r\n7.00\r\n')
  expect(exitingColumn(undefined).csvOnly).toBe(true)
})

test('the column is shown where a wallet of the page has an exit', () => {
  expect(exitingColumn([liquid, leaving])).toMatchObject({ title: 'Exiting', wide: true })
  expect(exitingColumn([liquid, leaving]).csvOnly).toBeUndefined()
})
