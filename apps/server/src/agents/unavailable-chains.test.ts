// Also tested in: agents/adverse-conditions.test.ts (work on other chains, and on a chain that is available again).

import { expect, test } from 'vitest'
import { AGENT_CHAIN_COOLDOWN_MS, ManualClock } from '../kernel/index.ts'
import { createUnavailableChains } from './unavailable-chains.ts'

test('a chain is skipped for a while after it was unavailable', () => {
  const clock = new ManualClock()
  const chains = createUnavailableChains(clock)
  chains.markUnavailable('base')
  clock.advance(AGENT_CHAIN_COOLDOWN_MS - 1)
  expect(chains.filterAvailable(['base', 'ethereum'])).toEqual(['ethereum'])
  clock.advance(1)
  expect(chains.filterAvailable(['base', 'ethereum'])).toEqual(['base', 'ethereum'])
})

test('a clock that is set back keeps no chain from agents until it has caught up', () => {
  const clock = new ManualClock()
  const chains = createUnavailableChains(clock)
  chains.markUnavailable('base')
  clock.advance(-3_600_000)
  expect(chains.filterAvailable(['base'])).toEqual(['base'])
})
