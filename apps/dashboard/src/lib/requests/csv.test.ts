import { expect, test } from 'vitest'
import { csvLines } from './csv.ts'

const cells = (...row: readonly string[]) => csvLines([row]).replace(/\r\n$/, '')

test('rows end as RFC 4180 asks, each with its end', () => {
  expect(
    csvLines([
      ['Wallet', 'Amount'],
      ['Payouts', '1.00'],
    ]),
  ).toBe('Wallet,Amount\r\nPayouts,1.00\r\n')
})

test('commas, quotes and lines stay within their cell', () => {
  expect(cells('a,b', 'say "x"', 'two\nlines')).toBe('"a,b","say ""x""","two\nlines"')
})

test('text that a spreadsheet would calculate is text', () => {
  const classic = ['=1+1', '+1', '@SUM(A1)', '\tx', '-cmd', '=HYPERLINK("x")']
  const hidden = ["-2+3+cmd|' /C calc'!A0", '-1 ', '-1-1', '-1.', ' =1', '\n=1', '＝1+1', '＋1', '－1', '＠SUM(A1)']
  for (const text of [...classic, ...hidden]) expect(cells(text), text).toMatch(/^"?'/)
})

test('negative amounts and rates stay numbers', () => {
  expect(cells('-12.50', '12.50', '-7', '-1.5e-7', '-31.98%', '')).toBe('-12.50,12.50,-7,-1.5e-7,-31.98%,')
})
