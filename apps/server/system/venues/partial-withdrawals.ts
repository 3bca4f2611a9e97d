import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { until } from '../../testing/until.ts'
import { asOwner } from '../clients/as-owner.ts'
import type { HttpClient } from '../clients/client.ts'
import type { System } from '../service/start-system.ts'
import { expectAbout } from './expect-about.ts'
import { expectOnChain } from './expect-on-chain.ts'
import { tokensOf } from './read-chain.ts'
import { startSandboxAgent } from './sandbox-agent.ts'
import { units } from './units.ts'

const USDC = 1_000_000n

interface Position {
  readonly id: number
  readonly awaitedWithdrawal?: { readonly amount: string; readonly fetched: string; readonly rest: string }
  readonly operations: readonly { readonly type: string; readonly status: string; readonly origin: string }[]
}

/** For a file that has started a service: what a person withdraws from a vault that has lent most of it. */
export function partialWithdrawals(started: () => System): void {
  describe('a withdrawal in parts', () => {
    let system: System
    let core: HttpClient
    let agent: Awaited<ReturnType<typeof startSandboxAgent>>

    beforeAll(async () => {
      system = started()
      core = await asOwner(system)
      const policy = { mode: 'automatic', rules: [], default: 'approve', requiredApprovals: 1 }
      await data(core.request('PUT', '/api/core/approval-policy', { body: policy }))
      agent = await startSandboxAgent(system, core)
    })
    afterAll(() => agent?.stop())

    async function data<T>(answer: Promise<{ status: number; text: string; body: { data: T } }>): Promise<T> {
      const { status, text, body } = await answer
      expect([200, 201], text).toContain(status)
      return body.data
    }

    test('pays what the vault has, and the rest once its liquidity returns', { timeout: 120_000 }, async () => {
      const strategy = await system.strategy('polygon', 'Lending USDC (markets)')
      const { strategyId, tokenAddress } = strategy
      const state = `/v1/sandbox/strategies/${strategyId}/state`
      const change = async (body: object) => expect((await system.profile.post(state, body)).status).toBe(200)
      const wallet = await agent.wallet('polygon', 200n * USDC)
      const { walletId } = wallet
      const held = () => tokensOf(system, { blockchain: 'polygon', address: wallet.address }, tokenAddress)
      const watched = { orgWalletId: walletId, token: 'USDC', bufferAmount: '1', enableYield: false }
      const { opWalletId } = await data<{ opWalletId: number }>(core.post('/api/core/wallets/add-and-monitor', watched))
      const deployment = { opWalletId, amount: '100', asset: 'USDC', strategyId }
      await data(core.post('/api/v1/allocations', deployment))
      const list = () =>
        data<{ allocations: readonly Position[] }>(core.get(`/api/v1/allocations?opWalletId=${opWalletId}`))
      const { id } = await until(async () => (await list()).allocations[0])
      const path = `/api/v1/allocations/${id}`
      const read = () => data<Position>(core.get(path))

      await change({ liquidity: 'leave' })
      await change({ liquidity: 'return', amount: String(40n * USDC) })
      const asked = { amount: '90', partial: true }
      const planned = await data<{ amount: { amount: string } }>(core.post(`${path}/withdraw`, asked))
      expect(planned).toMatchObject({ type: 'UNWIND', awaited: { amount: '90.00', fetched: '0.00', rest: '90.00' } })
      expectAbout(units(planned.amount.amount), 40n * USDC)
      const { fetched } = await until(async () => {
        const { awaitedWithdrawal } = await read()
        return awaitedWithdrawal && units(awaitedWithdrawal.fetched) > 0n && awaitedWithdrawal
      })
      expect(units(fetched)).toBe(units(planned.amount.amount))
      expect(await held()).toBe(100n * USDC + units(fetched))

      await change({ liquidity: 'return' })
      const { operations } = await until(async () => {
        const position = await read()
        return position.awaitedWithdrawal === undefined && position
      })
      const unwind = { type: 'UNWIND', status: 'COMPLETED', origin: 'explicit' }
      expect(operations.filter(({ type }) => type === 'UNWIND')).toMatchObject([unwind, unwind])
      expect(await held()).toBe(190n * USDC)
      const [value] = await expectOnChain({ system, core, walletId }, [strategy])
      expectAbout(value!, 10n * USDC)
    })
  })
}
