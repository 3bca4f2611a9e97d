import { beforeAll, describe, expect, test } from 'vitest'
import type { Operation, Strategy } from './api-types.ts'
import { ANONYMOUS, type HttpClient, withToken } from './client.ts'
import { expectAbout } from './expect-about.ts'
import { decimal, moveFor } from './expect-moves.ts'
import { onChain } from './on-chain.ts'
import type { System } from './start-system.ts'
import { createFundedWalletClient, type WalletClient } from './wallet-client.ts'

const USDC = 1_000_000n
const COOLDOWN_SECONDS = 7 * 86_400

interface Preview {
  readonly moves: readonly object[]
  readonly notes: readonly string[]
  readonly awaited: string
}

/** For a file that has started a service: what the rebalancer does with vaults that pay withdrawals later. */
export function slowVaultMoves(started: () => System): void {
  describe('the rebalancer deposits where the allow-list names it, requests, waits and claims, in', () => {
    let system: System
    let core: HttpClient

    beforeAll(async () => {
      system = started()
      const { email, password } = system.credentials
      const login = await system
        .as(ANONYMOUS)
        .post<{ data: { accessToken: string } }>('/api/core/auth/login', { email, password })
      core = system.as(withToken(login.body.data.accessToken))
      // Nobody approves, so each move is looked at and the holder acts instead.
      const policy = { mode: 'manual', rules: [], default: 'require_approval', requiredApprovals: 1 }
      expect((await core.request('PUT', '/api/core/approval-policy', { body: policy })).status).toBe(200)
    })

    const allowOnly = async (allowedStrategies: readonly number[] | null) => {
      const body = { allowedStrategies, caps: [], maxPoolShare: null, maxLiquidityShare: null }
      expect((await core.request('PUT', '/api/core/deposit-limits', { body })).status).toBe(200)
    }
    async function preview(opWalletId: number, settings: object): Promise<Preview> {
      const path = `/api/core/wallets/monitored/${opWalletId}/rebalance-preview`
      const answer = await core.post<{ data: Preview }>(path, settings)
      expect(answer.status, answer.text).toBe(200)
      return answer.body.data
    }
    async function mature(strategy: Strategy): Promise<void> {
      const [path, change] = strategy.name.startsWith('Queued')
        ? [`/v1/sandbox/strategies/${strategy.strategyId}/state`, { pendingExits: 'settle' }]
        : ['/v1/sandbox/advance-time', { seconds: COOLDOWN_SECONDS + 60 }]
      const { status, text } = await system.profile.post(path, change)
      expect(status, text).toBe(200)
    }
    async function claim(holder: WalletClient, { strategyId }: Strategy): Promise<void> {
      const body = { walletAddress: holder.walletAddress, strategyId }
      const planned = await system.profile.post<Operation>('/v1/operations/claim', body)
      expect(planned.status, planned.text).toBe(201)
      await holder.carryOut(planned.body)
    }

    test.each(['Queued USDC', 'Cooldown USDC'])('%s', { timeout: 120_000 }, async (name) => {
      const strategy = await system.strategy('polygon', name)
      const { strategyId } = strategy
      const holder = await createFundedWalletClient(system.profile, 'polygon', 1_000n * USDC)
      const { balanceOf } = await onChain(system, holder)
      await holder.supply(strategy, 200n * USDC)
      const body = { orgWalletId: holder.walletId, token: 'USDC', bufferAmount: '1', enableYield: false }
      const added = await core.post<{ data: { opWalletId: number } }>('/api/core/wallets/add-and-monitor', body)
      expect(added.status, added.text).toBe(201)
      const { opWalletId } = added.body.data
      const setting = { system, core, mover: { walletId: holder.walletId, opWalletId } }

      await allowOnly([strategyId])
      const deposit = await moveFor(setting, { bufferAmount: '700', enableYield: true })
      expect(deposit).toMatchObject({ type: 'supply', strategyId, amount: String(100n * USDC) })

      const short = { bufferAmount: '860', enableYield: false }
      const refill = await moveFor(setting, short)
      expect(refill).toMatchObject({ type: 'unwind', strategyId, exitStep: 'request' })
      expectAbout(BigInt(refill.amount!), 60n * USDC)

      await holder.carryOut(await holder.planUnwind(strategy, 60n * USDC))
      const waiting = await preview(opWalletId, short)
      expect(waiting.moves).toEqual([])
      expect(waiting.notes).toContain('Money that was requested back is on its way.')
      expectAbout(BigInt(Math.round(Number(waiting.awaited) * Number(USDC))), 60n * USDC)

      await mature(strategy)
      const exits = async () =>
        (await system.profile.get<{ exits: { status: string }[] }>(`/v1/exits?walletId=${holder.walletId}`)).body.exits
      await expect.poll(exits, { timeout: 30_000 }).toMatchObject([{ status: 'claimable' }])
      const claiming = await moveFor(setting, { bufferAmount: decimal(900n * USDC), enableYield: false })
      expect(claiming).toMatchObject({ type: 'unwind', strategyId, exitStep: 'claim' })
      await claim(holder, strategy)
      await allowOnly(null)

      const held = await balanceOf(strategy.tokenAddress)
      expectAbout(held, 860n * USDC)
      expect(await holder.balance('USDC')).toMatchObject({ available: String(held), reserved: '0' })
      const breaks = await core.get<{ data: { open: number } }>('/api/core/breaks')
      expect(breaks.body.data.open).toBe(0)
    })
  })
}
