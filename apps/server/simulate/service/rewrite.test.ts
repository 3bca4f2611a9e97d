import { CompiledQuery } from 'kysely'
import { expect, test } from 'vitest'
import { changed, inStatementsWith, replaced, watchReplacements } from './rewrite.ts'

const query = (sql: string) => CompiledQuery.raw(sql, [1])

test('a replacement that matches no statement is reported, one that matches is not', () => {
  const [hit, miss] = [replaced('a', 'b'), replaced(/x+/, 'y')]
  const both = inStatementsWith(['select'], hit, miss)
  const unmatched = watchReplacements([both, undefined])
  expect(unmatched()).toEqual(['a', '/x+/'])
  expect(both(query('select a')).sql).toBe('select b')
  expect(both(query('update xx')).sql).toBe('update xx')
  expect(unmatched()).toEqual(['/x+/'])
})

test('each run counts its own matches', () => {
  const rewrite = changed('insert', (changing) => changing)
  rewrite(query('insert into a'))
  const unmatched = watchReplacements([rewrite])
  expect(unmatched()).toEqual(['insert'])
  rewrite(query('insert into a'))
  expect(unmatched()).toEqual([])
})
