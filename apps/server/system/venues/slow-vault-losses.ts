import { beforeAll, describe, expect, test } from 'vitest'
import { until } from '../../testing/until.ts'
import type { Operation, Strategy } from '../clients/api-types.ts'
import { asOwner } from '../clients/as-owner.ts'
import type { HttpClient } from '../clients/client.ts'
import { expectRefusal } from '../clients/expect-refusal.ts'
import { onChain } from '../clients/on-chain.ts'
import { createFundedWalletClient, type WalletClient } from '../clients/wallet-client.ts'
import type { System } from '../service/start-system.ts'
import { units } from './units.ts'

const USDC = 1_000_000n
const COOLDOWN_SECONDS = 7 * 86_400

interface Exit {
  readonly status: string
  readonly pending: string
  readonly claimable: string
  readonly claimed: string
}
interface EventPage {
  readonly events: readonly { readonly event: string; readonly data: Readonly<Record<string, unknown>> }[]
  readonly cursor: number | null
  readonly hasMore: boolean
}

/** For a file that has started a service: vaults that pay withdrawals later, and lose money at each stage of one. */
export function slowVaultLosses(started: () => System): void {
  describe('a loss before the request, while it waits, and before the claim, in', () => {
    let system: System
    let core: HttpClient
    let holder: WalletClient
    let strategy: Strategy
    let heldOnChain: () => Promise<bigint>
    let cursor: number | null = null

    beforeAll(async () => {
      system = started()
      core = await asOwner(system)
    })

    /** A wallet with 200 of its 1,000 USDC in the vault. */
    async function invest(name: string): Promise<void> {
      strategy = await system.strategy('polygon', name)
      holder = await createFundedWalletClient(system.profile, 'polygon', 1_000n * USDC)
      const { balanceOf } = await onChain(system, holder)
      heldOnChain = () => balanceOf(strategy.tokenAddress)
      await holder.supply(strategy, 200n * USDC)
    }
    async function change(state: object): Promise<void> {
      const path = `/v1/sandbox/strategies/${strategy.strategyId}/state`
      const { status, text } = await system.profile.post(path, state)
      expect(status, text).toBe(200)
    }
    const lose = () => change({ lossBps: 300 })
    const exit = async (): Promise<Exit> => {
      const { body } = await system.profile.get<{ exits: readonly Exit[] }>(`/v1/exits?walletId=${holder.walletId}`)
      expect(body.exits).toHaveLength(1)
      return body.exits[0]!
    }
    const matured = () => expect.poll(async () => (await exit()).status).toBe('claimable')
    const balance = async () => (await holder.balance('USDC')) as unknown as Record<string, string>
    const claim = () =>
      system.profile.post<Operation & { readonly settledAmount: string }>('/v1/operations/claim', {
        walletAddress: holder.walletAddress,
        strategyId: strategy.strategyId,
      })
    /** Losses of the wallet that events reported since the last call, in base units. */
    async function lossesUntil(last: string): Promise<bigint[]> {
      const found: EventPage['events'][number][] = []
      await until(async () => {
        for (let hasMore = true; hasMore; ) {
          const query = `limit=100${cursor === null ? '' : `&after=${cursor}`}`
          const { body } = await system.profile.get<EventPage>(`/v1/events?${query}`)
          found.push(...body.events.filter(({ data }) => data.walletId === holder.walletId))
          ;({ hasMore } = body)
          cursor = body.cursor ?? cursor
        }
        return found.some(({ event }) => event === last)
      })
      return found
        .filter(({ event }) => event === 'allocation.loss_booked')
        .map(({ data }) => units(data.amount as string))
    }

    /** Requests all after a loss: the deposit goes on being accepted, and the request is of what is left. */
    async function requestAfterLoss(): Promise<bigint> {
      await lose()
      await holder.planSupply(strategy, USDC)
      const requested = await holder.carryOut(await holder.planUnwind(strategy, 'full'))
      const { settledAmount } = requested as unknown as { settledAmount: string }
      expect(requested).toMatchObject({ status: 'CONFIRMED', exitStep: 'request' })
      expectAbout(BigInt(settledAmount), 194n * USDC)
      const [loss, ...others] = await lossesUntil('exit.pending')
      expectAbout(loss!, 6n * USDC)
      expect(others).toEqual([])
      expect(await exit()).toMatchObject({ status: 'pending', pending: settledAmount, claimable: '0' })
      expect(await balance()).toMatchObject({ deployed: '0', exiting: settledAmount })
      const early = expectRefusal(await claim(), 404, 'ALLOCATION_NOT_FOUND')
      expect(early).toMatchObject({ reason: 'nothing_claimable' })
      return BigInt(settledAmount)
    }

    /** Claims after another loss, which no longer changes anything, and compares the books with the chain. */
    async function claimAfterLoss(claimable: bigint): Promise<void> {
      await lose()
      const planned = await claim()
      expect(planned.status, planned.text).toBe(201)
      const claimed = await holder.carryOut(planned.body)
      expect(claimed).toMatchObject({ exitStep: 'claim', settledAmount: claimable.toString() })
      expect(await exit()).toMatchObject({ status: 'claimed', claimable: '0', claimed: claimable.toString() })
      expect(await lossesUntil('exit.claimed')).toEqual([])
      expect(await heldOnChain()).toBe(800n * USDC + claimable)
      const { exiting = '0', ...books } = await balance()
      expect({ ...books, exiting }).toMatchObject({
        available: (800n * USDC + claimable).toString(),
        reserved: '0',
        deployed: '0',
        exiting: '0',
      })
      const breaks = await core.get<{ data: { open: number } }>('/api/core/breaks')
      expect(breaks.body.data.open).toBe(0)
    }

    test('a queue: what waits loses with the vault, what is claimable does not', { timeout: 120_000 }, async () => {
      await invest('Queued USDC')
      const requested = await requestAfterLoss()
      await lose()
      await change({ pendingExits: 'settle' })
      await matured()
      const claimable = BigInt((await exit()).claimable)
      expectAbout(claimable, (requested * 97n) / 100n)
      const losses = await lossesUntil('exit.claimable')
      expectAbout(
        losses.reduce((sum, loss) => sum + loss, 0n),
        requested - claimable,
      )
      await claimAfterLoss(claimable)
    })

    test('a cooldown: what was requested is owed, whatever the vault loses', { timeout: 120_000 }, async () => {
      await invest('Cooldown USDC')
      const requested = await requestAfterLoss()
      await lose()
      await system.profile.post('/v1/sandbox/advance-time', { seconds: COOLDOWN_SECONDS + 60 })
      await matured()
      expect(await exit()).toMatchObject({ pending: '0', claimable: requested.toString() })
      expect(await lossesUntil('exit.claimable')).toEqual([])
      await claimAfterLoss(requested)
    })
  })
}

/** Within a hundredth: the vaults earn interest all the time. */
function expectAbout(found: bigint, expected: bigint): void {
  expect(found).toBeGreaterThan(expected - expected / 100n)
  expect(found).toBeLessThan(expected + expected / 100n)
}
