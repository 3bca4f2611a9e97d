import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { brief, exact, unitsOf } from '../../server/tour/amounts.ts'
import type { Client } from '../../server/tour/client.ts'
import { about, type Say } from '../../server/tour/layout.ts'
import type { People } from '../../server/tour/people.ts'
import type { TourService } from '../../server/tour/service.ts'
import { type ListedStrategy, listStrategies, nameOf } from '../../server/tour/strategies.ts'
import { until } from '../../server/tour/until.ts'
import { withProgress } from '../../server/tour/with-progress.ts'
import { type AgentTour, openTour } from './open-tour.ts'
import { type OperationalWallet, readPositions, readWallets, settled } from './operational-wallets.ts'
import { summarizeTreasury } from './treasury-summary.ts'

const VERIFY = fileURLToPath(new URL('../../server/src/main/verify-audit.ts', import.meta.url))
const BUFFER = unitsOf('1000')
const HIGHER_BUFFER = unitsOf('4000')
const FUNDS = unitsOf('10000')
const MORE_FUNDS = unitsOf('6000')
const APPROVAL_THRESHOLD = unitsOf('5000')
const DAYS = 30

/** Polygon's wallet may use these two, which lend everything on, and half of its money at most in each. */
const LENDING_CHAIN = 'polygon'
const LENDING_VAULTS = ['Lending USDC (Aave)', 'Lending USDC (markets)']
const SHARE_OF_EACH = '50'
/** Less than the raised buffer needs, more than half of it. */
const LEFT_BY_BORROWERS = unitsOf('2000')

interface TreasuryTour extends AgentTour {
  readonly strategies: readonly ListedStrategy[]
}

/**
 * A treasury that runs on its own: wallets with a buffer, an agent that signs, yield, a raised buffer that two vaults
 * fill together because neither can alone, an approval by policy. Prints a line for each step, and at the end what was
 * earned and how to check it. `keys` is the folder of the custody.
 */
export async function tourTreasury(
  { credentials, folder }: Pick<TourService, 'credentials' | 'folder'>,
  say: Say,
  keys = folder,
): Promise<void> {
  const opened = await openTour({ credentials }, say, keys)
  const tour: TreasuryTour = { ...opened, strategies: await listStrategies(opened.client) }
  const { people } = tour
  await chooseStrategies(tour)
  const wallets = await createWallets(tour)

  say('')
  say(about('agent', 'starts with the keys of these wallets, and signs what Weir plans'))
  const agent = await tour.custody.startAgent()
  try {
    await deploySurplus(tour, wallets)
    await passDays(tour)
    const grown = await readPositions(people, wallets)
    const refill = await raiseBuffers(tour, wallets)
    const received = await approveByPolicy(tour, wallets[0]!)
    const ended = await readWallets(people, wallets)
    await summarizeTreasury(tour, {
      days: DAYS,
      grown,
      refill,
      wallets: ended.map((wallet) => ({ ...wallet, received: FUNDS + (wallet.id === wallets[0] ? received : 0n) })),
    })
  } finally {
    await agent.stop()
  }
  verifyAuditLog(folder, say)
}

/** The organization decides where Weir may deposit: on one chain only in two vaults that lend everything on. */
async function chooseStrategies({ people, strategies, say }: TreasuryTour): Promise<void> {
  const isLending = ({ blockchain, name }: ListedStrategy) =>
    blockchain === LENDING_CHAIN && LENDING_VAULTS.includes(name)
  const allowed = strategies.filter((strategy) => strategy.blockchain !== LENDING_CHAIN || isLending(strategy))
  await people.put('/api/core/deposit-limits', {
    allowedStrategies: allowed.map(({ strategyId }) => strategyId),
    caps: [],
    maxPoolShare: null,
    maxLiquidityShare: null,
  })
  for (const { strategyId } of allowed.filter(isLending)) {
    await people.put(`/api/core/strategy-caps/${strategyId}`, { maxShare: SHARE_OF_EACH })
  }
  say('')
  say(about('policy', `on ${LENDING_CHAIN} only ${LENDING_VAULTS.join(' and ')}, at most ${SHARE_OF_EACH}% in each`))
  say(about('', 'these vaults lend everything on, and pay back what their borrowers leave'))
  say('')
}

async function createWallets({ people, client, custody, networks, say }: TreasuryTour): Promise<number[]> {
  const wallets: number[] = []
  for (const { blockchain } of networks) {
    const address = await custody.newAddress(blockchain)
    const { id } = await people.post<{ id: number }>('/api/core/org-wallets', {
      address,
      blockchain,
      label: 'Treasury',
    })
    await fund(client, { address, blockchain }, FUNDS)
    const monitored = { orgWalletId: id, bufferAmount: exact(BUFFER).replaceAll(',', '') }
    const { id: opWalletId } = await people.post<{ id: number }>('/api/core/wallets/add-and-monitor', monitored)
    wallets.push(opWalletId)
    say(about(blockchain, `${brief(FUNDS)} USDC in ${address}, buffer ${brief(BUFFER)}`))
  }
  return wallets
}

async function deploySurplus({ people, strategies, say }: TreasuryTour, wallets: readonly number[]): Promise<void> {
  const isDeployed = ({ available, deployed }: OperationalWallet) =>
    available === BUFFER && deployed >= FUNDS - BUFFER - unitsOf('1')
  const found = await settled(people, { ids: wallets, isSettled: isDeployed, move: 'the deployment', say })
  const positions = await readPositions(people, wallets)
  for (const { id, blockchain } of found) {
    const parts = positions
      .filter(({ opWalletId }) => opWalletId === id)
      .map(({ principal, strategyId }) => `${brief(principal)} in ${nameOf(strategies, strategyId)}`)
    say(about(blockchain, `deployed: ${parts.join(', ')}`))
  }
}

async function passDays({ client, say }: TreasuryTour): Promise<void> {
  const { now } = await withProgress(say, `${DAYS} days to pass on every chain`, () =>
    client.post<{ now: string }>('/v1/sandbox/advance-time', { seconds: DAYS * 86_400 }),
  )
  say('')
  say(about('all chains', `${DAYS} days later: it is ${now.slice(0, 10)} by the chains' clock`))
}

/** Raises the buffers while polygon's vaults have lent out most of what they hold. Returns what these two then paid. */
async function raiseBuffers(tour: TreasuryTour, wallets: readonly number[]): Promise<bigint[]> {
  const { people, client, strategies, say } = tour
  const vaults = strategies.filter(
    ({ blockchain, name }) => blockchain === LENDING_CHAIN && LENDING_VAULTS.includes(name),
  )
  for (const { strategyId } of vaults) {
    const state = `/v1/sandbox/strategies/${strategyId}/state`
    await client.post(state, { liquidity: 'leave' })
    await client.post(state, { liquidity: 'return', amount: LEFT_BY_BORROWERS.toString() })
  }
  const positions = await readPositions(people, wallets)
  for (const { strategyId, name } of vaults) {
    const { value, withdrawable } = positions.find((position) => position.strategyId === strategyId)!
    say(about(LENDING_CHAIN, `borrowers took what ${name} had: of ${exact(value)} it can pay ${brief(withdrawable)}`))
  }

  const bufferAmount = exact(HIGHER_BUFFER).replaceAll(',', '')
  for (const id of wallets) await people.put(`/api/core/wallets/monitored/${id}/buffer-settings`, { bufferAmount })
  say(about('all chains', `buffer raised to ${brief(HIGHER_BUFFER)}: ${brief(HIGHER_BUFFER - BUFFER)} must come back`))
  const isBack = ({ available }: OperationalWallet) => available >= HIGHER_BUFFER
  const found = await settled(people, { ids: wallets, isSettled: isBack, move: 'the withdrawal', say })
  let refill: bigint[] = []
  for (const { id, blockchain } of found) {
    const sources = await withdrawals(people, id)
    const parts = sources.map(({ amount, strategy }) => `${brief(unitsOf(amount.amount))} from ${strategy.name}`)
    say(about(blockchain, `came back: ${parts.join(', ')}`))
    if (blockchain === LENDING_CHAIN) refill = sources.map(({ amount }) => unitsOf(amount.amount))
  }
  for (const { strategyId } of vaults) {
    await client.post(`/v1/sandbox/strategies/${strategyId}/state`, { liquidity: 'return' })
  }
  return refill
}

interface OperationDetail {
  readonly status: string
  readonly amount: { readonly amount: string }
  readonly strategy: { readonly name: string }
}

/** The completed withdrawals of a wallet, oldest first. */
async function withdrawals(people: People, opWalletId: number): Promise<OperationDetail[]> {
  const { items } = await people.get<{ items: { id: number; type: string; opWalletId: number }[] }>(
    '/api/core/operations/history?status=COMPLETED&limit=100',
  )
  const own = items.filter((item) => item.type === 'UNWIND' && item.opWalletId === opWalletId)
  return Promise.all(own.toReversed().map(({ id }) => people.get<OperationDetail>(`/api/core/operations/${id}`)))
}

interface Queued {
  readonly id: number
  readonly status: string
  readonly opWalletId: number
  readonly amount: string
}

/**
 * Requires approval from a threshold on: the deployment of a deposit then waits for a person. Returns the deposit.
 */
async function approveByPolicy({ people, client, say }: TreasuryTour, opWalletId: number): Promise<bigint> {
  const amountAtLeast = exact(APPROVAL_THRESHOLD).replaceAll(',', '')
  await people.put('/api/core/approval-policy', {
    mode: 'conditional',
    rules: [{ name: `from ${amountAtLeast}`, when: { amountAtLeast }, then: 'require_approval' }],
    default: 'approve',
    requiredApprovals: 1,
  })
  say('')
  say(about('policy', `from ${brief(APPROVAL_THRESHOLD)} on a person must approve`))
  const [wallet] = await readWallets(people, [opWalletId])
  await fund(client, wallet!, MORE_FUNDS)
  const waiting = await until(say, 'an operation to approve', async () => {
    const { intents } = await people.get<{ intents: Queued[] }>('/api/core/operations/queue')
    return intents.find((found) => found.opWalletId === opWalletId && found.status === 'PENDING_APPROVAL')
  })
  const amount = brief(unitsOf(waiting.amount))
  say(about(wallet!.blockchain, `${brief(MORE_FUNDS)} USDC come in; operation ${waiting.id} would deploy ${amount}`))
  await people.post(`/api/core/operations/${waiting.id}/approve`)
  await until(say, `the end of operation ${waiting.id}`, async () => {
    const operation = await people.get<OperationDetail>(`/api/core/operations/${waiting.id}`)
    return operation.status === 'COMPLETED' ? operation : undefined
  })
  say(about(wallet!.blockchain, `operation ${waiting.id} waited, was approved and is completed`))
  return MORE_FUNDS
}

async function fund(
  client: Client,
  { address, blockchain }: { readonly address: string; readonly blockchain: string },
  amount: bigint,
): Promise<void> {
  const funding = { walletAddress: address, blockchain, token: 'USDC', amount: amount.toString() }
  await client.post('/v1/sandbox/faucet', funding)
}

function verifyAuditLog(folder: string, say: Say): void {
  const { status, stdout, stderr } = spawnSync(process.execPath, [VERIFY], {
    env: { PATH: process.env.PATH, DATA_DIR: folder },
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`the audit log does not verify: ${stdout}${stderr}`)
  const [found = '', head = ''] = stdout.trim().split(', head ')
  say(about('audit log', found))
  say(about('', `head ${head}`))
}
