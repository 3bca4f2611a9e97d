import { loadModule } from 'libpg-query'
import { beforeAll, expect, inject, test } from 'vitest'
import { untiedJoins } from './untied-joins.ts'

beforeAll(() => loadModule())

const untied = (text: string) => untiedJoins(text, inject('joinCatalog'))
const PAIR = 'wallets and operations'

test.each([
  ['by another column', 'select from wallets w join operations o on o.wallet_id = w.id'],
  ['by nothing', 'select from wallets w, operations o where w.organization_id = $1'],
  ['under an or', 'select from wallets w, operations o where w.organization_id = o.organization_id or w.id = 1'],
  ['not', 'select from wallets w, operations o where not (w.organization_id = o.organization_id)'],
  ['by an order', 'select from wallets w join operations o on o.organization_id > w.organization_id'],
  [
    'one of many',
    'select from wallets w, operations o where w.organization_id = any($1) and o.organization_id = any($1)',
  ],
  ['two values', 'select from wallets w, operations o where w.organization_id = $1 and o.organization_id = $2'],
  [
    'only in the condition of an outer join that says nothing about the other side',
    `select from wallets w join operations o on o.wallet_id = w.id
      left join transactions t on t.organization_id = o.organization_id and w.organization_id = o.organization_id`,
  ],
  ['in a lateral query', 'select from wallets w, lateral (select from operations o where o.wallet_id = w.id) q'],
  [
    'in a query in the place of a table',
    'select from wallets w join (select * from operations) o on o.wallet_id = w.id',
  ],
  [
    'with two readings of one named query',
    'with a as (select * from operations) select from wallets w, a one, a other where w.organization_id = one.organization_id',
  ],
  [
    'in a union’s second part',
    'select from wallets w, (select $1::bigint as o union all select organization_id from operations) u',
  ],
  [
    'to a query with two columns of that name',
    'select from wallets w join (select o.organization_id, t.organization_id from operations o, transactions t) q on q.organization_id = w.organization_id',
  ],
  [
    'to what is computed',
    'select from wallets w join (select organization_id + 0, id from operations) q on q.id = w.id',
  ],
])('a join is refused that is tied %s', (_, text) => {
  expect(untied(text)).toContain(PAIR)
})

test.each([
  ['exists', 'select from operations o where exists (select from wallets w where w.id = o.wallet_id)'],
  ['not exists', 'select from operations o where not exists (select from wallets where wallets.id = wallet_id)'],
  ['in', 'select from operations o where o.wallet_id in (select id from wallets where organization_id = $1)'],
  ['not in', 'select from operations o where o.wallet_id not in (select id from wallets)'],
  ['a value', 'select (select w.label from wallets w where w.id = o.wallet_id) from operations o'],
  ['an equal value', 'select from operations where wallet_id = (select max(id) from wallets)'],
  [
    'in a condition of a join',
    'select from operations o join strategies s on exists (select from wallets w where w.id = o.wallet_id)',
  ],
  ['in an order', 'select from operations o order by (select w.label from wallets w where w.id = o.wallet_id)'],
  [
    'within a query without tables',
    'select from operations o where (select exists (select from wallets w where w.id = o.wallet_id))',
  ],
])('a query within an expression is refused: %s', (_, text) => {
  expect(untied(text)).toContain(PAIR)
})

test.each([
  ['update', 'update wallets w set label = o.type from operations o where o.wallet_id = w.id'],
  ['update of itself', 'update wallets set label = $1 where id in (select wallet_id from operations)'],
  ['delete', 'delete from wallets w using operations o where o.wallet_id = w.id and o.organization_id = $1'],
  ['insert', 'insert into wallets (organization_id, label) select $1, type from operations'],
  [
    'a value of an insert',
    'insert into wallets (organization_id, label) values ($1, (select type from operations where wallet_id = $2 and id = 3 and organization_id = $4 limit 1))',
  ],
  [
    'a row of an insert',
    'insert into wallets (organization_id, id) values ($1, 1), ($2, (select id from operations where organization_id = $1 and id = any(array[$3])))',
  ],
  [
    'a conflict',
    'insert into wallets as w (organization_id, id) values ($1, $2) on conflict (id) do update set label = (select type from operations o where o.organization_id = excluded.organization_id and o.id = w.id)',
  ],
  ['what is returned', 'delete from wallets w returning (select type from operations o where o.wallet_id = w.id)'],
])('a write is refused: %s', (_, text) => {
  expect(untied(text).length).toBeGreaterThan(0)
})

test.each([
  [
    'both columns',
    'select from wallets w join operations o on o.organization_id = w.organization_id and o.wallet_id = w.id',
  ],
  ['a using', 'select from wallets join operations using (organization_id, id)'],
  ['rows', 'select from wallets w join operations o on (o.organization_id, o.wallet_id) = (w.organization_id, w.id)'],
  [
    'a chain',
    'select from wallets w, transactions t, operations o where w.organization_id = t.organization_id and o.organization_id = t.organization_id',
  ],
  ['one value', 'select from wallets w, operations o where w.organization_id = $1 and o.organization_id = $1::bigint'],
  [
    'one value in a list',
    'select from wallets w, operations o where w.organization_id in ($1) and o.organization_id = $1',
  ],
  ['an outer join', 'select from wallets w left join operations o on o.organization_id = w.organization_id'],
  [
    'an array of the caller',
    'select from unnest($1::bigint[], $2::bigint[]) as x(o, w) join wallets w on w.organization_id = x.o join operations o on o.organization_id = x.o',
  ],
  ['the organization itself', 'select from organizations g join wallets w on w.organization_id = g.id'],
  ['the catalogue', 'select from operations o join strategies s on s.id = o.strategy_id'],
  [
    'a lateral query',
    'select from wallets w, lateral (select from operations o where o.organization_id = w.organization_id) q',
  ],
  [
    'a column of a query',
    'select from wallets w join (select organization_id as org from operations group by 1) q on q.org = w.organization_id',
  ],
  [
    'a star of a query',
    'select from wallets w join (select o.* from operations o) q on q.organization_id = w.organization_id',
  ],
  [
    'a named query',
    'with q(org) as (select organization_id from operations) select from wallets w join q on q.org = w.organization_id',
  ],
  [
    'each part of a union',
    'select from wallets w join (select organization_id from operations union all select organization_id from transactions) q using (organization_id)',
  ],
  ['two parts of a union', 'select id from wallets union all select id from operations'],
  [
    'exists',
    'select from operations o where exists (select from wallets where wallets.organization_id = o.organization_id)',
  ],
  [
    'rows in',
    'select from operations o where (o.organization_id, o.wallet_id) in (select organization_id, id from wallets)',
  ],
  [
    'rows not in',
    'select from operations o where (o.organization_id, o.wallet_id) not in (select organization_id, id from wallets)',
  ],
  [
    'a value for the organization',
    'select from operations where organization_id = (select organization_id from wallets where id = $1)',
  ],
  ['values that are counted alone', 'select (select count(*) from operations), count(*) from wallets'],
  [
    'the same value inside',
    'select from operations o where o.organization_id = $1 and o.wallet_id in (select id from wallets where organization_id = $1)',
  ],
  [
    'a recursion',
    `with recursive r as (select organization_id, id from wallets where id = $1
    union all select w.organization_id, w.id from r join wallets w on w.organization_id = r.organization_id) select from r`,
  ],
  ['an update', 'update wallets w set label = o.type from operations o where o.organization_id = w.organization_id'],
  ['a delete', 'delete from wallets w using operations o where o.organization_id = w.organization_id'],
  ['an insert', 'insert into wallets (id, organization_id) select id, organization_id from operations'],
  [
    'a value of an insert',
    'insert into wallets (organization_id, label) values ($1, (select type from operations where organization_id = $1 and id = $2))',
  ],
  [
    'what was written',
    'with d as (delete from wallets returning organization_id, id) insert into operations (organization_id, wallet_id) select organization_id, id from d',
  ],
  [
    'what an insert returned after a conflict',
    'with w as (insert into wallets (organization_id, id) values ($1, $2) on conflict (organization_id, id) do update set label = $3 returning *) insert into operations (organization_id, wallet_id) select w.organization_id, w.id from w',
  ],
  ['no join', 'begin'],
])('a statement is accepted: %s', (_, text) => {
  expect(untied(text)).toEqual([])
})

test('a form without a rule is refused', () => {
  expect(() => untied('select from wallets natural join operations')).toThrow('no rule')
  expect(() => untied('select from (wallets cross join operations) as j')).toThrow('no rule')
  expect(() => untied('merge into wallets using operations on true when matched then delete')).toThrow('no rule')
})
