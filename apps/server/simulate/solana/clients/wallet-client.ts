import type { SvmInstruction } from '../../../src/chains/index.ts'
import { withoutComputeBudget } from '../../../src/chains/solana/transactions/compute-budget.ts'
import { setComputeBudget } from '../../../src/chains/solana/transactions/instructions.ts'
import type { IssuedTransaction } from '../../../src/operations/index.ts'
import { registerWallet } from '../../../src/wallets/index.ts'
import type { WalletAccount } from '../../clients/wallet-account.ts'
import type { SolanaRunState } from '../solana-run-state.ts'
import type { Key } from '../world/keys.ts'
import { decodeTransaction, sign, write } from '../world/transaction.ts'

/** Issued bytes: their holder can sign them for as long as their blockhash lives. */
export interface SolanaClientBytes {
  readonly account: WalletAccount
  readonly transaction: IssuedTransaction
  /** Whether the holder promised to discard them, and keeps the promise. */
  discarded: boolean
}

/** The holder of one address's key. Several organizations may know the address; the holder does what it wants. */
export class SolanaWalletClient {
  readonly run: SolanaRunState
  readonly key: Key
  readonly accounts: WalletAccount[] = []
  /** All bytes ever issued for this address, in order. */
  readonly issued: SolanaClientBytes[] = []
  /** What it sent without the service, to report later. */
  readonly sent: { readonly bytes: SolanaClientBytes; readonly hash: string }[] = []

  constructor(run: SolanaRunState, key: Key) {
    this.run = run
    this.key = key
  }

  get address(): string {
    return this.key.address
  }

  async register(organizationId: number): Promise<void> {
    if (this.accounts.some((account) => account.organizationId === organizationId)) return
    const scope = { organizationId, walletProfileId: null }
    const input = { scope: scope, walletAddress: this.address, blockchain: 'solana' as const }
    const registered = await this.run.request('register', () => registerWallet(this.run.service.parts, input))
    if (registered) this.accounts.push({ organizationId, scope, walletId: registered.wallet.walletId })
  }

  receive(account: WalletAccount, transactions: readonly IssuedTransaction[]): void {
    for (const transaction of transactions) {
      this.run.promised.add(transaction.operationId)
      const isKnown = this.issued.some((other) => other.transaction.unsignedBytes === transaction.unsignedBytes)
      if (!isKnown) this.issued.push({ account, transaction, discarded: false })
    }
  }

  sign({ transaction }: SolanaClientBytes): string {
    return sign(this.key, transaction.unsignedBytes)
  }

  /** The same plan and blockhash with another fee: a second transaction, which may land in addition to the first. */
  signFor({ transaction }: SolanaClientBytes, price: bigint): string {
    this.run.doubled.add(transaction.transactionId)
    const { instructions, blockhash, units } = decodeTransaction(transaction.unsignedBytes)
    return write(this.key, [...setComputeBudget(units, price), ...withoutComputeBudget(instructions)], blockhash)
  }

  /** The balance of its token or share account in the newest block. */
  balance(mint: string): bigint {
    return this.run.cluster.latest.state.amount(this.run.accounts.of(this.address, mint))
  }

  /** Signs and sends a transaction without the service. Returns its signature, shortened. */
  send(instructions: readonly SvmInstruction[]): string {
    const { cluster } = this.run
    const raw = write(this.key, instructions, cluster.latest.hash)
    cluster.enqueue(raw)
    return decodeTransaction(raw).signature.slice(0, 10)
  }
}
