import { expect } from 'vitest'
import { until } from '../../testing/until.ts'
import type { Operation, Strategy, WalletDetail } from '../clients/api-types.ts'
import type { HttpClient } from '../clients/client.ts'
import type { System } from '../service/start-system.ts'
import { expectAbout, expectPayable } from './expect-about.ts'

const USDC = 1_000_000n

/** What the rebalancer says about a strategy that it deposits in. */
export const TAKES_ALL = 'takes all of it'
export const TAKES_PART = 'takes part of it'

interface Mover {
  readonly system: System
  readonly core: HttpClient
  readonly mover: { readonly walletId: number; readonly opWalletId: number }
}

/** A wallet that only the rebalancer plans for, with 100 USDC in the strategy and in the others that it may use. */
interface Setting extends Mover {
  readonly strategy: Strategy
  /** Always open and liquid; none on a chain with one strategy of the token. */
  readonly other: readonly Strategy[]
}

interface VenueState {
  /** What of 100 USDC can be withdrawn, in base units; `all` if not limited. */
  readonly withdrawable: bigint | 'all'
  readonly verdict: string
  readonly grows?: true
}

/** An operation that waits for approval, as v1 shows it. */
type Move = Pick<Operation, 'operationId' | 'type' | 'strategyId' | 'amount'>

/** The rebalancer fills the buffer from where it can be paid, and deposits where it may. */
export async function expectMoves(setting: Setting, state: VenueState): Promise<void> {
  const { system, mover, strategy, other } = setting
  const { withdrawable, verdict } = state
  const { balances } = (await system.profile.get<WalletDetail>(`/v1/wallets/${mover.walletId}`)).body
  const held = BigInt(balances.find(({ token }) => token === 'USDC')!.available)

  const missing = withdrawable === 'all' || other.length > 0 ? 60n * USDC : withdrawable
  if (missing > 0n) {
    const refill = await moveFor(setting, { bufferAmount: decimal(held + missing), enableYield: false })
    expect(refill.type).toBe('unwind')
    const isPart = refill.strategyId === strategy.strategyId && withdrawable !== 'all' && withdrawable < missing
    if (isPart) expectPayable(BigInt(refill.amount!), withdrawable, state)
    else expectAbout(BigInt(refill.amount!), missing)
  }
  const isOpen = verdict === TAKES_ALL || verdict === TAKES_PART
  if (isOpen || other.length > 0) {
    const surplus = 200n * USDC
    const deposit = await moveFor(setting, { bufferAmount: decimal(held - surplus), enableYield: true })
    expect(deposit.type).toBe('supply')
    expectAbout(BigInt(deposit.amount!), surplus)
    if (!isOpen) expect(deposit.strategyId).toBe(other[0]!.strategyId)
  }
  await settle(setting, { bufferAmount: '1', enableYield: false })
}

/** Sets what the rebalancer may do, and returns the first move that it plans. Nobody approves it, so no other follows. */
export const moveFor = (setting: Mover, settings: object): Promise<Move> => decideMove(setting, settings, 'reject')

/** As `moveFor`, but the move is approved: the custody agent carries it out. Returns it once it has settled. */
export async function carriedMove(setting: Mover, settings: object): Promise<Operation> {
  const { operationId } = await decideMove(setting, settings, 'approve')
  const carried = await until(async () => {
    const { body } = await setting.system.profile.get<Operation>(`/v1/operations/${operationId}`)
    if (body.status === 'CONFIRMED') return body
    throw new Error(`operation ${operationId} is ${body.status}: ${JSON.stringify(body)}`)
  }, 60_000)
  await settle(setting, { bufferAmount: '1', enableYield: false })
  return carried
}

async function decideMove(setting: Mover, settings: object, decision: 'approve' | 'reject'): Promise<Move> {
  const { system, core, mover } = setting
  await settle(setting, settings)
  const queue = `/api/core/operations/queue?opWalletId=${mover.opWalletId}`
  const ids = async () =>
    (await core.get<{ data: { intents: { id: number }[] } }>(queue)).body.data.intents.map(({ id }) => id)
  for (;;) {
    // Read once: what the look before found may have given way to another.
    const [id] = await until(async () => {
      const found = await ids()
      return found.length === 1 && found
    }, 30_000)
    const { body } = await system.profile.get<Move>(`/v1/operations/${id}`)
    const decided = await core.post<{ code?: string }>(`/api/core/operations/${id}/${decision}`, {})
    if (decided.status === 200) return body
    // One that was planned before the settings changed gives way to another.
    expect(decided.body.code, decided.text).toBe('INVALID_OPERATION_STATUS')
  }
}

async function settle({ core, mover }: Mover, body: object): Promise<void> {
  const changed = await core.request('PUT', `/api/core/wallets/monitored/${mover.opWalletId}/buffer-settings`, { body })
  expect(changed.status, changed.text).toBe(200)
}

export const decimal = (amount: bigint): string => `${amount / USDC}.${String(amount % USDC).padStart(6, '0')}`
