import { Writable } from 'node:stream'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { useRebalancer } from '../../../testing/rebalancing/use-rebalancer.ts'
import type { Chain } from '../../chains/index.ts'
import { Failure, silentLog } from '../../kernel/index.ts'
import { createGasMeter } from './measure-gas.ts'
import { MOVE_GAS } from './read-gas-cost.ts'

const rebalancer = useRebalancer()

test('the runway is that of the operational wallet with the least gas, and a refilled wallet is measured again', async () => {
  const lines: Record<string, unknown>[] = []
  const log = pino(new Writable({ write: (line, _, done) => done(void lines.push(JSON.parse(String(line)))) }))
  const { engine } = rebalancer
  const rich = await rebalancer.monitor(await rebalancer.fundedClient(), 0n)
  const poor = await rebalancer.monitor(await rebalancer.fundedClient(), 0n)
  const chain = engine.parts.chains.get('polygon')!
  const { address } = poor.client
  const fee = chain.networkFee([MOVE_GAS], await chain.senderState(address))
  expect(fee).toBeGreaterThan(0n)
  // The balances of a chain whose fees do not move.
  const balances = new Map<string, bigint>([
    [rich.client.address, 1_000n * fee],
    [address, 3n * fee + 1n],
  ])
  let isAway = false
  const senderState = await chain.senderState(address)
  const observed: Chain = {
    ...chain,
    senderState: async () => senderState,
    async balances(asked) {
      if (isAway) throw new Failure('CHAIN_UNAVAILABLE')
      return asked.map(({ owner, token }) => (token === 'native' ? (balances.get(owner) ?? 10n ** 24n) : 0n))
    },
  }
  const meter = createGasMeter({ db: engine.db, chains: new Map([['polygon', observed]]), log })
  expect(meter.lowest()).toEqual([])
  await meter.round()
  await meter.round()
  const lowest = { blockchain: 'polygon', walletId: poor.wallet.walletId, transactions: 3 }
  expect(meter.lowest()).toEqual([lowest])
  expect(lines).toMatchObject([{ ...lowest, msg: 'a wallet has little gas left: fund it with native coins' }])
  isAway = true
  balances.set(address, 500n * fee)
  await meter.round()
  expect(meter.lowest()).toEqual([lowest])
  isAway = false
  await meter.round()
  expect(meter.lowest()).toEqual([{ ...lowest, transactions: 500 }])
  expect(lines[1]).toMatchObject({ walletId: poor.wallet.walletId, msg: 'a wallet has enough gas again' })
})

test('a chain whose gas cannot be measured, for whatever reason, keeps its last value and ends no pass', async () => {
  const { engine } = rebalancer
  await rebalancer.monitor(await rebalancer.fundedClient(), 0n)
  const chain = engine.parts.chains.get('polygon')!
  let isSpoiled = false
  const spoiled: Chain = {
    ...chain,
    balances: (asked) => (isSpoiled ? Promise.reject(new TypeError('spoiled')) : chain.balances(asked)),
  }
  const meter = createGasMeter({ db: engine.db, chains: new Map([['polygon', spoiled]]), log: silentLog })
  await meter.round()
  const before = meter.lowest()
  expect(before).toMatchObject([{ blockchain: 'polygon' }])
  isSpoiled = true
  for (let rounds = 0; rounds < 3; rounds += 1) await meter.round()
  expect(meter.lowest()).toEqual(before)
})
