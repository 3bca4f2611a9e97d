import type { RampRecord } from '../../../ramp/index.ts'

/** The columns of an export, in order. The status history is not exported. */
const COLUMNS = [
  'id',
  'type',
  'status',
  'ramp_recipient_id',
  'ramp_recipient_name',
  'account_id',
  'source_asset',
  'destination_asset',
  'network_id',
  'usd_amount',
  'total_fee',
  'developer_fee',
  'delivered_amount',
  'delivered_amount_base_units',
  'dust_base_units',
  'exchange_rate',
  'payment_rail',
  'payment_reference',
  'tx_hash',
  'return_tx_hash',
  'failure_reason',
  'created_at',
  'completed_at',
  'charged_fee',
  'net_amount',
  'payout_amount',
] as const satisfies readonly (keyof RampRecord)[]

/** One line of the export including its line break; without a record, the header line. */
export function csvLine(record?: RampRecord): string {
  const cells = COLUMNS.map((name) => (record ? cell(record[name]) : name))
  return `${cells.join(',')}\r\n`
}

/** A spreadsheet runs a text that starts like this as a formula, and customers choose names. */
const FORMULA = /^\s*[=+\-@＝＋－＠]|^[\t\r\n]/

function cell(value: string | number | null): string {
  const text = value === null ? '' : String(value)
  const safe = FORMULA.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
