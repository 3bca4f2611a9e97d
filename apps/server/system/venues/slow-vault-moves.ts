import { beforeAll, describe, expect, test } from 'vitest'
import type { Operation, Strategy } from '../clients/api-types.ts'
import { ANONYMOUS, type HttpClient, withToken } from '../clients/client.ts'
import { onChain } from '../clients/on-chain.ts'
import { createFundedWalletClient, type WalletClient } from '../clients/wallet-client.ts'
import type { System } from '../service/start-system.ts'
import { expectAbout } from './expect-about.ts'
import { decimal, moveFor } from './expect-moves.ts'
import { fromOutside } from './expect-payment.ts'

const USDC = 1_000_000n
const COOLDOWN_SECONDS = 7 * 86_400

interface Preview {
  readonly moves: readonly { readonly amount: string }[]
  readonly notes: readonly string[]
  readonly awaited: string
  readonly sources: readonly { readonly value: string }[]
}
interface Exit {
  readonly status: string
  readonly pending: string
  readonly claimable: string
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
    async function lose({ strategyId }: Strategy): Promise<void> {
      const { status, text } = await system.profile.post(`/v1/sandbox/strategies/${strategyId}/state`, { lossBps: 300 })
      expect(status, text).toBe(200)
    }
    async function claim(holder: WalletClient, { strategyId }: Strategy): Promise<Operation> {
      const body = { walletAddress: holder.walletAddress, strategyId }
      const planned = await system.profile.post<Operation>('/v1/operations/claim', body)
      expect(planned.status, planned.text).toBe(201)
      return holder.carryOut(planned.body)
    }
    const exitsOf = async ({ walletId }: WalletClient) =>
      (await system.profile.get<{ exits: readonly Exit[] }>(`/v1/exits?walletId=${walletId}`)).body.exits
    const claimable = (holder: WalletClient) =>
      expect.poll(() => exitsOf(holder), { timeout: 30_000 }).toMatchObject([{ status: 'claimable' }])

    /** A wallet with 200 of its 1,000 USDC in the vault, for which only the rebalancer plans. */
    async function invest(strategy: Strategy) {
      const holder = await createFundedWalletClient(system.profile, 'polygon', 1_000n * USDC)
      const { balanceOf } = await onChain(system, holder)
      await holder.supply(strategy, 200n * USDC)
      const body = { orgWalletId: holder.walletId, token: 'USDC', bufferAmount: '1', enableYield: false }
      const added = await core.post<{ data: { opWalletId: number } }>('/api/core/wallets/add-and-monitor', body)
      expect(added.status, added.text).toBe(201)
      const { opWalletId } = added.body.data
      const setting = { system, core, mover: { walletId: holder.walletId, opWalletId } }
      return { holder, opWalletId, setting, held: () => balanceOf(strategy.tokenAddress) }
    }
    async function expectBooks(holder: WalletClient, held: bigint): Promise<void> {
      expect(await holder.balance('USDC')).toMatchObject({ available: String(held), reserved: '0' })
      // Only the faucet's gift came from outside.
      expect(await fromOutside(core, holder.walletId)).toEqual([1, 0])
      const breaks = await core.get<{ data: { open: number } }>('/api/core/breaks')
      expect(breaks.body.data.open).toBe(0)
    }

    test.each(['Queued USDC', 'Cooldown USDC'])('%s', { timeout: 120_000 }, async (name) => {
      const strategy = await system.strategy('polygon', name)
      const { strategyId } = strategy
      const { holder, opWalletId, setting, held } = await invest(strategy)

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
      expectAbout(units(waiting.awaited), 60n * USDC)

      await mature(strategy)
      await claimable(holder)
      const claiming = await moveFor(setting, { bufferAmount: decimal(900n * USDC), enableYield: false })
      expect(claiming).toMatchObject({ type: 'unwind', strategyId, exitStep: 'claim' })
      await claim(holder, strategy)
      await allowOnly(null)

      expectAbout(await held(), 860n * USDC)
      await expectBooks(holder, await held())
    })

    /** After the deposits: a strategy that lost is worth none for a while. */
    test.each([
      ['Queued USDC', 'what waits loses too, and the buffer gets the rest by another request'],
      ['Cooldown USDC', 'what was requested is owed, and no other request delays it'],
    ])('%s after losses: %s', { timeout: 120_000 }, async (name) => {
      const isQueue = name.startsWith('Queued')
      const strategy = await system.strategy('polygon', name)
      const { strategyId } = strategy
      const { holder, opWalletId, setting, held } = await invest(strategy)

      await lose(strategy)
      const all = await preview(opWalletId, { bufferAmount: '2000', enableYield: false })
      expectAbout(units(all.sources[0]!.value), 194n * USDC)
      expect(all.moves).toMatchObject([{ type: 'UNWIND', fullWithdrawal: true }])
      expectAbout(units(all.moves[0]!.amount), 194n * USDC)
      const refill = await moveFor(setting, { bufferAmount: '860', enableYield: false })
      expect(refill).toMatchObject({ type: 'unwind', strategyId, exitStep: 'request', amount: String(60n * USDC) })
      const { settledAmount } = await holder.carryOut(await holder.planUnwind(strategy, 60n * USDC))
      const requested = BigInt(settledAmount!)
      expectAbout(requested, 60n * USDC)

      await lose(strategy)
      const owed = isQueue ? (requested * 97n) / 100n : requested
      // The books take over the value of waiting shares once an hour; until then they count what was requested.
      await system.profile.post('/v1/sandbox/advance-time', { seconds: 3_660 })
      const pending = async () => BigInt((await exitsOf(holder))[0]!.pending)
      await expect.poll(pending, { timeout: 30_000 }).toBeLessThanOrEqual(owed + owed / 1_000n)
      const more = { bufferAmount: '880', enableYield: false }
      const waiting = await preview(opWalletId, more)
      expect(waiting.notes).toContain('Money that was requested back is on its way.')
      expect(units(waiting.awaited)).toBe(80n * USDC)
      expect(waiting.moves).toHaveLength(isQueue ? 1 : 0)
      if (isQueue) {
        expectAbout(units(waiting.moves[0]!.amount), 80n * USDC - owed)
        const again = await moveFor(setting, more)
        expect(again).toMatchObject({ type: 'unwind', strategyId, exitStep: 'request' })
        expectAbout(BigInt(again.amount!), 80n * USDC - owed)
      }

      await mature(strategy)
      await claimable(holder)
      const [exit] = await exitsOf(holder)
      expectAbout(BigInt(exit!.claimable), owed)
      await lose(strategy)
      const ready = await preview(opWalletId, { bufferAmount: '870', enableYield: false })
      expect(ready.moves).toMatchObject([{ type: 'UNWIND' }])
      expect(units(ready.moves[0]!.amount)).toBe(BigInt(exit!.claimable))
      const claiming = await moveFor(setting, { bufferAmount: '870', enableYield: false })
      expect(claiming).toMatchObject({ type: 'unwind', strategyId, exitStep: 'claim' })
      const claimed = await claim(holder, strategy)
      expect(claimed.settledAmount).toBe(exit!.claimable)
      expect(await held()).toBe(800n * USDC + BigInt(exit!.claimable))
      await expectBooks(holder, await held())
    })
  })
}

const units = (text: string): bigint => BigInt(Math.round(Number(text) * Number(USDC)))
