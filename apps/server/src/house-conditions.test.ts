import { expect, test } from 'vitest'
import { parseSource, type SourceFile, serverSource } from '../testing/source/source-tree.ts'

/**
 * Neither Kysely nor a surrounding template puts parentheses around a fragment of SQL: next to another condition, that of
 * the organization for one, a bare `or` binds looser and disables it.
 */
test('no fragment of SQL has an `or` outside parentheses', () => {
  expect(serverSource().flatMap(bareOrsOf)).toEqual([])
})

test('the rule finds the `or` of conditions, and leaves whole statements alone', () => {
  const found = (text: string) => bareOrsOf(parseSource('a.ts', text)).length
  expect(found('query.where(sql`a = b or c is null`)')).toBe(1)
  expect(found('const f = () => sql<boolean>`(a) OR (c)`')).toBe(1)
  expect(found("sql`a = ' (' or c`")).toBe(1)
  expect(found('sql`(a or b) and c`')).toBe(0)
  expect(found('sql`case when a or b then c end`')).toBe(0)
  expect(found("sql`a = 'b or c' and color`")).toBe(0)
  expect(found('sql`with x as (select 1) select 1 from x where a or b`')).toBe(0)
  expect(found('sql`\n  select 1 where a or b`')).toBe(0)
})

const STATEMENT =
  /^\s*(?:select|insert|update|delete|with|create|alter|drop|do|merge|values|comment|grant|revoke|set|copy)\b/i

function bareOrsOf({ path, text, visit }: SourceFile): string[] {
  const found: string[] = []
  visit({
    TaggedTemplateExpression({ tag, quasi, start }) {
      if (tag.type !== 'Identifier' || tag.name !== 'sql') return
      const written = quasi.quasis.map(({ value }) => value.raw).join(' ? ')
      if (!STATEMENT.test(written) && hasBareOr(written))
        found.push(`${path}:${text.slice(0, start).split('\n').length}`)
    },
  })
  return found
}

function hasBareOr(written: string): boolean {
  const words = written
    .replace(/'[^']*'|--.*$/gm, ' ')
    .toLowerCase()
    .match(/[a-z_][\w.]*|[()]/g)
  let depth = 0
  for (const word of words ?? []) {
    if (word === '(' || word === 'case') depth += 1
    else if (word === ')' || word === 'end') depth -= 1
    else if (word === 'or' && depth === 0) return true
  }
  return false
}
