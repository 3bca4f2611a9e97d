import { expect, test } from 'vitest'
import type { RampRecord } from '../../../ramp/index.ts'
import { csvLine } from './csv.ts'

const record = (name: string) =>
  ({
    id: 7,
    type: 'onramp',
    status: 'completed',
    ramp_recipient_name: name,
    usd_amount: '1.00',
  }) as unknown as RampRecord

/** The name's cell as a spreadsheet reads it. */
function nameIn(line: string): string {
  const cell = /^7,onramp,completed,(?:undefined|),((?:"(?:[^"]|"")*")|[^,]*),/.exec(line)?.[1] ?? ''
  return cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell
}

test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', '\n=1', ' =1', '＝1+1', '＠SUM(A1)', '=cmd|"/c calc"!A1'])(
  '%j is not a formula in a spreadsheet',
  (name) => {
    expect(nameIn(csvLine(record(name)))).toBe(`'${name}`)
  },
)

test.each(['Ada', 'Ada, Countess of Lovelace', 'the "first"', 'two\nlines', 'Zoë 🌊'])(
  '%j is exported unchanged',
  (name) => {
    expect(nameIn(csvLine(record(name)))).toBe(name)
  },
)

test('the header comes first, and every line ends as RFC 4180 requires', () => {
  expect(csvLine()).toMatch(/^id,type,status,.*,created_at,completed_at,charged_fee,net_amount,payout_amount\r\n$/)
  expect(csvLine(record('Ada')).endsWith('\r\n')).toBe(true)
})
