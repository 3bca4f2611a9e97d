import { get, post } from '../../api/client.ts'
import type { Data } from '../../api/types.ts'
import type { BrowserWallet } from './browser-wallet.ts'

const CHAIN = 'polygon'
/** Of the USDC of the embedded chains. */
export const USDC_DECIMALS = 6
const AMOUNT = '1000000000'
const THIRTY_DAYS = 30 * 86_400
const POLL_MS = 400
const WAIT_MS = 60_000

interface ClientOperation {
  readonly operationId: number
  readonly status: string
  readonly failureReason?: string
  readonly transactions: readonly {
    readonly id: number
    readonly unsignedTransaction?: string
    readonly description: string
  }[]
}
export interface Position {
  readonly strategyName: string
  readonly principal: string
  readonly currentValue: string
  readonly yieldEarned: string
}
export interface Choice {
  readonly strategyId: number
  readonly name: string
  readonly venueName: string
  readonly apy: number
  readonly tokenAddress: string
}

export async function registerWallet(wallet: BrowserWallet): Promise<number> {
  return (
    await post<Data<'registerWallet'>>('/v1/wallets/register', { walletAddress: wallet.address, blockchain: CHAIN })
  ).walletId
}

export const fund = (wallet: Pick<BrowserWallet, 'address'>, amount = AMOUNT): Promise<{ txHash: string }> =>
  post('/v1/sandbox/faucet', { walletAddress: wallet.address, blockchain: CHAIN, token: 'USDC', amount })

/** Enough that a move earns more than its gas costs: 100,000 USDC. */
export const TREASURY_AMOUNT = '100000000000'

/** The strategy that earns most and takes this amount. */
export async function bestStrategy(): Promise<Choice> {
  const { venues } = await get<Data<'listVenues'>>(`/v1/venues?blockchain=${CHAIN}&token=USDC`)
  const open = venues
    .flatMap(({ name, strategies }) => strategies.map((strategy) => ({ ...strategy, venueName: name })))
    .filter(
      ({ status, minDeposit, maxDeposit }) =>
        status === 'active' &&
        BigInt(minDeposit ?? 0) <= BigInt(AMOUNT) &&
        (maxDeposit === null || BigInt(maxDeposit) >= BigInt(AMOUNT)),
    )
    .sort((a, b) => b.apy - a.apy)
  if (open[0] === undefined) throw new Error('No strategy takes a deposit of this size.')
  return open[0]
}

export const supply = (walletId: number, { strategyId, tokenAddress }: Choice): Promise<ClientOperation> =>
  post('/v1/operations/supply', { walletId, strategyId, tokenAddress, amount: AMOUNT })

export const unwind = (walletId: number, { strategyId }: Choice): Promise<ClientOperation> =>
  post('/v1/operations/unwind', { walletId, strategyId, fullWithdrawal: true })

/** Signs each transaction here, hands over the signed bytes, and waits until the ledger has settled them. */
export async function signAndSettle(wallet: BrowserWallet, operation: ClientOperation): Promise<void> {
  const { operationId } = operation
  for (const { id, unsignedTransaction } of operation.transactions) {
    if (unsignedTransaction === undefined) continue
    await post('/v1/transactions/submit-signed', {
      operationId,
      transactionId: id,
      signedTransaction: await wallet.sign(unsignedTransaction),
    })
  }
  await until(async () => {
    const { status, failureReason } = await get<ClientOperation>(`/v1/operations/${operationId}`)
    if (status === 'FAILED') throw new Error(`The operation failed: ${failureReason ?? 'see its page'}.`)
    return status === 'CONFIRMED' ? true : undefined
  })
}

export const passThirtyDays = (): Promise<Data<'advanceTime'>> =>
  post('/v1/sandbox/advance-time', { seconds: THIRTY_DAYS })

export async function positionOf(walletId: number): Promise<Position | undefined> {
  const { allocations } = await get<Data<'listAllocations'>>(`/v1/allocations?walletId=${walletId}`)
  return allocations[0]
}

export async function balanceOf(walletId: number): Promise<string> {
  const { balances } = await get<Data<'getWallet'>>(`/v1/wallets/${walletId}`)
  return balances.find(({ token }) => token === 'USDC')?.available ?? '0'
}

/** Waits for a condition of the service. Throws after a minute. */
export async function until<T>(condition: () => Promise<T | undefined>): Promise<T> {
  const deadline = Date.now() + WAIT_MS
  for (;;) {
    const found = await condition()
    if (found !== undefined) return found
    if (Date.now() > deadline) throw new Error('The service took longer than a minute.')
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
}

/** Makes the wallet operational with a buffer; the rebalancer does the rest. */
export const makeOperational = (walletId: number, bufferAmount: string): Promise<{ id: number }> =>
  post('/api/core/wallets/add-and-monitor', { orgWalletId: walletId, token: 'USDC', bufferAmount, enableYield: true })

export async function agentKey(): Promise<{ readonly id: number; readonly apiKey: string }> {
  return post('/api/core/apikeys/generate', {
    name: `Agent in a browser, ${new Date().toISOString().slice(0, 16)}`,
    permissions: ['agent'],
  })
}

interface Leased {
  readonly transaction: {
    readonly id: number
    readonly unsignedTx: string
    readonly leaseToken: string
    readonly metadata: { readonly walletAddress: string; readonly description: string }
  } | null
}

/** One turn of a custody agent, in this tab: leases a transaction, signs it, sends it. Returns what it signed. */
export async function agentTurn(wallet: BrowserWallet, apiKey: string): Promise<string | undefined> {
  const options = { headers: { 'x-api-key': apiKey }, isSignIn: true }
  const { transaction } = await post<Leased>('/api/agent/transactions/poll', { leaseDurationMs: 30_000 }, options)
  if (transaction === null) return undefined
  if (transaction.metadata.walletAddress.toLowerCase() !== wallet.address.toLowerCase()) return undefined
  const { id, leaseToken, unsignedTx, metadata } = transaction
  await post(
    `/api/agent/transactions/${id}/broadcast`,
    { leaseToken, signedTransaction: await wallet.sign(unsignedTx) },
    options,
  )
  return metadata.description
}
