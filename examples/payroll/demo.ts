import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { aaveOn, eventually, openSandbox, receiveEvents, rulesOf } from '../shared/sandbox.ts'
import { type Employee, fundingAccount, type Payroll, recipientOf, runDay } from './payroll.ts'

const sandbox = await openSandbox()
const { weir } = sandbox
const blockchain = 'ethereum'
const networks = await weir.v1.sandbox.networks()
const month = Date.now()
const employee = (name: string, wage: bigint, account_number: string): Employee => ({
  id: `${name}-${month}`,
  name,
  wage,
  address: { street1: '1 Main Street', city: 'Springfield', postal_code: '00000', country: 'US' },
  bank: { routing_number: '021000021', account_number, account_type: 'checking', bank_name: 'First Bank' },
})
const payroll: Payroll = {
  weir,
  blockchain,
  rpcUrl: networks.find((network) => network.blockchain === blockchain)!.rpcUrl,
  strategyId: await aaveOn(sandbox, blockchain),
  rules: await rulesOf(sandbox, blockchain),
  account: privateKeyToAccount(generatePrivateKey()),
  employees: [employee('Ada', 6_000_000_000n, '000123456789'), employee('Grace', 5_500_000_000n, '000987654321')],
  payday: '2026-11-30',
  folder: mkdtempSync(join(tmpdir(), 'payroll-')),
}
const done = new Map<string, string>()
const stop = await receiveEvents(sandbox, ({ event, data }) => {
  if (event === 'transaction.completed') done.set('funding', data.delivered_amount ?? '')
  if (event === 'offramp_transaction.completed') done.set(data.ramp_recipient_name ?? '', data.payout_amount ?? '')
})

// The banking partner verifies the company, once, and its employees.
const { kyb_status } = await weir.v1.ramp.kyb.start()
if (kyb_status !== 'approved') await weir.v1.ramp.kyb.simulateApprove()
for (const one of payroll.employees) await weir.v1.ramp.recipients.simulateApprove(await recipientOf(weir, one))

const { id } = await fundingAccount(payroll)
await weir.v1.ramp.organization.simulateOnramp({ onramp_account_id: id, usd_amount: 12_000, step_delay_ms: 100 })
await eventually(() => done.has('funding'))
console.log(`funded: ${done.get('funding')} USDC`)

console.log(`2026-11-23: ${await runDay(payroll, '2026-11-23')}`)
await weir.v1.sandbox.advanceTime({ seconds: 7 * 86_400 })
console.log(`2026-11-30: ${await runDay(payroll, '2026-11-30')}`)
await runDay(payroll, '2026-11-30') // As after a crash: nobody is paid twice.
await eventually(() => payroll.employees.every(({ name }) => done.has(name)))
for (const { name } of payroll.employees) console.log(`${name} received ${done.get(name)} USD`)
await stop()
