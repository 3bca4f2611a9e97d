import { sql } from 'kysely'
import { expect, inject, test } from 'vitest'
import { deleteOldRows } from '../../src/database/index.ts'
import { silentLog } from '../../src/kernel/index.ts'
import { testDatabase } from '../index.ts'
import { createJoinWatch } from './join-watch.ts'

const watch = () => createJoinWatch(inject('joinCatalog'))
const twoValues = 'select from wallets w, operations o where w.organization_id = $1 and o.organization_id = $2'

test('a join without the organization is reported once for each time that it is sent, with its text', async () => {
  const own = watch()
  const text = 'select from "wallets" as "w" inner join "operations" as "o" on "o"."wallet_id" = "w"."id"'
  for (let attempt = 1; attempt <= 2; attempt += 1) {
    own.note(text, [])
    await expect(own.expectTied()).rejects.toThrow(`wallets and operations\n${text}`)
    await own.expectTied()
  }
})

test('two parameters tie what is joined when they have one value, in each call', async () => {
  const own = watch()
  own.note(twoValues, [7, 7])
  own.note(twoValues, [7n, '7'])
  own.note(twoValues, [7, null])
  await own.expectTied()
  own.note(twoValues, [7, 7])
  own.note(twoValues, [7, 8])
  await expect(own.expectTied()).rejects.toThrow('wallets and operations')
})

test('a join with a table of one node is reported', async () => {
  const own = watch()
  const text = 'select from wallets where organization_id = $1 and exists (select from chain_nonces)'
  own.note(text, [7])
  await expect(own.expectTied()).rejects.toThrow(`table of one node: wallets and chain_nonces\n${text}`)
})

test('a statement that names one table is not parsed', async () => {
  const own = watch()
  own.note('no SQL from wallets', [])
  await own.expectTied()
  own.note('no SQL from wallets, wallets', [])
  await expect(own.expectTied()).rejects.toThrow('syntax error')
})

test('the watch of all tests holds the service to it, wherever it is called from, and leaves tests their own joins', async () => {
  const { db, pool, close } = await testDatabase()
  const shared = globalThis as { joinWatch?: ReturnType<typeof watch> }
  const untied = 'select from wallets w join operations o on o.wallet_id = w.id'
  await pool.query(untied)
  await sql.raw(`${untied} limit 1`).execute(db)
  await shared.joinWatch!.expectTied()
  await deleteOldRows({ db, log: silentLog }, [{ table: 'wallets', statement: () => sql.raw(`${untied} limit 2`) }])
  await expect(shared.joinWatch!.expectTied()).rejects.toThrow('wallets and operations')
  await close()
})
