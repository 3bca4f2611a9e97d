import { loadModule } from 'libpg-query'
import { beforeAll, expect, inject, test } from 'vitest'
import { localJoins } from './local-joins.ts'

beforeAll(() => loadModule())

const local = (text: string) => localJoins(text, inject('joinCatalog'))

test.each([
  ['a join', 'select from wallets w join chain_nonces n on n.address = w.address'],
  ['a condition', 'select from wallets where exists (select from chain_nonces)'],
  ['a write that selects', 'insert into wallets select * from chain_nonces'],
  ['two writes of one statement', 'with a as (delete from chain_nonces) delete from wallets'],
  ['an update', 'update wallets set label = null from chain_nonces'],
  ['a value', 'select (select count(*) from chain_nonces) from wallets'],
])('%s of a distributed table and one of one node is found', (_form, text) => {
  expect(local(text)).toEqual(['wallets and chain_nonces'])
})

test.each([
  ['two distributed tables', 'select from wallets, operations'],
  ['a reference table', 'select from wallets, venues'],
  ['two tables of one node', 'select from chain_nonces, job_leases'],
  ['a query with the name of one', 'with chain_nonces as (select 1) select from wallets, chain_nonces'],
  ['two statements', 'select from wallets; select from chain_nonces'],
  ['nothing that reads', 'set local lock_timeout = 1'],
])('%s is no such join', (_form, text) => {
  expect(local(text)).toEqual([])
})
