import { sql } from 'kysely'
import { expect, inject, test } from 'vitest'
import { tinyBenchEnvironment } from './bench-environment.ts'
import { partitionPastMonths } from './partition-past-months.ts'
import { seedAllocations, seedWallets, seedYield } from './seed.ts'

const DAYS = 365

test('the snapshots of a year are in a partition a month, as the worker of a service would have made them', async () => {
  const database = await tinyBenchEnvironment(inject('postgresUrl')).openDatabase()
  const { organizationId, parts } = database
  await seedWallets(database, organizationId, 1)
  await seedAllocations(database, organizationId, { closed: 0, open: 1 })
  await partitionPastMonths(database, DAYS)
  await seedYield(database, organizationId, DAYS)
  const { rows } = await sql<{ partition: string; months: number; days: number }>`
    select tableoid::regclass::text as partition, count(distinct date_trunc('month', day)) as months, count(*) as days
    from yield_snapshots group by 1 order by 1
  `.execute(parts.db)
  // 365 days touch twelve or thirteen months.
  expect(rows.length).toBeGreaterThanOrEqual(12)
  expect(rows.map(({ months }) => months)).toEqual(rows.map(() => 1))
  expect(rows.map(({ partition }) => partition)).not.toContain('yield_snapshots_default')
  expect(rows.reduce((sum, { days }) => sum + days, 0)).toBe(DAYS)
  await database.close()
})
