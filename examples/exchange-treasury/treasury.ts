/**
 * An exchange's treasury with its own signer. Weir keeps a buffer liquid in the hot wallet, puts the rest to work and plans
 * every move; this program checks each move by the exchange's own rules and signs it. Amounts are base units.
 */
import { setTimeout as wait } from 'node:timers/promises'
import { ApiError, ConnectionError, type DataOf, type Weir } from '@weir/sdk'
import { formatUnits, type Hex, parseTransaction, parseUnits } from 'viem'
import type { LocalAccount } from 'viem/accounts'
import { checkTransaction, type Rules } from '../shared/check-transaction.ts'

const DECIMALS = 6
const LEASE_MS = 30_000
const LONG_POLL_MS = 25_000

type Leased = NonNullable<DataOf<'pollTransactions'>['transaction']>

export interface HotWallet {
  readonly address: string
  readonly blockchain: 'ethereum' | 'polygon' | 'base'
  /** What must stay liquid for the withdrawals of customers. */
  readonly buffer: bigint
}

/** Makes Weir manage a hot wallet: once, with the session of an owner or admin. Returns the operational wallet's id. */
export async function adopt({ core }: Weir, { address, blockchain, buffer }: HotWallet): Promise<number> {
  const imported = await core.wallets.import({
    address,
    blockchain,
    label: 'Hot wallet',
    custodyProvider: 'own signer',
  })
  const known = (await core.wallets.listMonitored()).find(({ orgWalletId }) => orgWalletId === imported.id)
  if (known) return known.id
  const bufferAmount = formatUnits(buffer, DECIMALS)
  const input = { orgWalletId: imported.id, token: 'USDC', bufferAmount, enableYield: true }
  return (await core.wallets.monitor(input, { idempotencyKey: `hot wallet ${imported.id}` })).id
}

/** Before a day of many withdrawals raise the buffer: Weir brings back what is missing. */
export async function setBuffer({ core }: Weir, id: number, buffer: bigint): Promise<void> {
  await core.wallets.updateBuffer(id, { bufferAmount: formatUnits(buffer, DECIMALS) })
}

export async function balances({ core }: Weir, id: number): Promise<{ liquid: bigint; deployed: bigint }> {
  const wallet = (await core.wallets.listMonitored()).find((one) => one.id === id)
  if (!wallet) throw new Error(`there is no operational wallet ${id}`)
  const units = (amount: string) => parseUnits(amount, DECIMALS)
  return { liquid: units(wallet.availableBalance), deployed: units(wallet.deployedBalance) }
}

export interface SignerParts {
  /** With a key that has the permission `agent` and nothing else. */
  readonly weir: Weir
  /** The hot wallet's key. In production: an object that calls your HSM. */
  readonly account: LocalAccount
  readonly rules: Rules
  /** The most that one transaction may deploy, whatever Weir plans. */
  readonly limit: bigint
  readonly log: (line: string) => void
}

/** Leases, checks, signs and broadcasts moves until the signal aborts. A second signer may run at the same time. */
export async function runSigner(parts: SignerParts, signal: AbortSignal): Promise<void> {
  const options = { signal, timeoutMs: 2 * LONG_POLL_MS }
  while (!signal.aborted) {
    try {
      const input = { leaseDurationMs: LEASE_MS, waitMs: LONG_POLL_MS }
      const { transaction } = await parts.weir.core.agent.pollTransactions(input, options)
      if (transaction) await sign(parts, transaction)
    } catch (error) {
      if (signal.aborted) return
      // A revoked key or a bug: somebody has to look. Everything else passes.
      if (error instanceof ApiError && (error.status === 401 || error.status === 403)) throw error
      if (!(error instanceof ApiError || error instanceof ConnectionError)) throw error
      parts.log(`${error.message}; the next attempt follows`)
      await wait(1_000, undefined, { signal }).catch(() => undefined)
    }
  }
}

async function sign({ weir, account, rules, limit, log }: SignerParts, leased: Leased): Promise<void> {
  const { id, leaseToken, unsignedTx, metadata } = leased
  try {
    // The metadata says what Weir means to do; only the bytes are checked, because only they are signed.
    checkTransaction(unsignedTx, account.address, limit, rules)
  } catch (refusal) {
    const error = (refusal as Error).message
    log(`operation ${leased.operationId}: ${error}`)
    await weir.core.agent.reportTransaction(id, { status: 'FAILED', error, leaseToken })
    return
  }
  const signedTransaction = await account.signTransaction(parseTransaction(unsignedTx as Hex))
  try {
    // Weir stores the signed bytes before it sends them. After a crash the same bytes are leased, and signed, again.
    await weir.core.agent.broadcastTransaction(id, { signedTransaction, leaseToken })
    log(`operation ${leased.operationId}: signed, ${metadata.description}`)
  } catch (error) {
    const isOver = ['LEASE_LOST', 'OPERATION_EXPIRED', 'INVALID_OPERATION_STATUS', 'OPERATION_ALREADY_SUBMITTED']
    if (!(error instanceof ApiError && isOver.includes(error.code))) throw error
    log(`operation ${leased.operationId}: ${error.message}`)
  }
}
