import { type Hex, parseAbi } from 'viem'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { Operation, Strategy } from '../clients/api-types.ts'
import { asOwner } from '../clients/as-owner.ts'
import type { HttpClient } from '../clients/client.ts'
import { expectRefusal } from '../clients/expect-refusal.ts'
import { onChain } from '../clients/on-chain.ts'
import { createFundedWalletClient, type WalletClient } from '../clients/wallet-client.ts'
import type { System } from '../service/start-system.ts'
import { expectAbout } from './expect-about.ts'
import { decimal, moveFor } from './expect-moves.ts'
import { expectOnChain } from './expect-on-chain.ts'
import { fromOutside } from './expect-payment.ts'
import { units } from './units.ts'

const USDC = 1_000_000n
const COOLDOWN_SECONDS = 7 * 86_400
const COOLDOWNS = parseAbi(['function cooldowns(address owner) view returns (uint256 end, uint256 assets)'])

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
  readonly claimableAt: string | null
}

/** For a file that has started a service: what the rebalancer does with vaults that pay withdrawals later. */
export function slowVaultMoves(started: () => System): void {
  describe('the rebalancer deposits where the allow-list names it, requests, waits and claims, in', () => {
    let system: System
    let core: HttpClient

    beforeAll(async () => {
      system = started()
      core = await asOwner(system)
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
    async function change({ strategyId }: Strategy, state: object): Promise<void> {
      const { status, text } = await system.profile.post(`/v1/sandbox/strategies/${strategyId}/state`, state)
      expect(status, text).toBe(200)
    }
    async function advance(seconds: number): Promise<void> {
      const { status, text } = await system.profile.post('/v1/sandbox/advance-time', { seconds })
      expect(status, text).toBe(200)
    }
    const mature = (strategy: Strategy) =>
      strategy.name.startsWith('Queued') ? change(strategy, { pendingExits: 'settle' }) : advance(COOLDOWN_SECONDS + 60)
    const lose = (strategy: Strategy) => change(strategy, { lossBps: 300 })
    const planClaim = ({ walletAddress }: WalletClient, { strategyId }: Strategy) =>
      system.profile.post<Operation>('/v1/operations/claim', { walletAddress, strategyId })
    async function claim(holder: WalletClient, strategy: Strategy): Promise<Operation> {
      const planned = await planClaim(holder, strategy)
      expect(planned.status, planned.text).toBe(201)
      return holder.carryOut(planned.body)
    }
    const exitsOf = async ({ walletId }: WalletClient) =>
      (await system.profile.get<{ exits: readonly Exit[] }>(`/v1/exits?walletId=${walletId}`)).body.exits
    const reaches = (holder: WalletClient, status: string) =>
      expect.poll(() => exitsOf(holder), { timeout: 30_000 }).toMatchObject([{ status }])
    const claimable = (holder: WalletClient) => reaches(holder, 'claimable')

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

    test('Cooldown USDC, whose cooldown changes while a request waits', { timeout: 120_000 }, async () => {
      const strategy = await system.strategy('polygon', 'Cooldown USDC')
      const { strategyId } = strategy
      const { holder, opWalletId, setting, held } = await invest(strategy)
      const { reader } = await onChain(system, holder)
      const risk = await core.get<{ data: { contracts: { vault: Hex } } }>(`/api/core/strategy-risks/${strategyId}`)
      const onVault = { address: risk.body.data.contracts.vault, abi: COOLDOWNS, functionName: 'cooldowns' } as const
      const short = { bufferAmount: '860', enableYield: false }
      onTestFinished(() => change(strategy, { cooldownSeconds: COOLDOWN_SECONDS }))

      await change(strategy, { cooldownSeconds: 3_600 })
      const { settledAmount } = await holder.carryOut(await holder.planUnwind(strategy, 60n * USDC))
      const [end, assets] = await reader.readContract({ ...onVault, args: [holder.account.address] })
      const waiting = { status: 'pending', claimable: '0', claimableAt: new Date(Number(end) * 1_000).toISOString() }
      expect(settledAmount).toBe(String(assets))
      async function expectWaiting(): Promise<void> {
        await reaches(holder, 'pending')
        expect(await exitsOf(holder)).toMatchObject([{ ...waiting, pending: String(assets) }])
        const refusal = expectRefusal(await planClaim(holder, strategy), 404, 'ALLOCATION_NOT_FOUND')
        expect(refusal).toEqual({ reason: 'nothing_claimable' })
        const { moves, notes } = await preview(opWalletId, short)
        expect(moves).toEqual([])
        expect(notes).toContain('Money that was requested back is on its way.')
      }
      await expectWaiting()
      await advance(3_000)
      await expectWaiting()

      // None ends every wait, another one does not move the end of a request.
      await change(strategy, { cooldownSeconds: 0 })
      await claimable(holder)
      await change(strategy, { cooldownSeconds: COOLDOWN_SECONDS })
      await expectWaiting()
      await advance(700)
      await claimable(holder)
      const claiming = await moveFor(setting, short)
      expect(claiming).toMatchObject({ type: 'unwind', strategyId, exitStep: 'claim' })
      expect(await claim(holder, strategy)).toMatchObject({ settledAmount: String(assets) })
      expect(await reader.readContract({ ...onVault, args: [holder.account.address] })).toEqual([0n, 0n])
      expect(await held()).toBe(800n * USDC + assets)

      // Without a cooldown it pays at once.
      await change(strategy, { cooldownSeconds: 0 })
      const refill = await moveFor(setting, { bufferAmount: '890', enableYield: false })
      expect(refill).toMatchObject({ type: 'unwind', strategyId })
      expect(refill).not.toHaveProperty('exitStep')
      await holder.carryOut(await holder.planUnwind(strategy, 30n * USDC))
      expect(await held()).toBe(830n * USDC + assets)
      await expectBooks(holder, await held())
      await expectOnChain({ system, core, walletId: holder.walletId }, [strategy])
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
      await advance(3_660)
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
