import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Journal } from '../../apps/server/cluster/journal.ts'
import { type Account, createAccount } from '../../apps/server/tour/account.ts'
import type { Credentials } from '../../apps/server/tour/client.ts'
import type { ServiceRoutes } from './service-routes.ts'

export interface CallerParts {
  readonly routes: ServiceRoutes
  readonly credentials: Credentials
  readonly journal: Journal
  /** One version planned an operation that the other carried out. */
  readonly onOperation: (planned: string, carriedOut: string) => void
}
/** What a caller does in each round. */
export type Cycle = (round: number) => Promise<void>

interface Operation {
  readonly operationId: number
  readonly status: string
  readonly transactions: readonly { readonly unsignedTransaction: string }[]
}
interface FundedWallet {
  readonly walletId: number
  readonly blockchain: string
  readonly account: Account
}

const POLL_MS = 150
/** Each waits for a second if there is no work. */
const AGENT_POLLS = 90
const FUNDS = 1_000_000_000_000n
const SUPPLY = 2_000_000n
const UNWIND = 1_000_000n
/** What the managed wallet gets in each round: more than its buffer, so that Weir moves it. */
const MANAGED_GIFT = 500_000_000n

/** A wallet that supplies, withdraws, and so on. */
export async function createSettler(parts: CallerParts, blockchain: string): Promise<Cycle> {
  const wallet = await createWallet(parts, blockchain)
  const { strategyId, tokenAddress } = await strategyOf(parts, blockchain, 'Yield Vault USDC')
  return async (round) => {
    // Both kinds begin at each process.
    const turn = Math.floor(round / 2)
    if (round % 2 === 0)
      await carryOut(parts, wallet, { turn, kind: 'supply', strategyId, tokenAddress, amount: SUPPLY })
    else await carryOut(parts, wallet, { turn, kind: 'unwind', strategyId, amount: UNWIND })
    if (round % 4 === 3) await give(parts, turn, wallet, UNWIND)
  }
}

/** A wallet in a vault that pays later: it requests a withdrawal at one process, and claims it at the next one. */
export async function createWaiter(parts: CallerParts, blockchain: string): Promise<Cycle> {
  const { routes, credentials } = parts
  const headers = { 'x-api-key': credentials.profileApiKey }
  const wallet = await createWallet(parts, blockchain)
  const { strategyId, tokenAddress } = await strategyOf(parts, blockchain, 'Queued USDC')
  return async (round) => {
    await carryOut(parts, wallet, { turn: round, kind: 'supply', strategyId, tokenAddress, amount: SUPPLY })
    await carryOut(parts, wallet, { turn: round, kind: 'unwind', strategyId, amount: UNWIND })
    const path = `/v1/sandbox/strategies/${strategyId}/state`
    await routes.send(round, { path, body: { pendingExits: 'settle' }, headers, status: 200 })
    type Exits = { exits: readonly { status: string }[] }
    for (let turn = round; ; turn += 1) {
      const { body } = await routes.send<Exits>(turn, {
        path: `/v1/exits?walletId=${wallet.walletId}`,
        headers,
        status: 200,
      })
      if (body.exits.some(({ status }) => status === 'claimable')) break
      await pause(POLL_MS)
    }
    await carryOut(parts, wallet, { turn: round + 1, kind: 'claim', strategyId })
  }
}

/** An agent with a wallet that Weir manages: one process leases a transaction to it, the next one gets its report. */
export async function createAgent(
  parts: CallerParts,
  blockchain: string,
  onCompleted: (operationId: number) => void,
): Promise<Cycle> {
  const { routes, credentials } = parts
  const { email, password, organizationApiKey } = credentials
  type Data<T> = { readonly data: T }
  const member = async (turn: number) => {
    const login = { path: '/api/core/auth/login', body: { email, password }, headers: {}, status: 200 }
    const { body } = await routes.send<Data<{ accessToken: string }>>(turn, login)
    return { authorization: `Bearer ${body.data.accessToken}` }
  }
  const account = await createAccount(blockchain)
  const created = { headers: await member(0), status: 201 }
  const imported = { address: account.address, blockchain, label: 'side by side' }
  const { body } = await routes.send<Data<{ id: number }>>(0, {
    path: '/api/core/org-wallets',
    body: imported,
    ...created,
  })
  const wallet = { walletId: body.data.id, blockchain, account }
  const settings = { orgWalletId: wallet.walletId, bufferAmount: '100' }
  await routes.send(0, { path: '/api/core/wallets/add-and-monitor', body: settings, ...created })

  return async (round) => {
    const headers = await member(round)
    await give(parts, round, wallet, MANAGED_GIFT)
    type Work = { id: number; operationId: number; unsignedTx: string; leaseToken: string }
    let operationId: number | undefined
    for (let turn = round; turn < round + AGENT_POLLS; turn += 1) {
      const polled = await routes.send<Data<{ transaction: Work | null }>>(turn, {
        path: '/api/agent/transactions/poll',
        body: { waitMs: 1_000 },
        headers: { 'x-api-key': organizationApiKey },
        status: 200,
      })
      const { transaction } = polled.body.data
      if (transaction) {
        operationId = transaction.operationId
        const signedTransaction = await account.sign(transaction.unsignedTx)
        await routes.send(turn + 1, {
          path: `/api/agent/transactions/${transaction.id}/broadcast`,
          body: { signedTransaction, leaseToken: transaction.leaseToken },
          headers: { 'x-api-key': organizationApiKey },
          status: 200,
        })
      }
      if (operationId === undefined) continue
      const path = `/api/core/operations/${operationId}`
      // The session began at one process, and is used at the others.
      const now = await routes.send<Data<{ status: string }>>(turn + 1, { path, headers, status: 200 })
      if (now.body.data.status === 'COMPLETED') return onCompleted(operationId)
    }
    throw new Error(`the agent polled ${AGENT_POLLS} times, and no operation was completed`)
  }
}

interface Move {
  /** The process whose turn it is plans; the next one does the rest. */
  readonly turn: number
  readonly kind: 'supply' | 'unwind' | 'claim'
  readonly strategyId: number
  readonly tokenAddress?: string
  readonly amount?: bigint
}

/** Plans an operation, signs and submits it elsewhere, and reads there until it is CONFIRMED, as it then is for both. */
async function carryOut(
  { routes, credentials, journal, onOperation }: CallerParts,
  { walletId, blockchain, account }: FundedWallet,
  { turn, kind, amount, ...strategy }: Move,
): Promise<void> {
  const headers = { 'x-api-key': credentials.profileApiKey }
  const planned = await routes.send<Operation>(turn, {
    path: `/v1/operations/${kind}`,
    body: { walletId, ...strategy, ...(amount && { amount: String(amount) }) },
    headers,
    status: 201,
  })
  journal.writes.add()
  const { operationId, transactions } = planned.body
  journal.operations.set(operationId, { walletId, type: kind === 'supply' ? 'SUPPLY' : 'UNWIND', amount: amount ?? 0n })

  for (const { unsignedTransaction } of transactions) {
    const signedTransaction = await account.sign(unsignedTransaction)
    const { body } = await routes.send<{ txHash: string }>(turn + 1, {
      path: '/v1/transactions/submit-signed',
      body: { operationId, signedTransaction },
      headers,
      status: 202,
    })
    journal.writes.add()
    journal.submitted.set(body.txHash, operationId)
  }
  const reading = { path: `/v1/operations/${operationId}`, headers, status: 200 }
  for (;;) {
    const { body, version } = await routes.send<Operation>(turn + 1, reading)
    if (body.status === 'FAILED') throw new Error(`operation ${operationId} failed: ${JSON.stringify(body)}`)
    if (body.status === 'CONFIRMED') {
      onOperation(planned.version, version)
      break
    }
    await pause(POLL_MS)
  }
  const { body, version } = await routes.send<Operation>(turn, reading)
  if (body.status !== 'CONFIRMED') throw new Error(`${version} shows ${operationId} as ${body.status}`)
  journal.confirmed.add(operationId)
  journal.settlements.get(blockchain)!.add()
}

async function createWallet(parts: CallerParts, blockchain: string): Promise<FundedWallet> {
  const account = await createAccount(blockchain)
  const { body } = await parts.routes.send<{ walletId: number }>(0, {
    path: '/v1/wallets/register',
    body: { walletAddress: account.address, blockchain },
    headers: { 'x-api-key': parts.credentials.profileApiKey },
    status: 201,
  })
  const wallet = { walletId: body.walletId, blockchain, account }
  parts.journal.wallets.set(wallet.walletId, account.address)
  await give(parts, 0, wallet, FUNDS)
  return wallet
}

/** A gift of the faucet, in base units of USDC, whose request is repeated elsewhere. */
async function give(parts: CallerParts, turn: number, wallet: FundedWallet, amount: bigint): Promise<void> {
  const { walletId, blockchain, account } = wallet
  const gift = {
    path: '/v1/sandbox/faucet',
    body: { walletAddress: account.address, blockchain, token: 'USDC', amount: String(amount) },
    headers: { 'x-api-key': parts.credentials.profileApiKey, 'idempotency-key': randomUUID() },
    status: 200,
  }
  const { body } = await parts.routes.send<{ txHash: string }>(turn, gift)
  const repeated = await parts.routes.send<{ txHash: string }>(turn + 1, gift)
  if (repeated.body.txHash !== body.txHash) throw new Error(`${repeated.version} gave again: ${repeated.body.txHash}`)
  parts.journal.writes.add()
  parts.journal.gifts.set(body.txHash, { walletId, amount })
}

/** The strategy with this name, or the first one for USDC. */
async function strategyOf({ routes, credentials }: CallerParts, blockchain: string, name: string) {
  type Venues = { venues: { strategies: { strategyId: number; name: string; tokenAddress: string }[] }[] }
  const { body } = await routes.send<Venues>(0, {
    path: `/v1/venues?blockchain=${blockchain}&token=USDC`,
    headers: { 'x-api-key': credentials.profileApiKey },
    status: 200,
  })
  const strategies = body.venues.flatMap((venue) => venue.strategies)
  return strategies.find((strategy) => strategy.name === name) ?? strategies[0]!
}
