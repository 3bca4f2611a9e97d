import { beforeEach, expect, test } from 'vitest'
import { testDatabase } from '../../testing/index.ts'
import { useFixture } from '../../testing/use-fixture.ts'
import { createSealer, keyRing, RESEAL_BATCH, sealingKeyId, systemRandomSource } from '../kernel/index.ts'
import { countSealedValues } from './count-sealed-values.ts'
import { type ResealProgress, resealValues } from './reseal-values.ts'
import type { SealedColumn } from './sealed-column.ts'

const COLUMN: SealedColumn = {
  table: 'service_secrets',
  column: 'sealed',
  key: ['name'],
  purpose: 'tests',
  label: ({ name }) => `test ${name}`,
}
const old = ['0', 'ab'.repeat(32)] as const
const next = ['b', 'cd'.repeat(32)] as const
const sealerOf = (...keys: (typeof old | typeof next)[]) => createSealer(keyRing(keys), 'tests', systemRandomSource)

const database = useFixture(testDatabase)
beforeEach(() => database.db.deleteFrom('service_secrets').execute())

async function store(amount: number): Promise<void> {
  const sealer = sealerOf(old)
  const names = Array.from({ length: amount }, (_, at) => `s${String(at).padStart(4, '0')}`)
  const rows = names.map((name) => ({ name, sealed: sealer.seal(name, `test ${name}`), created_at: new Date(0) }))
  await database.db.insertInto('service_secrets').values(rows).execute()
}
const stored = () => database.db.selectFrom('service_secrets').select(['name', 'sealed']).orderBy('name').execute()
const steps = () => resealValues({ db: database.db, random: systemRandomSource }, keyRing([next, old]), [COLUMN])

async function all(): Promise<ResealProgress | undefined> {
  let last: ResealProgress | undefined
  for await (const progress of steps()) last = progress
  return last
}

test('every value opens with the new key alone, and names it', async () => {
  await store(3)
  expect(await all()).toEqual({ column: 'service_secrets.sealed', resealed: 3, unreadable: 0 })
  for (const { name, sealed } of await stored()) {
    expect(sealerOf(next).open(sealed, `test ${name}`)).toBe(name)
    expect(sealingKeyId(sealed)).toBe('b')
  }
  expect(await countSealedValues(database.db, [COLUMN])).toEqual(new Map([['b', 3]]))
})

test('an interrupted rotation continues where it stopped', async () => {
  await store(RESEAL_BATCH + 5)
  for await (const { resealed } of steps()) {
    expect(resealed).toBe(RESEAL_BATCH)
    break
  }
  expect(await countSealedValues(database.db, [COLUMN])).toEqual(
    new Map([
      ['0', 5],
      ['b', RESEAL_BATCH],
    ]),
  )
  expect(await all()).toMatchObject({ resealed: 5 })
})

test('a value that the service changes meanwhile keeps its change', async () => {
  await store(RESEAL_BATCH + 1)
  const running = steps()
  await running.next()
  const changed = sealerOf(old).seal('changed', 'test s0000')
  await database.db.updateTable('service_secrets').set({ sealed: changed }).where('name', '=', 's0000').execute()
  for await (const _ of running);
  const [first] = await stored()
  expect(sealerOf(old).open(first!.sealed, 'test s0000')).toBe('changed')
  expect(await all()).toMatchObject({ resealed: 1 })
})

test('a value in another row than its own stays as it is and is counted, and the others move', async () => {
  await store(3)
  const [first] = await stored()
  await database.db.updateTable('service_secrets').set({ sealed: first!.sealed }).where('name', '=', 's0002').execute()
  expect(await all()).toEqual({ column: 'service_secrets.sealed', resealed: 2, unreadable: 1 })
  expect((await stored())[2]!.sealed).toEqual(first!.sealed)
  expect(await all()).toMatchObject({ resealed: 0, unreadable: 1 })
})

test('a destroyed secret is not a value', async () => {
  await store(1)
  await database.db
    .updateTable('service_secrets')
    .set({ sealed: Buffer.alloc(0) })
    .execute()
  expect(await all()).toMatchObject({ resealed: 0, unreadable: 0 })
})
