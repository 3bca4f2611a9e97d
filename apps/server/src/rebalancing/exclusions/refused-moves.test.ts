// Also tested elsewhere: what refuses, and what is planned instead (unkind-venues.test.ts).
import { expect, test } from 'vitest'
import { useRebalancer } from '../../../testing/rebalancing/use-rebalancer.ts'
import { Failure } from '../../kernel/index.ts'
import type { PlannedMove } from '../planner/plan-claims.ts'
import { readWalletStates } from '../state/read-wallet-states.ts'
import { excludedStrategiesOf } from './excluded-strategies.ts'
import { deleteRefusal, isRefusal, recordRefusal, refusalOf } from './refused-moves.ts'

const rebalancer = useRebalancer()

test('a strategy that refuses is left out for longer each time, for one wallet and kind of move, until it accepts', async () => {
  const { engine } = rebalancer
  const { wallet } = await rebalancer.monitor(await engine.client(), 0n)
  const { id: strategyId } = engine.strategy('aave-v3:polygon:USDC')
  const move: PlannedMove = {
    type: 'UNWIND',
    strategyId,
    strategyName: 'Aave',
    amount: 100n,
    worth: 100n,
    purpose: 'refill',
    why: '',
  }
  const read = async () => {
    const [state] = await readWalletStates(engine.db, [wallet], { now: engine.clock.now(), withdrawHoldMs: 0 })
    return { state: state!, excluded: excludedStrategiesOf(state!, engine.clock.now()) }
  }
  for (const seconds of [30, 60, 120]) {
    const { state } = await read()
    const failure = new Failure('SIMULATION_FAILED')
    await recordRefusal(engine.db, wallet, refusalOf(state.refused, move, failure, engine.clock.now()))
    const { excluded } = await read()
    expect(excluded.reasonFor('UNWIND', strategyId)).toContain('SIMULATION_FAILED')
    expect(excluded.reasonFor('SUPPLY', strategyId)).toBeNull()
    expect(excluded.askAtMost(strategyId)).toBe(50n)
    expect(excluded.nextRetry('UNWIND')!.getTime() - engine.clock.now().getTime()).toBe(seconds * 1_000)
    engine.clock.advance(seconds * 1_000)
    expect((await read()).excluded.reasonFor('UNWIND', strategyId)).toBeNull()
  }
  engine.clock.advance(24 * 3_600_000)
  expect((await read()).excluded.askAtMost(strategyId), 'a day later').toBeUndefined()
  await deleteRefusal(engine.db, wallet, move)
  expect((await read()).state.refused).toEqual([])
})

test('only what a strategy or its contracts refuse counts, not what the wallet or the chain lacks', () => {
  const move = (type: PlannedMove['type']) => ({ type }) as PlannedMove
  expect(isRefusal(new Failure('STRATEGY_NOT_ACTIVE'), move('SUPPLY'))).toBe(true)
  expect(isRefusal(new Failure('INSUFFICIENT_GAS'), move('SUPPLY'))).toBe(false)
  expect(isRefusal(new Failure('CHAIN_UNAVAILABLE'), move('UNWIND'))).toBe(false)
  expect(isRefusal(new Failure('INSUFFICIENT_BALANCE'), move('SUPPLY'))).toBe(false)
  expect(isRefusal(new Failure('INSUFFICIENT_BALANCE'), move('UNWIND'))).toBe(true)
})
