/**
 * A neobank's savings account. Each customer has a wallet; what they save earns yield in one strategy. Weir plans, checks
 * and follows; the bank signs. Amounts are base units: 1_000_000n is one USDC.
 */
import {
  ApiError,
  InsufficientBalanceError,
  type Operation,
  OperationFailedError,
  OperationInProgressError,
  type ReceivedEvent,
  type Weir,
} from '@weir/sdk'
import { viemSigner } from '@weir/sdk/viem'
import { type Address, isAddressEqual } from 'viem'
import type { LocalAccount } from 'viem/accounts'
import type { Rules } from '../shared/check-transaction.ts'
import { type Order, reviewFor } from '../shared/review.ts'

export interface Bank {
  readonly weir: Weir
  readonly blockchain: 'ethereum' | 'polygon' | 'base'
  /** Where savings earn. The bank chooses it, not the highest rate of the day. */
  readonly strategyId: number
  readonly rules: Rules
  /** The wallet of a customer, always the same one. In production its key is in a custody system. */
  readonly accountOf: (customer: string) => LocalAccount
}

export interface Balance {
  /** What was paid in and not withdrawn. */
  readonly principal: bigint
  readonly interest: bigint
  /** In the wallet, not saved. */
  readonly available: bigint
}

export class Savings {
  readonly #bank: Bank
  /** What happened to each operation. In production: a table, written in one transaction with the event's id. */
  readonly #statuses = new Map<number, string>()
  readonly #seen = new Set<string>()
  /** What was signed for each transfer. In production: in the row of the transfer. */
  readonly #reviews = new Map<string, ReturnType<typeof reviewFor>>()

  constructor(bank: Bank) {
    this.#bank = bank
  }

  /** Opens the account of a customer. Opening it again returns the same wallet. */
  async open(customer: string): Promise<number> {
    const { weir, blockchain, accountOf } = this.#bank
    const walletAddress = accountOf(customer).address
    const { walletId } = await weir.v1.wallets.register({ walletAddress, blockchain, userId: customer })
    return walletId
  }

  /**
   * Moves `amount` from the customer's wallet into savings, once for each `transfer`. Store that id before the first
   * attempt; after a crash or a lost response repeat with it within a day. Returns when the chain has confirmed it.
   */
  async deposit(customer: string, amount: bigint, transfer: string): Promise<Operation> {
    const { weir, strategyId, rules } = this.#bank
    const input = {
      walletId: await this.open(customer),
      strategyId,
      tokenAddress: rules.token,
      amount: `${amount}`,
      ifBusy: 'reject' as const,
    }
    const plan = await weir.v1.operations.supply(input, { idempotencyKey: `deposit ${transfer}` })
    return this.#execute(customer, plan, { does: 'supply', amount }, transfer)
  }

  /** Moves `amount`, or everything with its interest, back into the customer's wallet. Repeat it as a deposit. */
  async withdraw(customer: string, amount: bigint | 'everything', transfer: string): Promise<Operation> {
    const { weir, strategyId } = this.#bank
    const what = amount === 'everything' ? { fullWithdrawal: true as const } : { amount: `${amount}` }
    const input = { walletId: await this.open(customer), strategyId, ifBusy: 'reject' as const, ...what }
    const plan = await weir.v1.operations.unwind(input, { idempotencyKey: `withdrawal ${transfer}` })
    return this.#execute(customer, plan, { does: 'withdraw', amount }, transfer)
  }

  async balance(customer: string): Promise<Balance> {
    const { weir, rules } = this.#bank
    const walletId = await this.open(customer)
    const [wallet, { allocations }] = await Promise.all([
      weir.v1.wallets.get(walletId),
      weir.v1.allocations.list({ walletId }),
    ])
    const sum = (amounts: readonly string[]) => amounts.reduce((total, amount) => total + BigInt(amount), 0n)
    const cash = wallet.balances.find(({ tokenAddress }) => isAddressEqual(tokenAddress as Address, rules.token))
    return {
      principal: sum(allocations.map(({ principal }) => principal)),
      interest: sum(allocations.map(({ yieldEarned }) => yieldEarned)),
      available: BigInt(cash?.available ?? 0),
    }
  }

  /**
   * Books an event. A transfer may complete after it failed, when a transaction that seemed lost lands late, but never
   * fails after it completed: what says so is a delivery that arrives late.
   */
  book({ id, event, data }: ReceivedEvent): void {
    if (this.#seen.has(id)) return
    this.#seen.add(id)
    // Unknown events are ignored: there may be more of them one day.
    if (event !== 'operation.completed' && event !== 'operation.failed') return
    const { operationId } = data as { operationId: number }
    if (!this.isBooked(operationId)) this.#statuses.set(operationId, event)
  }

  isBooked(operationId: number): boolean {
    return this.#statuses.get(operationId) === 'operation.completed'
  }

  /** Signs what the customer ordered, whatever the plan contains, and no more when the transfer is repeated. */
  #execute(customer: string, plan: Operation, order: Order, transfer: string): Promise<Operation> {
    const { weir, rules, accountOf } = this.#bank
    const account = accountOf(customer)
    const key = `${order.does} ${transfer}`
    const review = this.#reviews.get(key) ?? reviewFor(order, account.address, rules)
    this.#reviews.set(key, review)
    return weir.v1.operations.execute(plan, viemSigner(account), { review })
  }
}

/**
 * Why a transfer did not happen, for the customer; the next attempt is a new transfer. Undefined for every other error:
 * nobody knows yet whether it happened, so repeat the same transfer.
 */
export function reasonOf(error: unknown): string | undefined {
  if (error instanceof InsufficientBalanceError) return 'There is not enough money.'
  if (error instanceof OperationInProgressError) return 'Another transfer is in progress.'
  if (error instanceof OperationFailedError) return `The transfer failed (${error.operation.failureReason}).`
  if (error instanceof ApiError && error.status === 400) return `The transfer was refused (${error.code}).`
  return undefined
}
