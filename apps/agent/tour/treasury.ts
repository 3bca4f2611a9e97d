import type { Network } from '../../server/tour/client.ts'
import type { Custody } from './custody.ts'
import type { People } from './people.ts'
import { until } from './until.ts'

const BUFFER = '1000'
const HIGHER_BUFFER = '4000'
const FUNDS = 10_000_000_000n
const MORE_FUNDS = 6_000_000_000n
const APPROVAL_THRESHOLD = '5000'
const DAYS = 30

interface OperationalWallet {
  readonly id: number
  readonly address: string
  readonly blockchain: string
  readonly availableBalance: string
  readonly deployedBalance: string
}

interface Listed {
  readonly id: number
  readonly type: string
  readonly status: string
  readonly opWalletId: number
  readonly amount: string
}

/** The sandbox functions that the tour uses: the faucet and the clock. */
export interface Sandbox {
  fund(address: string, blockchain: string, amount: bigint): Promise<void>
  pass(days: number): Promise<void>
}

export interface TreasuryTour {
  readonly people: People
  readonly sandbox: Sandbox
  readonly custody: Custody
  readonly networks: readonly Network[]
  readonly say: (line: string) => void
}

/**
 * A treasury that runs on its own: wallets with a buffer, an agent that signs, yield, a raised buffer, an approval by
 * policy. Prints a line for each step.
 */
export async function runTreasury({ people, sandbox, custody, networks, say }: TreasuryTour): Promise<void> {
  const tell = (blockchain: string, line: string) => say(`${blockchain.padEnd(12)} ${line}`)
  const wallets: number[] = []
  for (const { blockchain } of networks) {
    const address = await custody.newAddress(blockchain)
    const { id } = await people.post<{ id: number }>('/api/core/org-wallets', {
      address,
      blockchain,
      label: 'Treasury',
    })
    const monitored = { orgWalletId: id, bufferAmount: BUFFER }
    const { id: opWalletId } = await people.post<{ id: number }>('/api/core/wallets/add-and-monitor', monitored)
    wallets.push(opWalletId)
    await sandbox.fund(address, blockchain, FUNDS)
    tell(blockchain, `wallet ${address} imported, 10000.00 USDC in it, buffer ${BUFFER}.00`)
  }

  say('the agent starts, with the keys of these wallets')
  const agent = await custody.startAgent()
  try {
    const isDeployed = (found: OperationalWallet) => Number(found.deployedBalance) > 8_999
    for (const wallet of await settled(people, { ids: wallets, isSettled: isDeployed, move: 'the deployment', say })) {
      tell(
        wallet.blockchain,
        `deployed by the rebalancer: ${wallet.deployedBalance}, liquid: ${wallet.availableBalance}`,
      )
    }

    await sandbox.pass(DAYS)
    for (const wallet of await readOperationalWallet(people, wallets)) {
      tell(wallet.blockchain, `${DAYS} days later the position is worth ${wallet.deployedBalance}`)
    }

    for (const id of wallets) {
      await people.put(`/api/core/wallets/monitored/${id}/buffer-settings`, { bufferAmount: HIGHER_BUFFER })
    }
    say(`all wallets  buffer raised to ${HIGHER_BUFFER}.00`)
    const isBack = (found: OperationalWallet) => Number(found.availableBalance) >= 4_000
    for (const wallet of await settled(people, { ids: wallets, isSettled: isBack, move: 'the withdrawal', say })) {
      tell(
        wallet.blockchain,
        `withdrawn by the rebalancer: ${wallet.availableBalance} liquid, ${wallet.deployedBalance} deployed`,
      )
    }
    await approveByPolicy(people, sandbox, wallets[0]!, say)
  } finally {
    await agent.stop()
  }
}

/** Requires approval from a threshold on: the deployment of a deposit then waits for a person. */
async function approveByPolicy(
  people: People,
  sandbox: Sandbox,
  opWalletId: number,
  say: (line: string) => void,
): Promise<void> {
  await people.put('/api/core/approval-policy', {
    mode: 'conditional',
    rules: [
      { name: `from ${APPROVAL_THRESHOLD}`, when: { amountAtLeast: APPROVAL_THRESHOLD }, then: 'require_approval' },
    ],
    default: 'approve',
    requiredApprovals: 1,
  })
  say(`policy       from ${APPROVAL_THRESHOLD}.00 on a person must approve`)
  const [wallet] = await readOperationalWallet(people, [opWalletId])
  await sandbox.fund(wallet!.address, wallet!.blockchain, MORE_FUNDS)
  const waiting = await until(say, 'an operation to approve', async () => {
    const { intents } = await people.get<{ intents: Listed[] }>('/api/core/operations/queue')
    return intents.find((found) => found.opWalletId === opWalletId && found.status === 'PENDING_APPROVAL')
  })
  say(`policy       operation ${waiting.id} would deploy ${waiting.amount} and waits`)
  await people.post(`/api/core/operations/${waiting.id}/approve`)
  const done = await until(say, `the end of operation ${waiting.id}`, async () => {
    const operation = await people.get<{ status: string }>(`/api/core/operations/${waiting.id}`)
    return operation.status === 'COMPLETED' ? operation : undefined
  })
  say(`policy       operation ${waiting.id} was approved and is ${done.status}`)
}

async function readOperationalWallet(people: People, ids: readonly number[]): Promise<OperationalWallet[]> {
  const all = await people.get<OperationalWallet[]>('/api/core/wallets/monitored')
  return ids.flatMap((id) => all.find((wallet) => wallet.id === id) ?? [])
}

interface ExpectedWallets {
  readonly ids: readonly number[]
  readonly isSettled: (wallet: OperationalWallet) => boolean
  readonly move: string
  readonly say: (line: string) => void
}

/** Waits until every wallet is in its expected state after `move`; meanwhile prints which ones are not. */
function settled(people: People, { ids, isSettled, move, say }: ExpectedWallets): Promise<OperationalWallet[]> {
  let open: readonly OperationalWallet[] = []
  const what = () => [move, open.map(({ blockchain }) => blockchain).join(', ')].filter(Boolean).join(' on ')
  return until(say, what, async () => {
    const found = await readOperationalWallet(people, ids)
    open = found.filter((wallet) => !isSettled(wallet))
    return open.length === 0 ? found : undefined
  })
}
