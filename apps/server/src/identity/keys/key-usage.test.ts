import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { identityFixture, organization } from '../../../testing/identity/identity-fixture.ts'
import { countStatements } from '../../../testing/index.ts'
import { useFixture } from '../../../testing/use-fixture.ts'
import { KeyUsage } from '../shared/key-usage.ts'
import { generateKey } from './generate-key.ts'

const parts = useFixture(identityFixture)

async function keys(count: number) {
  const { owner } = await organization(parts)
  const { organizationId } = owner
  const ids: number[] = []
  for (let i = 0; i < count; i += 1) ids.push((await generateKey(parts, { organizationId, name: `Key ${i}` })).id)
  return { organizationId, ids }
}

async function lastUses(organizationId: number) {
  const { rows } = await sql<{ last_used_at: Date | null }>`
    select last_used_at from api_keys where organization_id = ${organizationId} order by id
  `.execute(parts.db)
  return rows.map((row) => row.last_used_at?.getTime())
}

test('a thousand uses of three keys are one statement', async () => {
  const { organizationId, ids } = await keys(3)
  const usage = new KeyUsage(parts)
  for (let i = 0; i < 1_000; i += 1) usage.record({ organizationId, keyId: ids[i % 3]! })
  const { statements } = await countStatements(() => usage.flush())
  expect(statements).toBe(1)
  const now = parts.clock.now().getTime()
  expect(await lastUses(organizationId)).toEqual([now, now, now])
  expect((await countStatements(() => usage.flush())).statements).toBe(0)
})

test('processes that write the same keys in any order neither deadlock nor move times back', async () => {
  const { organizationId, ids } = await keys(20)
  const early = Array.from({ length: 4 }, () => new KeyUsage(parts))
  for (const [i, usage] of early.entries()) {
    for (const id of i % 2 ? ids : ids.toReversed()) usage.record({ organizationId, keyId: id })
  }
  const before = parts.clock.now().getTime()
  parts.clock.advance(5_000)
  const late = new KeyUsage(parts)
  for (const id of ids) late.record({ organizationId, keyId: id })
  await late.flush()
  await Promise.all(early.map((usage) => usage.flush()))
  expect(new Set(await lastUses(organizationId))).toEqual(new Set([before + 5_000]))
})

test('recorded uses are written automatically after about a second', async () => {
  const { organizationId, ids } = await keys(1)
  new KeyUsage(parts).record({ organizationId, keyId: ids[0]! })
  await expect.poll(() => lastUses(organizationId), { timeout: 60_000 }).toEqual([parts.clock.now().getTime()])
})

test('uses that could not be written are kept for the next write', async () => {
  const { organizationId, ids } = await keys(1)
  const usage = new KeyUsage(parts)
  usage.record({ organizationId, keyId: ids[0]! })
  await sql`alter table api_keys rename to api_keys_away`.execute(parts.db)
  await expect(usage.flush()).rejects.toThrow()
  await sql`alter table api_keys_away rename to api_keys`.execute(parts.db)
  await usage.flush()
  expect(await lastUses(organizationId)).toEqual([parts.clock.now().getTime()])
})

test('a poll is kept as the sign of life of an agent, and other uses of the key are not', async () => {
  const { organizationId, ids } = await keys(2)
  const usage = new KeyUsage(parts)
  const [agent = 0, other = 0] = ids
  for (const keyId of ids) usage.record({ organizationId, keyId, address: '192.0.2.1' })
  usage.record({ organizationId, keyId: agent, polls: true })
  await usage.flush()
  const polledAt = parts.clock.now()
  parts.clock.advance(60_000)
  usage.record({ organizationId, keyId: agent })
  await usage.flush()
  const { rows } = await sql<{ id: number; last_polled_at: Date | null; last_used_address: string | null }>`
    select id, last_polled_at, last_used_address from api_keys where organization_id = ${organizationId} order by id
  `.execute(parts.db)
  expect(rows).toMatchObject([
    { id: agent, last_polled_at: polledAt },
    { id: other, last_polled_at: null, last_used_address: '192.0.2.1' },
  ])
})
