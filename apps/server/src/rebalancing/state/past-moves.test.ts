// What follows from past moves is tested in exclusions/paused-until.test.ts, rejected-moves.test.ts, move-parts.test.ts
// and move-total.test.ts.
import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { useStore } from '../../../testing/operations/use-store.ts'
import type { MovePurpose, OperationState } from '../../database/index.ts'
import { PAST_MOVES_MAX, PAST_MOVES_OF_STRATEGY_MAX } from '../../kernel/index.ts'
import type { OperationalWallet } from '../../wallets/index.ts'
import { rejectedUntil } from '../exclusions/rejections.ts'
import { readWalletStates, type WalletState } from './read-wallet-states.ts'

const HOUR = 3_600_000
const FINGERPRINT = '1 active'

const store = useStore()
let opWallet: OperationalWallet
let template: number
beforeEach(async () => {
  opWallet = await store.operationalWallet(await store.wallet())
  const { operationId } = await store.move(opWallet, { origin: 'rebalancer' })
  template = operationId
  store.clock.advance(1_000)
})

/** Withdrawals of the rebalancer that were planned and ended just now. */
async function ended(purpose: MovePurpose, state: OperationState, times = 1): Promise<void> {
  const at = store.clock.now().toISOString()
  await sql`
    insert into operations
    select (jsonb_populate_record(o, jsonb_build_object('id', nextval('operations_id_seq'), 'type', 'UNWIND',
      'purpose', ${purpose}::text, 'state', ${state}::text, 'created_at', ${at}::text, 'completed_at', ${at}::text,
      'catalogue_fingerprint', ${FINGERPRINT}::text, 'move_total', 600, 'move_remaining', 200))).*
    from operations o, generate_series(1, ${times}::int) where o.id = ${template}
  `.execute(store.db)
}

async function read(): Promise<WalletState> {
  const [state] = await readWalletStates(store.db, [opWallet], { now: store.clock.now(), withdrawHoldMs: 0 })
  return state!
}
const isRejected = (state: WalletState, purpose: MovePurpose) =>
  rejectedUntil(
    state,
    { purpose, strategyId: store.strategy.id },
    { catalogueFingerprint: FINGERPRINT, now: store.clock.now() },
  ) !== undefined

test('a rejection counts for a day, however many moves of its strategy ended since', async () => {
  await ended('evacuation', 'REJECTED')
  for (const refills of [PAST_MOVES_OF_STRATEGY_MAX, PAST_MOVES_MAX]) {
    store.clock.advance(HOUR)
    await ended('refill', 'COMPLETED', refills)
    expect(isRejected(await read(), 'evacuation'), `after ${refills} more`).toBe(true)
  }
  store.clock.advance(22 * HOUR)
  expect(isRejected(await read(), 'evacuation')).toBe(false)
})

test('the newest rejection of a purpose counts, in its place among the others', async () => {
  await ended('evacuation', 'REJECTED')
  store.clock.advance(23 * HOUR)
  await ended('evacuation', 'REJECTED')
  await ended('refill', 'COMPLETED', PAST_MOVES_MAX)
  store.clock.advance(2 * HOUR)
  const state = await read()
  expect(isRejected(state, 'evacuation')).toBe(true)
  expect(state.pastMoves.map((move) => move.purpose).at(-1)).toBe('evacuation')
  expect(isRejected(state, 'refill')).toBe(false)
})

test('only so many moves of a strategy are read, and the last one that was carried out, whatever failed since', async () => {
  await ended('refill', 'COMPLETED')
  await ended('refill', 'FAILED', PAST_MOVES_OF_STRATEGY_MAX + 4)
  const states = (await read()).pastMoves.map(({ state }) => state)
  expect(states).toEqual([...Array.from({ length: PAST_MOVES_OF_STRATEGY_MAX }, () => 'FAILED'), 'COMPLETED'])
})
