import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import type { Schema } from '../../api/types.ts'
import { hashOfEntry, prove } from './audit-proof.ts'

type Entry = Schema<'AuditEntry'>

/** As docs/audit-log.md shows it. */
const documented = (organizationId: number, e: Entry) =>
  createHash('sha256')
    .update(
      JSON.stringify([
        'weir-audit-1',
        organizationId,
        e.id,
        e.at,
        e.actor.type,
        e.actor.id,
        e.action,
        e.object.type,
        e.object.id,
        e.from,
        e.details && JSON.stringify(e.details),
        e.previousHash,
      ]),
    )
    .digest('hex')

/** A log of this many entries, newest first. */
function logOf(count: number): Entry[] {
  const entries: Entry[] = []
  for (let id = 1; id <= count; id += 1) {
    const entry: Entry = {
      id,
      at: `2026-01-01T00:00:0${id}.000Z`,
      actor: { type: id % 2 ? 'user' : 'system', id: id % 2 ? 3 : null, name: 'ada@acme.example' },
      action: 'addMember',
      object: { type: 'member', id },
      from: id % 2 ? '192.0.2.7' : null,
      details: id === 2 ? null : { role: 'viewer', list: [1, { two: 2 }] },
      previousHash: entries[0]?.hash ?? '0'.repeat(64),
      hash: '',
    }
    entries.unshift({ ...entry, hash: documented(7, entry) })
  }
  return entries
}
const LOG = logOf(5)
const changed = (id: number, change: Partial<Entry>) =>
  LOG.map((entry) => (entry.id === id ? { ...entry, ...change } : entry))

test('the hash is the documented one, and belongs to one organization', async () => {
  for (const entry of LOG) {
    expect(await hashOfEntry(7, entry)).toBe(entry.hash)
    expect(await hashOfEntry(8, entry)).not.toBe(entry.hash)
  }
})

test('a whole log holds together from its first entry', async () => {
  expect(await prove(7, LOG)).toEqual({
    entries: 5,
    newest: LOG[0],
    oldest: LOG[4],
    altered: [],
    unlinked: [],
    isWhole: true,
  })
})

test.each([
  ['at', { at: '2026-01-01T00:00:03.001Z' }],
  ['actor', { actor: { type: 'user', id: 4, name: null } }],
  ['action', { action: 'removeMember' }],
  ['object', { object: { type: 'member', id: 9 } }],
  ['from', { from: '192.0.2.8' }],
  ['details', { details: { role: 'owner' } }],
] as const)('an entry whose %s was changed is found by its own hash', async (_, change) => {
  expect(await prove(7, changed(3, change as Partial<Entry>))).toMatchObject({ altered: [3], unlinked: [] })
})

test('the name of an actor is not covered, because people are renamed', async () => {
  expect(await prove(7, changed(3, { actor: { type: 'user', id: 3, name: 'new@acme.example' } }))).toMatchObject({
    altered: [],
  })
})

test('an entry that was rewritten with a hash of its own breaks the link of the next', async () => {
  const other = { ...LOG.find(({ id }) => id === 3)!, action: 'removeMember' }
  const rewritten = changed(3, { ...other, hash: documented(7, other) })
  expect(await prove(7, rewritten)).toMatchObject({ altered: [], unlinked: [4] })
})

test('a removed entry leaves a gap, and a first entry names nothing before it', async () => {
  expect(
    await prove(
      7,
      LOG.filter(({ id }) => id !== 3),
    ),
  ).toMatchObject({ isWhole: false, altered: [], unlinked: [] })
  const [first] = logOf(1)
  const later = { ...first!, previousHash: 'a'.repeat(64) }
  expect(await prove(7, [{ ...later, hash: documented(7, later) }])).toMatchObject({ unlinked: [1] })
  expect(await prove(7, [])).toMatchObject({ entries: 0, isWhole: false })
})
