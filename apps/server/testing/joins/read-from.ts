import type { JoinExpr, Node, RangeVar } from 'libpg-query'
import { limitsFrom, type QueryPart, type Scope, type Source, type Tie } from './scope.ts'
import { limitsOf, termOf, textOf, tiesOf } from './terms.ts'

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
    return [reader.addQuery(inward(reader.read(subquery!, scope), scope), name, scope)]
  }
  if ('RangeFunction' in item) {
    const { functions, alias, coldeflist, ordinality } = item.RangeFunction
    reader.readExpressions(functions, scope)
    const defined = (coldeflist ?? []).map((column) => ('ColumnDef' in column ? (column.ColumnDef.colname ?? '') : ''))
    const named = (alias?.colnames ?? []).map(textOf)
    const lists = elementsOf(functions, named.length > 0 ? named : [alias?.aliasname ?? ''])
    const columns = defined.length + named.length > 0 ? [...defined, ...named] : lists.map(({ column }) => column)
    // One column is named as the function is, unless that returns rows.
    const isKnown = columns.length > 0 && !ordinality
    const source = reader.addSource(alias?.aliasname ?? '', isKnown ? columns : undefined, scope)
    for (const { column, list, field } of [...lists, ...fieldsOf(functions, defined)]) {
      const term = termOf(list, scope)
      if (term !== undefined) scope.limits.push({ column: `${source.id}.${column}`, oneOf: [`${term}${field}[]`] })
    }
    return [source]
  }
  throw new Error(`no rule for ${Object.keys(item)[0]} in a from clause`)
}

/**
 * What a query says of its own columns. Of those around it, it says nothing: it may be empty, or aggregate its rows, and a
 * row around it stays.
 */
function inward(part: QueryPart, around: Scope): QueryPart {
  const isOutward = ([one, other]: Tie) => around.knows(one) || around.knows(other)
  const limits = [...part.limits, ...limitsFrom(part.ties.filter(isOutward))]
  return {
    ...part,
    ties: part.ties.map((tie) => (isOutward(tie) ? [tie[0], tie[1], 'partly'] : tie)),
    limits: limits.filter(({ column }) => !around.knows(column)),
  }
}

/** A column of a function that has elements of what the function is given. */
interface Elements {
  readonly column: string
  readonly list: Node
  readonly field: string
}

function argumentsOf(functions: readonly Node[] | undefined, name: RegExp): readonly Node[] {
  const [item] = functions ?? []
  const [called] = item && 'List' in item ? (item.List.items ?? []) : []
  if (functions?.length !== 1 || !called || !('FuncCall' in called)) return []
  return name.test(textOf(called.FuncCall.funcname?.at(-1))) ? (called.FuncCall.args ?? []) : []
}

/** The columns of `unnest`; nothing can mention those without a name, but a query can give all of them. */
function elementsOf(functions: readonly Node[] | undefined, names: readonly string[]): Elements[] {
  return argumentsOf(functions, /^unnest$/).map((list, at) => ({
    column: names[at] || `unnest ${at}`,
    list,
    field: '',
  }))
}

/** The columns that are read from a list of JSON objects. */
function fieldsOf(functions: readonly Node[] | undefined, columns: readonly string[]): Elements[] {
  const [list] = argumentsOf(functions, /^jsonb?_to_recordset$/)
  return list ? columns.map((column) => ({ column, list, field: `.${column}` })) : []
}

function readJoin(reader: FromReader, join: JoinExpr, scope: Scope): readonly Source[] {
  if (join.isNatural || join.alias || join.join_using_alias) throw new Error('no rule for this form of a join')
  const lefts = readFrom(reader, join.larg!, scope)
  const rights = readFrom(reader, join.rarg!, scope)
  const usings: Tie[] = []
  for (const column of (join.usingClause ?? []).map(textOf)) {
    const [left, right] = [lefts, rights].map((sources) => sources.find(({ columns }) => columns?.includes(column)))
    if (left && right) usings.push([`${left.id}.${column}`, `${right.id}.${column}`])
  }
  // An outer join keeps the rows of a side when its condition fails, so it promises something about the other side only.
  const held = { JOIN_LEFT: [rights], JOIN_RIGHT: [lefts], JOIN_FULL: [lefts, rights] }[join.jointype as string] ?? []
  const isOf = (term: string, sources: readonly Source[]) => sources.some(({ id }) => term.startsWith(`${id}.`))
  const ties = [...usings, ...tiesOf(join.quals, scope)].filter((tie) =>
    held.every((sources) => tie.some((term) => isOf(term, sources))),
  )
  if (held.length === 0) scope.ties.push(...ties)
  for (const [one, other] of held.length > 0 ? ties : []) {
    scope.ties.push([one, other, 'partly'])
    if (held.length > 1) continue
    // A row of the held side that fails the condition is left out; a row of the other side is not.
    for (const [column, term] of [
      [one, other],
      [other, one],
    ] as const) {
      if (isOf(column, held[0]!)) scope.limits.push({ column, oneOf: [term] })
    }
  }
  const limits = limitsOf(join.quals, scope).filter(
    ({ column }) => held.length < 2 && held.every((sources) => isOf(column, sources)),
  )
  scope.limits.push(...limits)
  reader.readExpressions(join.quals, scope)
  return [...lefts, ...rights]
}
