import { expect, test } from 'vitest'
import { endsTransaction, isSubmittable, mayChangeRows, mayWrite, textOf } from './statement-kinds.ts'

test.each([
  'insert into wallets (id) values ($1)',
  'UPDATE wallets set name = $1',
  'with moved as (delete from outbox returning *) select * from moved',
  'merge into wallets using names on true when matched then do nothing',
  'select id from wallets for update skip locked',
  'select id from wallets for no key update',
  'select id from wallets for key share',
  "select nextval('events_id_seq')",
  '\n  create index concurrently i on wallets (id)',
  'call refresh()',
])('%s may write', (text) => {
  expect(mayWrite(text)).toBe(true)
})

test.each([
  'select * from wallets',
  'select updated_at from wallets',
  'begin',
  'set lock_timeout = 0',
  'select pg_current_xact_id_if_assigned()',
])('%s writes nothing', (text) => {
  expect(mayWrite(text)).toBe(false)
})

test('COMMIT and END end a transaction; a savepoint and a rollback commit none', () => {
  expect(['commit', ' END', 'commit and chain'].every(endsTransaction)).toBe(true)
  expect(['begin', 'release s', 'rollback', 'select "end"', 'committed'].some(endsTransaction)).toBe(false)
})

test('a row count means changes only after statements that change rows', () => {
  expect(
    ['insert into a values (1)', '  update a set b = 1', 'delete from a', 'with x as (select 1) select'].every(
      mayChangeRows,
    ),
  ).toBe(true)
  expect(['select 1', 'begin', 'updated'].some(mayChangeRows)).toBe(false)
})

test('a query is a text, an object with one, or a cursor that sends itself', () => {
  expect([textOf('select 1'), textOf({ text: 'select 2' }), textOf(null), textOf({})]).toEqual([
    'select 1',
    'select 2',
    '',
    '',
  ])
  expect([{ submit: () => {} }, 'select 1', null, {}].map(isSubmittable)).toEqual([true, false, false, false])
})
