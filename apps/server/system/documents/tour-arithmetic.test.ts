import fc from 'fast-check'
import { expect, test } from 'vitest'
import { brief, exact, unitsOf } from '../../tour/amounts.ts'
import { apyOfGrowth } from '../../tour/apy-of-growth.ts'
import { columns } from '../../tour/layout.ts'

test('amounts keep every unit, with six digits or as few as needed', () => {
  expect([1n, -1_068n, 49_962_810_000n, 10_028_430_030n].map(exact)).toEqual([
    '0.000001',
    '-0.001068',
    '49,962.810000',
    '10,028.430030',
  ])
  expect(['10028.43003', '1000', '0.10'].map(unitsOf).map(brief)).toEqual(['10,028.43003', '1,000.00', '0.10'])
  fc.assert(fc.property(fc.bigInt(-(10n ** 15n), 10n ** 15n), (n) => unitsOf(exact(n).replaceAll(',', '')) === n))
})

test('the APY of a growth is the one that docs/apy.md defines, rounded to hundredths of a percent', () => {
  // The document's own example, and one of a tour.
  expect(apyOfGrowth(100n, 101n, 73)).toBe('5.10%')
  expect(apyOfGrowth(10_000_000_000n, 10_028_430_030n, 30)).toBe('3.51%')
  expect(apyOfGrowth(10_000_000_000n, 10_000_000_000n, 30)).toBe('0.00%')
})

test('columns are as wide as their widest cell, and numbers are aligned at their ends', () => {
  expect(
    columns(
      [
        ['', 'strategy', 'yield'],
        ['base', 'Aave', '9.5'],
        ['polygon', 'Lending vault', '10.5'],
      ],
      2,
    ),
  ).toEqual([
    '             strategy        yield',
    'base         Aave              9.5',
    'polygon      Lending vault    10.5',
  ])
})
