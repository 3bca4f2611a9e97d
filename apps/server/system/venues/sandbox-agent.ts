import { expect } from 'vitest'
import { until } from '../../testing/until.ts'
import type { HttpClient } from '../clients/client.ts'
import type { System } from '../service/start-system.ts'

interface CustodyWallet {
  readonly id: number
  readonly address: string
  readonly label: string
}

/** Starts the real custody agent beside the service: it makes wallets, and signs what was approved for them. */
export async function startSandboxAgent(system: System, core: HttpClient) {
  const started = await core.post<{ data: { id: number } }>('/api/core/sandbox/agents', {})
  expect(started.status, started.text).toBe(201)
  return {
    /** A wallet whose key only the agent has, with gas and this many base units of USDC. */
    async wallet(blockchain: string, amount: bigint): Promise<{ walletId: number; address: string }> {
      const label = `${blockchain} ${crypto.randomUUID()}`
      const asked = await core.post('/api/core/custody/actions/create-wallet', { blockchain, label })
      expect(asked.status, asked.text).toBe(201)
      const { id: walletId, address } = await until(async () => {
        const { data } = (await core.get<{ data: readonly CustodyWallet[] }>('/api/core/wallets')).body
        return data.find((wallet) => wallet.label === label)
      }, 30_000)
      const gift = { walletAddress: address, blockchain, token: 'USDC', amount: String(amount) }
      const given = await system.profile.post('/v1/sandbox/faucet', gift)
      expect(given.status, given.text).toBe(200)
      return { walletId, address }
    },
    async stop(): Promise<void> {
      const stopped = await core.request('DELETE', `/api/core/sandbox/agents/${started.body.data.id}`)
      expect(stopped.status, stopped.text).toBe(200)
    },
  }
}
