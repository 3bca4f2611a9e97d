import type { SvmInstruction } from '../../../src/chains/index.ts'
import { withoutComputeBudget } from '../../../src/chains/solana/compute-budget.ts'
import { setComputeBudget } from '../../../src/chains/solana/instructions.ts'
import type { IssuedTransaction } from '../../../src/operations/index.ts'
import { registerWallet } from '../../../src/wallets/index.ts'
import type { WalletAccount } from '../../clients/wallet-client.ts'
import type { SolanaRun } from '../solana-run.ts'
import type { Key } from '../world/keys.ts'
import { decodeTransaction, sign, write } from '../world/transaction.ts'

/** Bytes that the service handed out: their holder can sign them for as long as their blockhash lives. */
export interface SolanaClientBytes {
  readonly account: WalletAccount
  readonly transaction: IssuedTransaction
  /** Whether its holder promised that they go nowhere, and keeps the promise. */
  discarded: boolean
}

/** Whoever has the key of one address: it may be known to several organizations, and does what it wants. */
export class SolanaWalletClient {
  readonly run: SolanaRun
  readonly key: Key
  readonly accounts: WalletAccount[] = []
  /** Everything that was ever handed out for this address, in that order. */
  readonly issued: SolanaClientBytes[] = []
  /** What it sent past the service, to report it one day. */
  readonly sent: { readonly bytes: SolanaClientBytes; readonly hash: string }[] = []

  constructor(play: SolanaRun, key: Key) {
    this.run = play
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
      const isKnown = this.issued.some((other) => other.transaction.unsignedBytes === transaction.unsignedBytes)
      if (!isKnown) this.issued.push({ account, transaction, discarded: false })
    }
  }

  sign({ transaction }: SolanaClientBytes): string {
    return sign(this.key, transaction.unsignedBytes)
  }

  /** The same plan and blockhash for another fee: another transaction, which may land beside the first. */
  signFor({ transaction }: SolanaClientBytes, price: bigint): string {
    this.run.doubled.add(transaction.transactionId)
    const { instructions, blockhash, units } = decodeTransaction(transaction.unsignedBytes)
    return write(this.key, [...setComputeBudget(units, price), ...withoutComputeBudget(instructions)], blockhash)
  }

  /** What its account of a token or of shares holds, in the newest block. */
  balance(mint: string): bigint {
    return this.run.cluster.latest.state.amount(this.run.accounts.of(this.address, mint))
  }

  /** Signs and sends something of its own, past the service. Its signature, cut short. */
  send(instructions: readonly SvmInstruction[]): string {
    const { cluster } = this.run
    const raw = write(this.key, instructions, cluster.latest.hash)
    cluster.enqueue(raw)
    return decodeTransaction(raw).signature.slice(0, 10)
  }
}
