// Also tested elsewhere: what limits do to plans (enforce-cap.test.ts, headroom.test.ts), and limits over HTTP
// (surfaces/core/treasury/deposit-limits.test.ts).
import { beforeEach, expect, test } from 'vitest'
import { failingTransact } from '../../../testing/index.ts'
import { useStore } from '../../../testing/operations/use-store.ts'
import type { RebalanceSettings } from '../settings.ts'
import { NO_LIMITS } from './deposit-limits.ts'
import { getDepositLimits } from './get-deposit-limits.ts'
import { readHeldSums } from './held-sums.ts'
import { readLimitHeadrooms } from './read-headroom.ts'
import { type LimitsInForce, setDepositLimits } from './set-deposit-limits.ts'

const store = useStore()
let organizationId: number
beforeEach(async () => {
  organizationId = await store.organization()
})

const settings = (depositLimits: 'conservative' | 'none') => ({ depositLimits }) as RebalanceSettings
const inForce = (depositLimits: 'conservative' | 'none' = 'none', of = organizationId) =>
  getDepositLimits({ db: store.db, rebalancing: settings(depositLimits) }, of)
const headrooms = (defaults: RebalanceSettings) =>
  readLimitHeadrooms(store.db, defaults, {
    organizationId,
    readSums: () => readHeldSums(store.db, organizationId, store.clock.now()),
  })
const limits = (overrides: Partial<typeof NO_LIMITS> = {}) => ({ ...NO_LIMITS, ...overrides })

test('limits are stored, replaced as a whole, and belong to one organization', async () => {
  const other = await store.organization()
  const first = limits({ allowedStrategies: [store.strategy.id], poolShareBps: 100 })
  await setDepositLimits(store.parts, { organizationId, limits: first })
  expect(await inForce()).toEqual({ limits: first, updatedAt: store.clock.now() })
  const caps = [{ kind: 'blockchain', of: 'polygon', shareBps: 0 }] as const
  await setDepositLimits(store.parts, { organizationId, limits: limits({ caps }) })
  expect((await inForce()).limits).toEqual(limits({ caps }))
  expect(await inForce('none', other)).toEqual({ limits: NO_LIMITS, updatedAt: null })
})

test('the defaults of the installation apply until an organization sets limits, even empty ones', async () => {
  expect(await inForce('conservative')).toMatchObject({
    limits: { poolShareBps: 1_000, liquidityShareBps: 2_500, priceFallBps: 100, withdrawableShareBps: 9_000 },
    updatedAt: null,
  })
  const conservative = settings('conservative')
  expect((await headrooms(conservative)).size).toBeGreaterThan(0)
  await setDepositLimits(store.parts, { organizationId, limits: NO_LIMITS })
  expect((await inForce('conservative')).limits).toEqual(NO_LIMITS)
  expect((await headrooms(conservative)).size).toBe(0)
})

test('a change makes every operational wallet of the organization due, in its transaction', async () => {
  const { opWalletId } = await store.operationalWallet(await store.wallet({ organizationId }))
  await store.db.updateTable('operational_wallets').set({ due_at: null }).where('id', '=', opWalletId).execute()
  const dueAt = async () =>
    (
      await store.db
        .selectFrom('operational_wallets')
        .select('due_at')
        .where('id', '=', opWalletId)
        .executeTakeFirstOrThrow()
    ).due_at
  const failing = failingTransact<LimitsInForce>(store.db, 'the response could not be stored')
  const change = { organizationId, limits: limits({ poolShareBps: 1 }) }
  await expect(setDepositLimits(store.parts, change, failing)).rejects.toThrow('could not be stored')
  expect(await dueAt()).toBeNull()
  expect((await inForce()).updatedAt).toBeNull()
  await setDepositLimits(store.parts, change)
  expect(await dueAt()).toEqual(store.clock.now())
})

test('limits that somebody else set meanwhile are not overwritten by those of an older page', async () => {
  const save = (poolShareBps: number, basedOn?: Date | null) =>
    setDepositLimits(store.parts, { organizationId, limits: limits({ poolShareBps }), basedOn })
  // Of two that were made on the defaults, one wins.
  const both = await Promise.allSettled([save(1, null), save(2, null)])
  expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  const { updatedAt } = await inForce()
  store.clock.advance(1_000)
  await save(3, updatedAt)
  const at = store.clock.now()
  for (const old of [null, updatedAt])
    await expect(save(4, old)).rejects.toMatchObject({
      code: 'CONFLICT',
      details: { reason: 'changed_meanwhile', updatedAt: at.toISOString() },
    })
  expect(await inForce()).toEqual({ limits: limits({ poolShareBps: 3 }), updatedAt: at })
  await save(5)
  expect((await inForce()).limits.poolShareBps).toBe(5)
})

test('a loss within 30 days leaves no headroom, and an older peak is forgotten', async () => {
  const { db, strategy } = store
  const at = store.clock.now()
  const day = (ago: number) => new Date(at.getTime() - ago * 86_400_000)
  const save = (ago: number, price: bigint) =>
    db
      .insertInto('strategy_prices')
      .values({ strategy_id: strategy.id, day: day(ago).toISOString().slice(0, 10), price, read_at: day(ago) })
      .execute()
  await setDepositLimits(store.parts, { organizationId, limits: limits({ priceFallBps: 100 }) })
  const headroom = async () => (await headrooms(settings('none'))).get(strategy.id)
  await db.updateTable('strategies').set({ price: 970n, price_at: at }).where('id', '=', strategy.id).execute()
  await save(31, 1_000n)
  expect(await headroom()).toBeUndefined()
  await save(29, 1_000n)
  expect((await headroom())!.because).toContain('share price fell by more than 1%')
})

test.each([
  [{ allowedStrategies: [999_999] }, 'allowedStrategies[0]'],
  [{ caps: [{ kind: 'strategy', of: '999999', shareBps: 1 }] }, 'caps[0].of'],
  [{ caps: [{ kind: 'protocol', of: 'Morfo', shareBps: 1 }] }, 'caps[0].of'],
  [{ caps: [{ kind: 'blockchain', of: 'arbitrum', shareBps: 1 }] }, 'caps[0].of'],
  [
    {
      caps: [
        { kind: 'blockchain', of: 'polygon', shareBps: 1 },
        { kind: 'blockchain', of: 'POLYGON', shareBps: 2 },
      ],
    },
    'caps[1].of',
  ],
] as const)('a name that limits nothing is refused: %j', async (wrong, path) => {
  const change = setDepositLimits(store.parts, { organizationId, limits: limits(wrong) })
  await expect(change).rejects.toMatchObject({ code: 'VALIDATION_ERROR', details: { issues: [{ path }] } })
  expect((await inForce()).updatedAt).toBeNull()
})
