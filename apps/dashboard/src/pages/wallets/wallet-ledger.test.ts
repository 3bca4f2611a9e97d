import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Schema } from '../../api/types.ts'
import { sum } from '../../lib/money/money.ts'
import { csvOf } from '../../parts/tables/table-csv.tsx'
import { ledgerColumns } from './wallet-ledger.tsx'

type Entry = Schema<'LedgerEntry'>

const ACCOUNTS = ['available', 'deployed', 'reserved', 'exiting', 'yield'] as const
const columns = ledgerColumns({ tokenDecimals: 6, token: 'USDC', blockchain: 'polygon' })
const entryOf = (amounts: Readonly<Partial<Record<Entry['postings'][number]['account'], bigint>>>) =>
  ({
    id: 7,
    kind: 'yield',
    postings: Object.entries(amounts).map(([account, amount]) => ({
      account,
      token: 'USDC',
      amountBaseUnits: String(amount),
    })),
  }) as unknown as Entry
const cells = (entry: Entry): Record<string, string> => {
  const [head = '', line = ''] = csvOf(columns, [entry]).split('\r\n')
  const values = line.split(',')
  return Object.fromEntries(head.split(',').map((title, at) => [title, values[at] ?? '']))
}

test('the CSV of the ledger names its counterparts by their sign: what was earned is negative there', () => {
  expect(cells(entryOf({ deployed: 2_000_000n, yield: -2_000_000n }))).toMatchObject({
    Deployed: '2.00',
    'Yield (earned is negative)': '-2.00',
    'External (received is negative)': '',
  })
})

test('Property: the accounts of an entry in the CSV add up to zero, as they do in the ledger', () => {
  const amount = fc.bigInt({ min: -(10n ** 24n), max: 10n ** 24n })
  fc.assert(
    fc.property(fc.tuple(amount, amount, amount, amount, amount), (amounts) => {
      const posted = Object.fromEntries(ACCOUNTS.map((account, at) => [account, amounts[at]!]))
      const row = cells(entryOf({ ...posted, external: -amounts.reduce((total, each) => total + each, 0n) }))
      const titles = Object.keys(row).filter((title) =>
        /^(?:Liquid|Deployed|Reserved|Exiting|Yield|External)/.test(title),
      )
      expect(titles).toHaveLength(6)
      expect(sum(titles.map((title) => row[title]!))).toBe('0.00')
    }),
  )
})
