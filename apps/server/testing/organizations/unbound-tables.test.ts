import { loadModule } from 'libpg-query'
import { beforeAll, expect, inject, test } from 'vitest'
import { readingsOf, unboundTables } from './unbound-tables.ts'

beforeAll(() => loadModule())

/** `$1` has the organization's value, as has each element of `$2` and of the field in `$3`. */
const OWN = ['$1', '$2[]', '$3.organization_id[]', '7']
const unbound = (text: string) => unboundTables(readingsOf(text, inject('joinCatalog')), OWN)

test.each([
  ['nothing', 'select from wallets'],
  ['another column', 'select from wallets where id = $1'],
  ['another value', 'select from wallets where organization_id = $4'],
  ['another constant', 'select from wallets where organization_id = 8'],
  ['an or', 'select from wallets where organization_id = $1 or id = $4'],
  ['a not', 'select from wallets where not (organization_id = $1)'],
  ['an order', 'select from wallets where organization_id >= $1'],
  ['a value among others', 'select from wallets where organization_id in ($1, $4)'],
  ['a list of others', 'select from wallets where organization_id = any($4)'],
  ['all but one', 'select from wallets where organization_id <> all($2)'],
  ['a computed value', 'select from wallets where organization_id = $1 + 1'],
  ['a filter of an aggregate', 'select count(*) filter (where organization_id = $1) from wallets'],
  [
    'the condition of an outer join',
    'select from wallets w left join operations o on o.organization_id = w.organization_id and w.organization_id = $1',
  ],
  [
    'a bound side',
    'select from wallets w left join users u on u.organization_id = w.organization_id and u.organization_id = $1',
  ],
  [
    'a full join',
    'select from organizations g full join wallets w on w.organization_id = g.id and w.organization_id = $1',
  ],
  [
    'a lateral query, which may be empty',
    'select from wallets w left join lateral (select from users u where u.organization_id = w.organization_id and u.organization_id = $1) x on true',
  ],
  [
    'a lateral query, which may count',
    'select from wallets w, lateral (select count(*) from users u where u.organization_id = w.organization_id and u.organization_id = $1) x',
  ],
  ['a condition in a lateral query', 'select from wallets w, lateral (select 1 where w.organization_id = $1) x'],
  ['one part of a union', 'select from users where organization_id = $1 union all select from wallets'],
  [
    'the other part of a union',
    'select from (select organization_id from wallets union all select organization_id from users where organization_id = $1) u',
  ],
  ['a query that is not held', 'select exists (select from wallets w where w.id = $4)'],
  [
    'a query that may be empty',
    'select from wallets w where w.id = $4 or exists (select from users u where u.organization_id = w.organization_id and u.organization_id = $1)',
  ],
  ['a named query that nothing reads', 'with w as (select from wallets) select 1'],
  [
    'a named query that writes',
    'with w as (delete from wallets returning *) select from w where w.organization_id = $1',
  ],
  [
    'a parameter that a bound row equals',
    'with u as (select from users where organization_id = $1 and organization_id = $4) select from wallets where organization_id = $4',
  ],
])('a table is refused that is limited by %s', (_, text) => {
  expect(unbound(text)).toContain(text.includes('organizations g') ? 'organizations' : 'wallets')
})

test.each([
  ['an update', 'update wallets set label = $4 where id = $4'],
  [
    'an update by a free list',
    'update wallets w set label = x.l from unnest($4::bigint[], $5::text[]) as x(o, l) where w.organization_id = x.o',
  ],
  ['a delete', 'delete from wallets'],
  ['a delete beside a bound table', 'delete from wallets w using users u where u.organization_id = $1 and u.id = w.id'],
  ['an insert', 'insert into wallets (organization_id) values ($4)'],
  ['a second row of an insert', 'insert into wallets (organization_id) values ($1), ($4)'],
  ['an insert of what is read', 'insert into wallets (organization_id) select $4'],
  ['an insert without columns', 'insert into wallets default values'],
])('a write is refused: %s', (_, text) => {
  expect(unbound(text)).toEqual(['wallets'])
})

test('a conflict over a key without the organization is refused: the row may be of another', () => {
  const insert = 'insert into wallets (organization_id, address) values ($1, $4) on conflict'
  expect(unbound(`${insert} (address) do update set label = $5`)).toEqual(['wallets in conflict'])
  expect(unbound(`${insert} on constraint wallets_address_key do update set label = $5`)).toEqual([
    'wallets in conflict',
  ])
  expect(unbound(`${insert} (organization_id, address) do update set label = $5`)).toEqual([])
  expect(unbound(`${insert} do nothing`)).toEqual([])
})

test.each([
  ['the value', 'select from wallets where organization_id = $1::bigint and id = $4'],
  ['a constant', 'select from wallets where organization_id = 7'],
  ['rows', 'select from wallets where (organization_id, id) = ($1, $4)'],
  ['a list of it', 'select from wallets where organization_id = any($2)'],
  ['some of it', 'select from wallets where organization_id in ($1, 7)'],
  [
    'a join',
    'select from wallets w join operations o on o.organization_id = w.organization_id where o.organization_id = $1',
  ],
  [
    'an outer join',
    'select from wallets w left join operations o on o.organization_id = w.organization_id where w.organization_id = $1',
  ],
  [
    'an outer join that says it',
    'select from strategies s left join operations o on o.strategy_id = s.id and o.organization_id = $1',
  ],
  [
    'a lateral query',
    'select from wallets w cross join lateral (select from operations o where o.organization_id = w.organization_id) x where w.organization_id = $1',
  ],
  ['the organization itself', 'select from organizations where id = $1'],
  ['a query around it', 'select from (select * from wallets) w where w.organization_id = $1'],
  ['a named query', 'with w as (select * from wallets) select from w where organization_id = $1'],
  [
    'both parts of a union',
    'select from (select organization_id from wallets where organization_id = $1 union all select organization_id from users where organization_id = $1) u join operations o on o.organization_id = u.organization_id',
  ],
  [
    'a query within',
    'select from wallets where organization_id = $1 and id in (select wallet_id from operations where organization_id = $1)',
  ],
  [
    'a correlated query',
    'select (select count(*) from operations o where o.organization_id = w.organization_id) from wallets w where w.organization_id = $1',
  ],
  [
    'rows that are held',
    'select from wallets w where (w.organization_id, w.id) in (select organization_id, wallet_id from operations where organization_id = $1)',
  ],
  [
    'a row that is held',
    'select from wallets w where (w.organization_id, w.id) = (select organization_id, wallet_id from operations where organization_id = $1 and id = $4)',
  ],
  [
    'what exists',
    'select from wallets w where exists (select from operations o where o.organization_id = w.organization_id and o.organization_id = $1)',
  ],
  [
    'rows of lists',
    'select from wallets where (organization_id, id) in (select * from unnest($2::bigint[], $4::bigint[]))',
  ],
  [
    'named rows of lists',
    'select from wallets w join unnest($2::bigint[], $4::bigint[]) as x(o, id) on w.organization_id = x.o and w.id = x.id',
  ],
  ['a list with a name', 'select from unnest($2::bigint[]) as o join wallets w on w.organization_id = o'],
  [
    'lists that a query names',
    'select from wallets w join (select * from unnest($2::bigint[], $4::bigint[])) as x(o, id) on w.organization_id = x.o',
  ],
  [
    'fields',
    'select from jsonb_to_recordset($3::jsonb) as x(organization_id bigint, id bigint) join wallets w on w.organization_id = x.organization_id',
  ],
  [
    'a recursion',
    'with recursive r as (select organization_id, id from wallets where organization_id = $1 union all select w.organization_id, w.id from r join wallets w on w.organization_id = r.organization_id) select from r',
  ],
  ['no table of organizations', 'select from strategies where id = $4'],
  ['an insert', 'insert into wallets (organization_id, label) values ($1, $4), ($1, $5)'],
  [
    'an insert of bound rows',
    'insert into wallets (organization_id, label) select organization_id, label from wallets where organization_id = $1',
  ],
  [
    'an update',
    'update wallets w set label = o.type from operations o where o.organization_id = w.organization_id and w.organization_id = $1',
  ],
  ['a delete', 'delete from wallets where organization_id = $1'],
])('a table is accepted that is limited by %s', (_, text) => {
  expect(unbound(text)).toEqual([])
})
