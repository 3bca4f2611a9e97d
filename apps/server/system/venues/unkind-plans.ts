import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Balance, Operation, Strategy, WalletDetail } from '../clients/api-types.ts'
import { asOwner } from '../clients/as-owner.ts'
import type { HttpClient } from '../clients/client.ts'
import { expectRefusal } from '../clients/expect-refusal.ts'
import { createSolanaWalletClient } from '../clients/solana-wallet-client.ts'
import { createFundedWalletClient } from '../clients/wallet-client.ts'
import type { System } from '../service/start-system.ts'
import { carryOut } from './carry-out.ts'
import { expectAbout, expectPayable } from './expect-about.ts'
import { carriedMove, decimal, expectMoves, TAKES_ALL, TAKES_PART } from './expect-moves.ts'
import { expectOnChain } from './expect-on-chain.ts'
import { entriesOf, expectPayment, fromOutside, PAYMENT } from './expect-payment.ts'
import { tokensOf } from './read-chain.ts'
import { startSandboxAgent } from './sandbox-agent.ts'
import { units } from './units.ts'

const USDC = 1_000_000n

/**
 * `VENUES=all`, as `npm run test:venues` sets it: in every state the rebalancer moves money, and a withdrawal is carried out
 * if the venue pays any; otherwise in one or two states of each venue, and in each kind of state somewhere.
 */
const ALL = process.env.VENUES === 'all'

/** Always open and liquid. On Solana there is no other strategy of the token. */
const OTHER: Readonly<Record<string, string>> = { polygon: 'Yield Vault USDC' }

/** What Weir plans, refuses and would do by itself while a venue is in a state. */
interface Unkind {
  readonly change: object
  /** Instead of `change`: what its cap leaves, in base units, of which more is then supplied. */
  readonly room?: bigint
  /** `planned`, a code, or the reason of STRATEGY_NOT_ACTIVE. */
  readonly supply: string
  /** What of 100 USDC can be withdrawn, in base units; `all` if not limited. */
  readonly withdrawable: bigint | 'all'
  /** What the rebalancer says about a deposit. */
  readonly verdict: string
  readonly loses?: true
  /** What can be withdrawn grows with the chain's clock, by less than the test asks for. */
  readonly grows?: true
}

const OPEN = { supply: 'planned', verdict: TAKES_ALL } as const
const FULL = { supply: 'full', verdict: 'it accepts no deposits at the moment' } as const
const PART = { supply: 'AMOUNT_OUT_OF_BOUNDS', verdict: TAKES_PART } as const
const STOPPED = { supply: 'paused', verdict: 'its protocol paused it' } as const
const FROZEN = { supply: 'frozen', verdict: 'its protocol froze it' } as const

type Refusal = Pick<Unkind, 'supply' | 'verdict'>
/**
 * A simulation shows what such a vault does not report: of anyone's deposit for the verdict, of the plan for its
 * refusal.
 */
const untold = ({ verdict }: Refusal): Refusal => ({ supply: 'SIMULATION_FAILED', verdict })
const paused = (refusal: Refusal): Unkind => ({ change: { paused: true }, ...refusal, withdrawable: 0n })
const frozen = (refusal: Refusal): Unkind => ({ change: { frozen: true }, ...refusal, withdrawable: 'all' })
const capped = (refusal: Refusal): Unkind => ({ change: { depositCap: '0' }, ...refusal, withdrawable: 'all' })
const nearlyFull = (refusal: Refusal): Unkind => ({ ...capped(refusal), room: 500n * USDC })
const LENT: readonly Unkind[] = [
  { change: { liquidity: 'leave' }, ...OPEN, withdrawable: 0n },
  { change: { liquidity: 'return', amount: '40000000' }, ...OPEN, withdrawable: 40n * USDC },
]
const LOSS: Unkind = { change: { lossBps: 300 }, ...OPEN, withdrawable: 'all', loses: true }
const LIMITED: Unkind = { change: { withdrawable: '20000000' }, ...OPEN, withdrawable: 20n * USDC, grows: true }
const FEE: Unkind = { change: { feeBps: 2_000 }, ...OPEN, withdrawable: 'all' }

/** Its states, and those in which money moves in the short form; in one of these at least, the venue pays. */
type UnkindVenue = readonly [blockchain: string, name: string, states: readonly Unkind[], moves: readonly string[]]

const VENUES: readonly UnkindVenue[] = [
  ['polygon', 'Aave V3 USDC', [paused(STOPPED), frozen(FROZEN), capped(FULL), nearlyFull(PART), ...LENT], ['frozen']],
  ['polygon', 'Lending USDC (Aave)', [paused(STOPPED), capped(FULL), nearlyFull(PART), ...LENT, LOSS, FEE], ['feeBps']],
  [
    'polygon',
    'Lending USDC (markets)',
    [paused(STOPPED), capped(FULL), nearlyFull(PART), ...LENT, LOSS, FEE],
    ['lossBps'],
  ],
  [
    'polygon',
    'V2 USDC',
    [paused(untold(STOPPED)), capped(untold(FULL)), nearlyFull(untold(PART)), ...LENT, LOSS, FEE],
    ['liquidity leave', 'lossBps'],
  ],
  ['polygon', 'Comet USDC', [paused(STOPPED), frozen(STOPPED), ...LENT], ['paused', 'frozen']],
  ['polygon', 'Credit USDC', [paused(FULL), frozen(FULL), capped(FULL), nearlyFull(PART), ...LENT], ['room']],
  ['polygon', 'Fluid USDC', [paused(STOPPED), ...LENT, LIMITED], ['liquidity return', 'withdrawable']],
  ['solana', 'Share Vault USDC', [paused(STOPPED), capped(FULL), nearlyFull(PART), ...LENT, LOSS, FEE], ['depositCap']],
]

/** The kind of a state: what is changed, and how. */
function kindOf({ change, room }: Unkind): string {
  if (room !== undefined) return 'room'
  const [[key, value] = []] = Object.entries(change)
  return key === 'liquidity' ? `liquidity ${value}` : key!
}

const UNDONE: Readonly<Record<string, unknown>> = {
  paused: false,
  frozen: false,
  depositCap: null,
  liquidity: 'return',
  lossBps: 0,
  feeBps: 1_000,
  // As much as its limit leaves when it had its whole time.
  withdrawable: '1000000000000',
}
const undo = ({ change }: Unkind): object => {
  const [key] = Object.keys(change)
  return { [key!]: UNDONE[key!] }
}

interface Preview {
  readonly moves: readonly { readonly amount: string; readonly from: { readonly name: string } }[]
  readonly strategies: readonly { readonly name: string; readonly verdict: string }[]
  readonly sources: readonly { readonly name: string; readonly value: string; readonly withdrawable: string }[]
}

/** An operational wallet on any chain. */
interface Managed {
  readonly walletId: number
  readonly opWalletId: number
  /** USDC in the wallet, as the chain says. */
  held(): Promise<bigint>
}

/** One whose holder plans on v1 and signs. */
interface Own extends Managed {
  sign(transaction: Operation['transactions'][number]): Promise<string>
}

/** For a file that has started a service: every venue with every unkind state that it has. */
export function unkindPlans(started: () => System): void {
  describe('in each unkind state of', () => {
    let system: System
    let core: HttpClient
    const owns = new Map<string, Own>()
    /** Nobody plans for these but the rebalancer, and nobody signs but the custody agent. */
    const managed = new Map<string, Managed>()
    let agent: Awaited<ReturnType<typeof startSandboxAgent>>

    beforeAll(async () => {
      system = started()
      core = await asOwner(system)
      const policy = { mode: 'manual', rules: [], default: 'require_approval', requiredApprovals: 1 }
      expect((await core.request('PUT', '/api/core/approval-policy', { body: policy })).status).toBe(200)
      const polygon = await createFundedWalletClient(system.profile, 'polygon', 1_000n * USDC)
      const solana = await createSolanaWalletClient(system)
      await solana.fund('USDC', 1_000n * USDC)
      const holders = { polygon: { ...polygon, address: polygon.walletAddress }, solana }
      agent = await startSandboxAgent(system, core)
      for (const [blockchain, { sign, ...holder }] of Object.entries(holders)) {
        owns.set(blockchain, { ...(await operational(blockchain, holder)), sign })
        const made = await agent.wallet(blockchain, 1_000n * USDC)
        managed.set(blockchain, await operational(blockchain, made))
        const other = await othersOn(blockchain)
        for (const each of other) await deposit(managed.get(blockchain)!, each)
      }
    })
    afterAll(() => agent?.stop())

    /** Weir moves nothing there by itself; previews ask what it would do. */
    async function operational(blockchain: string, wallet: { walletId: number; address: string }): Promise<Managed> {
      const { walletId, address } = wallet
      const body = { orgWalletId: walletId, token: 'USDC', bufferAmount: '1', enableYield: false }
      const added = await core.post<{ data: { opWalletId: number } }>('/api/core/wallets/add-and-monitor', body)
      expect(added.status, added.text).toBe(201)
      const { tokenAddress } = await system.strategy(blockchain, OTHER[blockchain] ?? 'Share Vault USDC')
      const held = () => tokensOf(system, { blockchain, address }, tokenAddress)
      return { walletId, opWalletId: added.body.data.opWalletId, held }
    }
    const othersOn = async (blockchain: string): Promise<readonly Strategy[]> =>
      OTHER[blockchain] === undefined ? [] : [await system.strategy(blockchain, OTHER[blockchain])]
    /** The agent carries out what the rebalancer plans to have this much in the wallet, and its books equal the chain. */
    async function carry(mover: Managed, buffer: bigint, strategies: readonly Strategy[]): Promise<Operation> {
      const before = await mover.held()
      const settings = { bufferAmount: decimal(buffer), enableYield: buffer < before }
      const moved = await carriedMove({ system, core, mover }, settings)
      const gained = (await mover.held()) - before
      expect(moved.settledAmount).toBe(String(moved.type === 'supply' ? -gained : gained))
      await expectOnChain({ system, core, walletId: mover.walletId }, strategies)
      return moved
    }
    async function deposit(mover: Managed, strategy: Strategy): Promise<void> {
      await allowOnly(strategy)
      const deposited = await carry(mover, (await mover.held()) - 100n * USDC, [strategy])
      const { strategyId } = strategy
      expect(deposited).toMatchObject({ type: 'supply', strategyId, settledAmount: String(100n * USDC) })
    }
    /** A refill while a venue is in a state that pays. */
    async function refill(mover: Managed, strategy: Strategy, other: readonly Strategy[]): Promise<void> {
      const refilled = await carry(mover, (await mover.held()) + PAYMENT, [strategy, ...other])
      expect(refilled.type).toBe('unwind')
      expect([strategy, ...other].map(({ strategyId }) => strategyId)).toContain(refilled.strategyId)
    }
    /** A refill that needs the whole position; interest grows it until then. */
    async function withdrawAll(mover: Managed, strategy: Strategy, other: readonly Strategy[]): Promise<void> {
      const [value] = await expectOnChain({ system, core, walletId: mover.walletId }, [strategy])
      const withdrawn = await carry(mover, (await mover.held()) + value! + 5_000n, [strategy, ...other])
      expect(withdrawn).toMatchObject({ type: 'unwind', strategyId: strategy.strategyId, amount: null })
      expect(await expectOnChain({ system, core, walletId: mover.walletId }, [strategy])).toEqual([0n])
    }
    const plan = (
      kind: 'supply' | 'unwind',
      { walletId }: Managed,
      { strategyId, tokenAddress }: Strategy,
      more: object,
    ) =>
      system.profile.post<Operation>(`/v1/operations/${kind}`, {
        walletId,
        strategyId,
        ...(kind === 'supply' && { tokenAddress }),
        ...more,
      })
    const amount = (whole: bigint) => ({ amount: String(whole * USDC) })
    async function confirm(holder: Own, planned: Awaited<ReturnType<typeof plan>>): Promise<void> {
      expect(planned.status, planned.text).toBe(201)
      await carryOut(system, holder.sign, planned.body)
    }
    async function change({ strategyId }: Strategy, state: object): Promise<void> {
      const { status, text } = await system.profile.post(`/v1/sandbox/strategies/${strategyId}/state`, state)
      expect(status, text).toBe(200)
    }
    async function enter(strategy: Strategy, { change: plain, room }: Unkind): Promise<void> {
      if (room === undefined) return change(strategy, plain)
      const path = `/v1/sandbox/strategies/${strategy.strategyId}/state`
      const { totalAssets } = (await system.profile.get<{ totalAssets: string }>(path)).body
      await change(strategy, { depositCap: String(BigInt(totalAssets) + room) })
    }
    async function preview({ opWalletId }: Managed, bufferAmount: string): Promise<Preview> {
      const path = `/api/core/wallets/monitored/${opWalletId}/rebalance-preview`
      const answer = await core.post<{ data: Preview }>(path, { bufferAmount, enableYield: true })
      expect(answer.status, answer.text).toBe(200)
      return answer.body.data
    }
    const balance = async ({ walletId }: Managed): Promise<Balance> => {
      const { balances } = (await system.profile.get<WalletDetail>(`/v1/wallets/${walletId}`)).body
      return balances.find(({ token }) => token === 'USDC')!
    }

    /** `deposited`: what the holder put into the strategy and did not withdraw. */
    async function expectState(holder: Own, strategy: Strategy, state: Unkind, deposited: bigint): Promise<void> {
      const supply = await plan('supply', holder, strategy, amount(state.room === undefined ? 10n : 600n))
      if (state.supply === 'planned') expect(supply.status, supply.text).toBe(201)
      else if (state.supply === state.supply.toUpperCase()) expectRefusal(supply, 400, state.supply)
      else expect(expectRefusal(supply, 400, 'STRATEGY_NOT_ACTIVE')).toEqual({ reason: state.supply })

      const payable = state.withdrawable
      if (payable !== 0n) expect((await plan('unwind', holder, strategy, amount(15n))).status).toBe(201)
      if (payable !== 'all') {
        const refused = expectRefusal(await plan('unwind', holder, strategy, amount(60n)), 400, 'SIMULATION_FAILED')
        expectPayable(BigInt(refused.withdrawable as string), payable, state)
      }

      const raised = await preview(holder, '2000')
      const source = raised.sources.find(({ name }) => name === strategy.name)!
      const worth = state.loses ? (deposited * 97n) / 100n : deposited
      expectAbout(units(source.value), worth)
      if (payable === 'all') expectAbout(units(source.withdrawable), worth)
      else expectPayable(units(source.withdrawable), payable, state)
      const move = raised.moves.find(({ from }) => from.name === strategy.name)
      if (payable === 0n) expect(move).toBeUndefined()
      else {
        // Shares that a program redeems earn until they land.
        expectAbout(units(move!.amount), units(source.withdrawable))
        expect(units(move!.amount)).toBeLessThanOrEqual(units(source.withdrawable))
      }
      const lowered = await preview(holder, '100')
      expect(lowered.strategies.find(({ name }) => name === strategy.name)?.verdict).toBe(state.verdict)
    }

    const allowOnly = async (...allowed: readonly Strategy[]) => {
      const allowedStrategies = allowed.map(({ strategyId }) => strategyId)
      const body = { allowedStrategies, caps: [], maxPoolShare: null, maxLiquidityShare: null }
      expect((await core.request('PUT', '/api/core/deposit-limits', { body })).status).toBe(200)
    }

    test('every kind of state is one in which money moves, and every venue pays in one, in the short form too', () => {
      const kinds = VENUES.flatMap(([, , states]) => states.map(kindOf))
      expect(new Set(VENUES.flatMap(([, , , moves]) => moves))).toEqual(new Set(kinds))
      for (const [, name, states, moves] of VENUES) {
        expect(states.map(kindOf), name).toEqual(expect.arrayContaining([...moves]))
        const moving = states.filter((state) => moves.includes(kindOf(state)))
        expect(
          moving.some(({ withdrawable }) => withdrawable !== 0n),
          name,
        ).toBe(true)
      }
    })

    test.each(VENUES)(
      '%s, %s is planned what works, refused what does not, and the books equal the chain',
      {
        timeout: ALL ? 300_000 : 120_000,
      },
      async (blockchain, name, states, moves) => {
        const strategy = await system.strategy(blockchain, name)
        const other = await othersOn(blockchain)
        const holder = owns.get(blockchain)!
        const mover = managed.get(blockchain)!
        await confirm(holder, await plan('supply', holder, strategy, amount(100n)))
        await deposit(mover, strategy)
        let deposited = 100n * USDC
        for (const [index, state] of states.entries()) {
          await enter(strategy, state)
          await allowOnly(strategy)
          await expectState(holder, strategy, state, deposited)
          await allowOnly(strategy, ...other)
          if (ALL || moves.includes(kindOf(state))) {
            await expectMoves({ system, core, mover, strategy, other }, state)
            if (state.withdrawable !== 0n) {
              const sign = (planned: Operation) => carryOut(system, holder.sign, planned)
              await expectPayment({ system, core, holder, strategy, carryOut: sign })
              deposited -= PAYMENT
              await refill(mover, strategy, other)
            }
          }
          const isPart = 'liquidity' in state.change && 'liquidity' in (states[index + 1]?.change ?? {})
          if (!isPart) await change(strategy, undo(state))
        }
        await confirm(holder, await plan('unwind', holder, strategy, { fullWithdrawal: true }))
        await withdrawAll(mover, strategy, other)
        const settled = { available: String(await holder.held()), reserved: '0', deployed: '0' }
        expect(await balance(holder)).toMatchObject(settled)
        for (const { walletId } of [holder, mover]) {
          // Only the faucet's gift came from outside.
          expect(await fromOutside(core, walletId), await entriesOf(core, walletId)).toEqual([1, 0])
        }
        const breaks = await core.get<{ data: { open: number } }>('/api/core/breaks')
        expect(breaks.body.data.open).toBe(0)
      },
    )
  })
}
