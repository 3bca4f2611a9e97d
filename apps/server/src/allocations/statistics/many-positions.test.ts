// Also tested elsewhere: what positions can pay together (venues/payable-together.test.ts).
import { type KyselyPlugin, sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { insertPosition } from '../../../testing/operations/insert-position.ts'
import { useStore } from '../../../testing/operations/use-store.ts'
import { USDC } from '../../../testing/units.ts'
import type { Database } from '../../database/index.ts'
import { POSITIONS_OF_A_SUM, toSumUnits } from '../../kernel/index.ts'
import { listAllocations } from '../views/list-allocations.ts'
import { positionTotals } from './position-totals.ts'
import { readExposures } from './read-exposures.ts'
import { yieldStatistics } from './yield-statistics.ts'

const store = useStore()
/** Two pages, and one more. */
const POSITIONS = 2 * POSITIONS_OF_A_SUM + 1
const VALUE = BigInt(POSITIONS) * 100n * USDC
let organizationId: number
let mostRows = 0

const counting: KyselyPlugin = {
  transformQuery: ({ node }) => node,
  async transformResult({ result }) {
    mostRows = Math.max(mostRows, result.rows.length)
    return result
  },
}
const counted = (): Database => {
  mostRows = 0
  return store.db.withPlugin(counting)
}

beforeAll(async () => {
  organizationId = await store.organization()
  const wallet = await store.wallet({ organizationId, usdc: 0n })
  await insertPosition(store, wallet, { value: 100n * USDC, withdrawable: 100n * USDC })
  await sql`
    with copies as (
      insert into wallets (organization_id, wallet_profile_id, blockchain, address, reconciled_block, created_at)
      select organization_id, wallet_profile_id, blockchain, address || n, 0, created_at
      from wallets, generate_series(2, ${POSITIONS}::int) n where organization_id = ${organizationId}
      returning id
    )
    insert into allocations (organization_id, wallet_id, strategy_id, status, shares, principal, posted_value, posted_price,
      posted_at, opened_at, updated_at, withdrawable, withdrawable_at, withdrawable_of)
    select organization_id, copies.id, strategy_id, status, shares, principal, posted_value, posted_price, posted_at,
      opened_at, updated_at, withdrawable, withdrawable_at, withdrawable_of
    from allocations, copies where organization_id = ${organizationId}
  `.execute(store.db)
})

test('the totals of an organization cover every position, and hold a page of them at once', async () => {
  const [totals] = await positionTotals(counted(), { organizationId, walletProfileId: null })
  expect(totals).toMatchObject({ openPositions: POSITIONS, currentValue: VALUE })
  expect(mostRows).toBe(POSITIONS_OF_A_SUM)
})

test('so do its statistics', async () => {
  const { openPositions, all } = await yieldStatistics({ ...store.parts, db: counted() }, organizationId, undefined)
  expect({ openPositions, allocated: all.allocated }).toEqual({
    openPositions: POSITIONS,
    allocated: toSumUnits(VALUE, 6),
  })
  expect(mostRows).toBe(POSITIONS_OF_A_SUM)
})

test('so does what it has in each strategy', async () => {
  const exposures = await counted()
    .transaction()
    .execute((tx) => readExposures(tx, organizationId))
  expect(exposures).toMatchObject([{ value: VALUE, unread: 0n }])
  expect(mostRows).toBe(POSITIONS_OF_A_SUM)
})

test('so does the portfolio beside a page of its allocations', async () => {
  const page = { limit: 1, offset: 0 }
  const { portfolio } = await listAllocations(counted(), organizationId, { statuses: ['ACTIVE'] }, page)
  expect(portfolio).toMatchObject({ value: toSumUnits(VALUE, 6), active: POSITIONS })
  expect(mostRows).toBe(POSITIONS_OF_A_SUM)
})
