import { expect, test } from 'vitest'
import { refusal, useTreasury } from '../../../../testing/surfaces/use-treasury.ts'
import { refreshRates } from '../../../venues/index.ts'
import { strategyHistoryRoute } from './strategy-history.ts'

const treasury = useTreasury((app, { db }) => strategyHistoryRoute(app, { db }))
const PATH = '/api/core/strategy-history'
const DAY_MS = 86_400_000

test('the strategies of an earlier day are those of its end, with what they had paid by then', async () => {
  const { engine, dev } = treasury
  const readChain = async () => {
    await engine.settle()
    await refreshRates(engine.parts, engine.chain)
  }
  await readChain()
  await dev.increaseTime(86_400)
  await readChain()
  const aave = engine.strategy('aave-v3:polygon:USDC').id
  const { price_at: now } = await engine.db
    .selectFrom('strategies')
    .select('price_at')
    .where('id', '=', aave)
    .executeTakeFirstOrThrow()
  const day = new Date(now!.getTime() - DAY_MS).toISOString().slice(0, 10)
  const { strategies, ...rest } = await treasury.read(`${PATH}?day=${day}`)
  expect(rest).toEqual({ day })
  const found = strategies.find(({ strategyId }: { strategyId: number }) => strategyId === aave)
  expect(found).toMatchObject({ blockchain: 'polygon', token: 'USDC', readAt: now!.toISOString() })
  expect(found.tvl).toMatch(/^\d+\.\d{2,}$/)
  expect(found.yields[0]).toMatchObject({ days: 1, base: expect.stringMatching(/^\d+\.\d\d%$/), reward: null })
  expect(found.yields[2]).toEqual({ days: 30, base: null, reward: null, from: null })
  expect((await treasury.read(`${PATH}?day=1999-12-31`)).strategies).toEqual([])
})

test('what is no day of the calendar is refused', async () => {
  for (const day of ['2026-02-30', '0000-01-01', '2026-1-1', '2026-01-01T00:00:00Z'])
    expect(await treasury.request(`${PATH}?day=${day}`), day).toMatchObject(refusal(400, 'VALIDATION_ERROR'))
})
