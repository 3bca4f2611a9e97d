import type { JoinExpr, Node, RangeVar } from 'libpg-query'
import type { QueryPart, Scope, Source } from './scope.ts'
import { textOf, tiesOf } from './terms.ts'

/** What a FROM clause needs of the reader of its statement. */
interface FromReader {
  read(node: Node, parent?: Scope): QueryPart
  readExpressions(root: unknown, scope: Scope): void
  addTable(range: RangeVar, scope: Scope): Source
  addQuery(
    part: QueryPart,
    name: { readonly alias: string; readonly columns?: readonly string[] | undefined },
    scope: Scope,
  ): Source
  addSource(alias: string, columns: readonly string[] | undefined, scope: Scope): Source
}

/** Reads an item of a FROM clause into a level of the statement; returns the sources that it added. */
export function readFrom(reader: FromReader, item: Node, scope: Scope): readonly Source[] {
  if ('RangeVar' in item) return [reader.addTable(item.RangeVar, scope)]
  if ('JoinExpr' in item) return readJoin(reader, item.JoinExpr, scope)
  if ('RangeSubselect' in item) {
    const { subquery, alias } = item.RangeSubselect
    const name = { alias: alias?.aliasname ?? '', columns: alias?.colnames?.map(textOf) }
    return [reader.addQuery(reader.read(subquery!, scope), name, scope)]
  }
  if ('RangeFunction' in item) {
    const { functions, alias, coldeflist, ordinality } = item.RangeFunction
    reader.readExpressions(functions, scope)
    const defined = (coldeflist ?? []).map((column) => ('ColumnDef' in column ? (column.ColumnDef.colname ?? '') : ''))
    const named = (alias?.colnames ?? []).map(textOf)
    const columns = [...defined, ...named]
    // One column is named as the function is, unless that returns rows.
    return [reader.addSource(alias?.aliasname ?? '', columns.length > 0 && !ordinality ? columns : undefined, scope)]
  }
  throw new Error(`no rule for ${Object.keys(item)[0]} in a from clause`)
}

function readJoin(reader: FromReader, join: JoinExpr, scope: Scope): readonly Source[] {
  if (join.isNatural || join.alias || join.join_using_alias) throw new Error('no rule for this form of a join')
  const lefts = readFrom(reader, join.larg!, scope)
  const rights = readFrom(reader, join.rarg!, scope)
  for (const column of (join.usingClause ?? []).map(textOf)) {
    const [left, right] = [lefts, rights].map((sources) => sources.find(({ columns }) => columns?.includes(column)))
    if (left && right) scope.ties.push([`${left.id}.${column}`, `${right.id}.${column}`])
  }
  // An outer join keeps the rows of a side when its condition fails, so it promises something about the other side only.
  const held = { JOIN_LEFT: [rights], JOIN_RIGHT: [lefts], JOIN_FULL: [lefts, rights] }[join.jointype as string] ?? []
  const isOf = (term: string, sources: readonly Source[]) => sources.some(({ id }) => term.startsWith(`${id}.`))
  const ties = tiesOf(join.quals, scope).filter((tie) =>
    held.every((sources) => tie.some((term) => isOf(term, sources))),
  )
  scope.ties.push(...ties)
  reader.readExpressions(join.quals, scope)
  return [...lefts, ...rights]
}
