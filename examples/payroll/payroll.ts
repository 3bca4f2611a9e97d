/**
 * Payroll: a company pays wages into a bank account before payday, they earn yield until then, and on payday each employee
 * is paid by bank. Run it once a day. Amounts are base units: 1_000_000n is one USDC.
 */
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import type { components, Weir } from '@weir/sdk'
import { viemSigner } from '@weir/sdk/viem'
import {
  type Address,
  createPublicClient,
  encodeFunctionData,
  erc20Abi,
  type Hash,
  type Hex,
  http,
  isAddressEqual,
  keccak256,
  TransactionNotFoundError,
} from 'viem'
import type { LocalAccount } from 'viem/accounts'
import type { Rules } from '../shared/check-transaction.ts'
import { reviewFor } from '../shared/review.ts'
import { storeOnce, syncFolderOf } from '../shared/store-once.ts'

export interface Employee {
  /** Your own number of the employee. */
  readonly id: string
  readonly name: string
  /** Whole cents: a multiple of 10_000n. */
  readonly wage: bigint
  readonly address: { street1: string; city: string; postal_code: string; country: string }
  readonly bank: {
    routing_number: string
    account_number: string
    account_type: 'checking' | 'savings'
    bank_name: string
  }
}

export interface Payroll {
  readonly weir: Weir
  readonly blockchain: 'ethereum' | 'polygon' | 'base'
  /** An endpoint of the chain, for the payments themselves. */
  readonly rpcUrl: string
  readonly strategyId: number
  readonly rules: Rules
  /** The company's wallet. Nothing else may use it on payday. */
  readonly account: LocalAccount
  readonly employees: readonly Employee[]
  /** Its payday, such as 2026-11-30. */
  readonly payday: string
  /** Where the signed payments of a payday are kept. */
  readonly folder: string
}

/** A day's work: wages earn until payday, then they are paid. Repeat it after any crash. */
export async function runDay(payroll: Payroll, today: string): Promise<'invested' | 'paid'> {
  if (today < payroll.payday) {
    await invest(payroll)
    return 'invested'
  }
  await pay(payroll)
  return 'paid'
}

/** The bank account that the company pays wages into; they arrive as tokens in its wallet. */
export async function fundingAccount({ weir, account, blockchain }: Payroll) {
  const { walletId } = await weir.v1.wallets.register({ walletAddress: account.address, blockchain })
  for await (const open of weir.v1.ramp.organization.listOnrampAccounts()) {
    if (open.destination_wallet.id === walletId && open.status === 'active') return open
  }
  const options = { idempotencyKey: `funding account of wallet ${walletId}` }
  return weir.v1.ramp.organization.openOnrampAccount({ destination_wallet_id: walletId }, options)
}

/** Puts all wages that have arrived to work. */
async function invest(payroll: Payroll): Promise<void> {
  const { weir, account, blockchain, rules, strategyId } = payroll
  const { walletId } = await weir.v1.wallets.register({ walletAddress: account.address, blockchain })
  const { balances } = await weir.v1.wallets.get(walletId)
  const cash = balances.find(({ tokenAddress }) => isAddressEqual(tokenAddress as Address, rules.token))
  const amount = cash?.available ?? '0'
  if (BigInt(amount) === 0n) return
  const plan = await weir.v1.operations.supply({ walletId, strategyId, tokenAddress: rules.token, amount })
  const review = reviewFor({ does: 'supply', amount: BigInt(amount) }, account.address, rules)
  await weir.v1.operations.execute(plan, viemSigner(account), { review })
}

/**
 * Pays everybody, once. All payments are signed and stored before the first is sent: after a crash or a loss of power, and
 * by a run that overlaps, the same ones are sent again, and a chain accepts each nonce once.
 */
async function pay(payroll: Payroll): Promise<void> {
  const file = `${payroll.folder}/payments-${payroll.payday}.json`
  if (!existsSync(file)) {
    await withdraw(payroll)
    storeOnce(file, JSON.stringify(await signPayments(payroll)))
  }
  // The run that stored the payments may have died before their name was on disk.
  syncFolderOf(file)
  const chain = createPublicClient({ transport: http(payroll.rpcUrl), pollingInterval: 500 })
  const isKnown = async (hash: Hash) => {
    try {
      return Boolean(await chain.getTransaction({ hash }))
    } catch (error) {
      if (error instanceof TransactionNotFoundError) return false
      throw error
    }
  }
  const payments = JSON.parse(readFileSync(file, 'utf8')) as Hex[]
  for (const serializedTransaction of payments) {
    if (!(await isKnown(keccak256(serializedTransaction)))) await chain.sendRawTransaction({ serializedTransaction })
  }
  for (const payment of payments) {
    const { status, transactionHash } = await chain.waitForTransactionReceipt({ hash: keccak256(payment) })
    if (status !== 'success') throw new Error(`the payment ${transactionHash} reverted: pay this one by hand`)
  }
}

/** Brings everything back that earns, with its yield. */
async function withdraw(payroll: Payroll): Promise<void> {
  const { weir, account, rules, strategyId } = payroll
  const { allocations } = await weir.v1.allocations.list({ walletAddress: account.address })
  if (!allocations.some((allocation) => allocation.strategyId === strategyId)) return
  const input = { walletAddress: account.address, strategyId, fullWithdrawal: true as const }
  const plan = await weir.v1.operations.unwind(input)
  const review = reviewFor({ does: 'withdraw', amount: 'everything' }, account.address, rules)
  await weir.v1.operations.execute(plan, viemSigner(account), { review })
}

/** One transfer to the deposit address of each employee, signed and not sent. */
async function signPayments(payroll: Payroll): Promise<Hex[]> {
  const { account, employees, rules, rpcUrl } = payroll
  const chain = createPublicClient({ transport: http(rpcUrl) })
  const [first, fees, held] = await Promise.all([
    chain.getTransactionCount({ address: account.address, blockTag: 'pending' }),
    chain.estimateFeesPerGas(),
    chain.readContract({ address: rules.token, abi: erc20Abi, functionName: 'balanceOf', args: [account.address] }),
  ])
  const total = employees.reduce((sum, { wage }) => sum + wage, 0n)
  if (held < total) throw new Error(`the wages are ${total}, and the wallet holds ${held}: nobody was paid`)
  const payments: Hex[] = []
  for (const employee of employees) {
    const to = await depositAddress(payroll, employee)
    payments.push(
      await account.signTransaction({
        type: 'eip1559',
        chainId: rules.chainId,
        nonce: first + payments.length,
        to: rules.token,
        data: encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, employee.wage] }),
        gas: 100_000n,
        ...fees,
      }),
    )
  }
  return payments
}

/**
 * Tokens sent there are paid out to the bank account that the employee has now, on the chain of the payroll: one who
 * changed banks has deposit addresses for the old account, too. Of account numbers only the last four digits come back.
 */
export async function depositAddress(
  { weir, account, blockchain }: Pick<Payroll, 'weir' | 'account' | 'blockchain'>,
  employee: Employee,
): Promise<Address> {
  const recipient = await recipientOf(weir, employee)
  for await (const open of weir.v1.ramp.recipients.listOfframpAccounts(recipient)) {
    if (open.status === 'active' && open.network_id === blockchain && paysOutTo(open, employee))
      return open.source_crypto_address as Address
  }
  const bank_details = { ...employee.bank, account_holder_name: employee.name }
  const input = { walletAddress: account.address, blockchain, bank_details }
  // Repeated after a crash it opens the same account; for another bank account, or on another chain, it opens another.
  const details = createHash('sha256').update(JSON.stringify(input)).digest('hex')
  const options = { idempotencyKey: `payout account of employee ${employee.id}: ${details}` }
  const opened = await weir.v1.ramp.recipients.openOfframpAccount(recipient, input, options)
  return opened.source_crypto_address as Address
}

function paysOutTo(open: components['schemas']['OfframpAccount'], { name, bank }: Employee): boolean {
  return (
    open.fiat_account_number.slice(-4) === bank.account_number.slice(-4) &&
    open.fiat_bank_name === bank.bank_name &&
    open.fiat_account_type === bank.account_type &&
    open.fiat_account_holder_name === name
  )
}

/** The employee at the banking partner. Payouts begin once the partner has approved them. */
export async function recipientOf(weir: Weir, { id, name, address }: Employee): Promise<number> {
  for await (const known of weir.v1.ramp.recipients.list()) if (known.external_id === id) return known.id
  const input = { name, type: 'individual', external_id: id, address }
  return (await weir.v1.ramp.recipients.create(input, { idempotencyKey: `recipient for employee ${id}` })).id
}
