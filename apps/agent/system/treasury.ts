import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { HttpClient } from '../../server/system/clients/client.ts'
import { ANONYMOUS, withToken } from '../../server/system/clients/client.ts'
import { type System, startSystem } from '../../server/system/service/start-system.ts'
import { until } from '../../server/testing/until.ts'

/** Random in production. Long enough for keys that open fast: an agent opens one at each start. */
const PASSPHRASE = 'a passphrase for tests, of some length'

interface Enveloped<Data> {
  readonly data: Data
}

export interface OperationalWallet {
  readonly walletId: number
  readonly opWalletId: number
  readonly address: string
  readonly blockchain: string
}

interface Operation {
  readonly id: number
  readonly status: string
  readonly type: string
  readonly blockchainTransactions: readonly { readonly txHash: string; readonly status: string }[]
}

/** An organization's treasury on a running service, used as people use it: over HTTP, with a session. */
export interface TreasuryFixture {
  readonly system: System
  readonly people: HttpClient
  /** Settings of an agent with its own folder, which is removed with the treasury. */
  agent(more?: Readonly<Record<string, string>>): Promise<Readonly<Record<string, string>>>
  /** Requests a key from the agent and waits for the wallet. */
  createWallet(blockchain: string): Promise<{ readonly walletId: number; readonly address: string }>
  /** An operational wallet with tokens and gas and yield disabled: funds move only on request. */
  operationalWallet(
    blockchain: string,
    wallet: { walletId: number; address: string },
    tokens: bigint,
  ): Promise<OperationalWallet>
  /** The available balance of an operational wallet, in whole tokens. */
  available(wallet: OperationalWallet): Promise<number>
  /** Deploys from an operational wallet; returns the operation's id. */
  deploy(wallet: OperationalWallet, amount: string): Promise<number>
  withdraw(allocationId: number, how: { amount: string } | { full: true }): Promise<number>
  allocationOf(wallet: OperationalWallet): Promise<{ readonly id: number; readonly allocatedBase: string } | undefined>
  operation(id: number): Promise<Operation>
  /** The number of transactions that the wallet has sent. */
  sent(wallet: OperationalWallet): Promise<number>
  /** Waits until an operation has finished; returns it. */
  finished(id: number): Promise<Operation>
  stop(): Promise<void>
}

/** `settings`: environment variables of the service. */
export async function startTreasury(settings: Readonly<Record<string, string>> = {}): Promise<TreasuryFixture> {
  const system = await startSystem(settings)
  const { email, password } = system.credentials
  const login = await system
    .as(ANONYMOUS)
    .post<Enveloped<{ accessToken: string }>>('/api/core/auth/login', { email, password })
  const people = system.as(withToken(login.body.data.accessToken))
  const folder = await mkdtemp(join(tmpdir(), 'weir-agent-system-'))
  let agents = 0

  const get = async <Data>(path: string) => (await people.get<Enveloped<Data>>(path)).body.data
  const post = async <Data>(path: string, body: unknown) => {
    const answer = await people.post<Enveloped<Data>>(path, body)
    if (answer.status >= 300) throw new Error(`${path} → ${answer.status} ${answer.text}`)
    return answer.body.data
  }
  const { apiKey } = await post<{ apiKey: string }>('/api/core/apikeys/generate', {
    name: 'Agent',
    permissions: ['agent'],
  })
  const wallets = () => get<{ id: number; address: string; blockchain: string; label: string }[]>('/api/core/wallets')

  const treasury: TreasuryFixture = {
    system,
    people,
    async agent(more = {}) {
      agents += 1
      return {
        WEIR_URL: system.process.url,
        WEIR_API_KEY: apiKey,
        AGENT_DIR: join(folder, `agent-${agents}`),
        KEYSTORE_DIR: join(folder, 'keys'),
        KEYSTORE_PASSPHRASE: PASSPHRASE,
        KEYSTORE_KDF: 'light',
        RESEND_MS: '500',
        ...more,
      }
    },
    async createWallet(blockchain) {
      const label = `${blockchain} ${crypto.randomUUID()}`
      await post('/api/core/custody/actions/create-wallet', { blockchain, label })
      const found = await until(async () => (await wallets()).find((wallet) => wallet.label === label))
      return { walletId: found.id, address: found.address }
    },
    async operationalWallet(blockchain, { walletId, address }, tokens) {
      const faucet = { walletAddress: address, blockchain, token: 'USDC', amount: String(tokens * 1_000_000n) }
      await system.profile.post('/v1/sandbox/faucet', faucet)
      const added = await post<{ id: number }>('/api/core/wallets/add-and-monitor', {
        orgWalletId: walletId,
        enableYield: false,
        bufferAmount: '0',
      })
      const wallet = { walletId, opWalletId: added.id, address, blockchain }
      await until(async () => (await treasury.available(wallet)) >= Number(tokens))
      return wallet
    },
    async available({ opWalletId }) {
      const all = await get<{ id: number; availableBalance: string }[]>('/api/core/wallets/monitored')
      return Number(all.find(({ id }) => id === opWalletId)?.availableBalance)
    },
    async deploy({ opWalletId }, amount) {
      const body = { opWalletId, amount, asset: 'USDC' }
      return (await post<{ operationId: number }>('/api/v1/allocations', body)).operationId
    },
    async withdraw(allocationId, how) {
      return (await post<{ operationId: number }>(`/api/v1/allocations/${allocationId}/withdraw`, how)).operationId
    },
    async allocationOf({ opWalletId }) {
      const list = await get<{
        allocations: { id: number; opWalletId: number; allocatedBase: string; status: string }[]
      }>('/api/v1/allocations?limit=100')
      return list.allocations.find((one) => one.opWalletId === opWalletId && one.status !== 'CLOSED')
    },
    operation: (id) => get<Operation>(`/api/core/operations/${id}`),
    finished: (id) =>
      until(async () => {
        const operation = await treasury.operation(id)
        return ['COMPLETED', 'FAILED', 'ABORTED', 'REJECTED'].includes(operation.status) ? operation : undefined
      }),
    async sent({ address, blockchain }) {
      const isSolana = blockchain === 'solana'
      const method = isSolana ? 'getSignaturesForAddress' : 'eth_getTransactionCount'
      const response = await fetch(`${system.process.url}/sandbox/rpc/${blockchain}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: isSolana ? [address] : [address, 'latest'] }),
      })
      const { result } = (await response.json()) as { result: string | { memo: string | null }[] }
      if (typeof result === 'string') return Number(result)
      // Faucet transactions have no memo.
      return result.filter(({ memo }) => memo !== null).length
    },
    async stop() {
      await rm(folder, { recursive: true, force: true })
      await system.stop()
    },
  }
  return treasury
}
