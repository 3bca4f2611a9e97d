import type { DeleteStmt, InsertStmt, Node, RangeVar, SelectStmt, UpdateStmt, WithClause } from 'libpg-query'
import type { JoinCatalog } from './join-catalog.ts'
import { readFrom } from './read-from.ts'
import {
  areTied,
  COMPUTED,
  type Limit,
  limitsFrom,
  type Mention,
  NO_VALUE,
  type Output,
  type QueryPart,
  Scope,
  type Source,
  type Tie,
} from './scope.ts'
import { columnsOf, heldQueriesOf, limitsOf, subqueriesOf, termOf, textOf, tiesOf } from './terms.ts'

const NOTHING: QueryPart = { outputs: [], ties: [], limits: [], mentions: [] }

/** Tables that are read or written, and what is known of their rows. */
export interface Reading {
  readonly mentions: readonly Mention[]
  readonly ties: readonly Tie[]
  readonly limits: readonly Limit[]
}

const itemsOf = (list: Node): readonly Node[] => ('List' in list ? (list.List.items ?? []) : [])

/** The columns of a list of rows. */
function outputsOf(lists: readonly Node[], scope: Scope): Output[] {
  const rows = lists.map(itemsOf)
  return (rows[0] ?? []).map((_, at) => {
    const terms = rows.map((row) => termOf(row[at], scope) ?? COMPUTED)
    const isOne = terms[0] !== COMPUTED && terms.every((term) => term === terms[0])
    const name = `column${at + 1}`
    return isOne ? { name, terms: [terms[0]!] } : { name, terms: [], oneOf: terms }
  })
}

/** A column of a union. */
function eitherOf({ name, terms, oneOf }: Output, other: Output | undefined): Output {
  const alternatives = [oneOf ?? terms[0] ?? COMPUTED, other?.oneOf ?? other?.terms[0] ?? COMPUTED].flat()
  return { name, terms: [...terms, ...(other?.terms ?? [])], oneOf: alternatives }
}

/** Reads one statement; its joins are judged once all of it is read. */
export class StatementReader {
  readonly catalog: JoinCatalog
  /** Tells which tables are joined without a tie. `extra`: ties besides those of the statement. */
  readonly checks: ((extra: readonly Tie[]) => readonly string[])[] = []
  /** Every mention of a distributed table, once all that limits its rows is read. */
  readonly readings: (() => Reading)[] = []
  #sources = 0

  constructor(catalog: JoinCatalog) {
    this.catalog = catalog
  }

  /** Reads a whole statement. */
  readStatement(node: Node): void {
    const part = this.read(node)
    this.readings.push(() => part)
  }

  read(node: Node, parent?: Scope): QueryPart {
    if ('SelectStmt' in node) return this.#select(node.SelectStmt, parent)
    if ('InsertStmt' in node) return this.#insert(node.InsertStmt, parent)
    if ('UpdateStmt' in node) return this.#change(node.UpdateStmt, node.UpdateStmt.fromClause, parent)
    if ('DeleteStmt' in node) return this.#change(node.DeleteStmt, node.DeleteStmt.usingClause, parent)
    // It joins nothing: a transaction, a setting, a lock.
    const [kind] = Object.keys(node)
    if (kind === 'MergeStmt' || kind === 'CreateTableAsStmt') throw new Error(`no rule for ${kind}`)
    return NOTHING
  }

  /** Gives a level of the statement the columns of a table, or of a query. */
  addTable(range: RangeVar, scope: Scope): Source {
    const name = range.relname ?? ''
    const alias = range.alias?.aliasname ?? name
    const query = range.schemaname === undefined ? scope.find(name) : undefined
    if (query) return this.addQuery(query(), { alias, columns: range.alias?.colnames?.map(textOf) }, scope)
    const table = this.catalog[name]
    const source = this.addSource(alias, table?.columns, scope)
    if (table?.distributedBy !== undefined) {
      scope.mentions.push([{ table: name, organization: `${source.id}.${table.distributedBy}` }])
    }
    return source
  }

  addQuery(
    part: QueryPart,
    { alias, columns }: { readonly alias: string; readonly columns?: readonly string[] | undefined },
    scope: Scope,
  ): Source {
    const names = part.outputs.map(({ name }, at) => columns?.[at] ?? name)
    const source = this.addSource(alias, names, scope)
    scope.mentions.push(part.mentions)
    scope.ties.push(...part.ties)
    scope.limits.push(...part.limits)
    for (const [at, output] of part.outputs.entries()) {
      // Nothing can mention a column without a name, or with that of another.
      if (names.filter((name) => name === names[at]).length > 1) continue
      scope.equate(`${source.id}.${names[at]}`, output)
    }
    return source
  }

  addSource(alias: string, columns: readonly string[] | undefined, scope: Scope): Source {
    this.#sources += 1
    const source = { id: this.#sources, alias, columns }
    scope.sources.push(source)
    return source
  }

  /**
   * Reads the queries within expressions. One that is compared with a value by equality, or that mentions a column of the
   * level it stands in, is a join, and so is each in a `write`; any other is evaluated once.
   */
  readExpressions(root: unknown, scope: Scope, within: 'query' | 'write' = 'query'): void {
    for (const column of columnsOf(root)) termOf(column, scope)
    for (const { query, comparedWith } of subqueriesOf(root)) {
      const around = new Scope(scope)
      const part = this.read(query, around)
      const compared = comparedWith.flatMap((side, at): Tie[] => {
        const term = termOf(side, scope)
        const { terms = [], oneOf } = part.outputs[at] ?? {}
        if (term === undefined) return []
        return terms.map((output) => (oneOf ? ([term, output, 'partly'] as const) : ([term, output] as const)))
      })
      this.readings.push(() => ({
        mentions: part.mentions,
        ties: [...part.ties, ...compared, ...scope.allTies()],
        limits: [...part.limits, ...scope.allLimits()],
      }))
      if (scope.held.has(query)) scope.limits.push(...part.limits, ...limitsFrom([...part.ties, ...compared]))
      if (within === 'query' && comparedWith.length === 0 && !around.reachesOut) continue
      this.#requireTies(
        () => [...part.ties, ...compared, ...scope.allTies()],
        () => [part.mentions, scope.nearest()],
      )
    }
  }

  #select(select: SelectStmt, parent: Scope | undefined): QueryPart {
    const scope = new Scope(parent)
    this.#nameQueries(select.withClause, scope)
    if (select.larg && select.rarg) {
      const [left, right] = [this.#select(select.larg, scope), this.#select(select.rarg, scope)]
      this.readExpressions([select.sortClause, select.limitCount], scope)
      return {
        outputs: left.outputs.map((output, at) => eitherOf(output, right.outputs[at])),
        ties: [...left.ties, ...right.ties],
        limits: [...left.limits, ...right.limits],
        mentions: [...left.mentions, ...right.mentions],
      }
    }
    if (select.valuesLists) return this.#values(select.valuesLists, scope)
    for (const item of select.fromClause ?? []) readFrom(this, item, scope)
    this.#hold(select.whereClause, scope)
    this.#judge(scope)
    const { targetList, whereClause, havingClause, groupClause, sortClause, distinctClause } = select
    const { limitCount, limitOffset, windowClause } = select
    this.readExpressions([targetList, whereClause, havingClause, groupClause, sortClause, distinctClause], scope)
    this.readExpressions([limitCount, limitOffset, windowClause], scope)
    return this.#part(targetList, scope)
  }

  #part(targets: readonly Node[] | undefined, scope: Scope): QueryPart {
    const { ties, limits } = scope
    return { outputs: this.#outputs(targets, scope), ties, limits, mentions: scope.mentions.flat() }
  }

  /** What a condition says of each row. */
  #hold(condition: Node | undefined, scope: Scope): void {
    scope.ties.push(...tiesOf(condition, scope))
    scope.limits.push(...limitsOf(condition, scope))
    for (const query of heldQueriesOf(condition)) scope.held.add(query)
  }

  #values(lists: readonly Node[], scope: Scope): QueryPart {
    for (const list of lists) this.readExpressions(itemsOf(list), scope)
    return { ...NOTHING, outputs: outputsOf(lists, scope) }
  }

  #insert(insert: InsertStmt, parent: Scope | undefined): QueryPart {
    const scope = new Scope(parent)
    this.#nameQueries(insert.withClause, scope)
    const target = this.addTable(insert.relation!, scope)
    const named = insert.cols?.map((column) => ('ResTarget' in column ? (column.ResTarget.name ?? '') : ''))
    const columns = named ?? target.columns ?? []
    const select = insert.selectStmt && 'SelectStmt' in insert.selectStmt ? insert.selectStmt.SelectStmt : undefined
    if (select?.valuesLists) {
      this.#nameQueries(select.withClause, scope)
      // Each row has values of its own.
      for (const list of select.valuesLists) {
        const row = new Scope(scope)
        const values = itemsOf(list)
        for (const [at, value] of values.entries()) {
          const term = termOf(value, scope)
          if (term !== undefined) row.ties.push([`${target.id}.${columns[at]}`, term])
        }
        this.readExpressions(values, row, 'write')
      }
      for (const [at, output] of outputsOf(select.valuesLists, scope).entries()) {
        scope.equate(`${target.id}.${columns[at]}`, output)
      }
    } else if (insert.selectStmt) {
      const part = this.read(insert.selectStmt, scope)
      scope.mentions.push(part.mentions)
      scope.ties.push(...part.ties)
      scope.limits.push(...part.limits)
      for (const [at, output] of part.outputs.entries()) scope.equate(`${target.id}.${columns[at]}`, output)
    }
    const conflict = insert.onConflictClause
    if (conflict) {
      const excluded = this.addSource('excluded', this.catalog[insert.relation?.relname ?? '']?.columns, scope)
      const keys = (conflict.infer?.indexElems ?? []).map((key) => ('IndexElem' in key ? key.IndexElem.name : ''))
      for (const key of keys) scope.ties.push([`${target.id}.${key}`, `${excluded.id}.${key}`])
      this.#readExisting(insert, keys.map(String))
      this.readExpressions([conflict.targetList, conflict.whereClause], scope, 'write')
      // What is returned does not see it.
      scope.sources.pop()
    }
    return this.#changed(insert.returningClause?.exprs, scope)
  }

  /** A conflict over a key without the organization changes the row of any. */
  #readExisting({ onConflictClause: conflict, relation }: InsertStmt, keys: readonly string[]): void {
    const table = relation?.relname ?? ''
    const column = this.catalog[table]?.distributedBy
    if (conflict?.action !== 'ONCONFLICT_UPDATE' || column === undefined || keys.includes(column)) return
    this.readings.push(() => ({ ...NOTHING, mentions: [{ table: `${table} in conflict`, organization: COMPUTED }] }))
  }

  #change(statement: UpdateStmt | DeleteStmt, from: Node[] | undefined, parent: Scope | undefined): QueryPart {
    const scope = new Scope(parent)
    this.#nameQueries(statement.withClause, scope)
    this.addTable(statement.relation!, scope)
    for (const item of from ?? []) readFrom(this, item, scope)
    this.#hold(statement.whereClause, scope)
    const expressions = [statement.whereClause, 'targetList' in statement ? statement.targetList : []]
    this.readExpressions(expressions, scope, 'write')
    return this.#changed(statement.returningClause?.exprs, scope)
  }

  #changed(returned: Node[] | undefined, scope: Scope): QueryPart {
    this.#judge(scope)
    this.readExpressions(returned, scope)
    return this.#part(returned, scope)
  }

  /** Each mention of a named query is a reading of its own; one more judges it where nothing mentions it. */
  #nameQueries(clause: WithClause | undefined, scope: Scope): void {
    for (const each of clause?.ctes ?? []) {
      if (!('CommonTableExpr' in each)) continue
      const { ctename = '', ctequery, aliascolnames } = each.CommonTableExpr
      const around = new Scope(scope.parent)
      for (const [name, query] of scope.named) around.named.set(name, query)
      const named = (part: QueryPart): QueryPart => ({
        ...part,
        outputs: part.outputs.map((output, at) => ({ ...output, name: textOf(aliascolnames?.[at]) || output.name })),
      })
      if (clause?.recursive && ctequery && 'SelectStmt' in ctequery && ctequery.SelectStmt.larg) {
        const first = ctequery.SelectStmt.larg
        around.named.set(ctename, () => named(this.#select(first, around)))
      }
      const query = () => named(this.read(ctequery!, around))
      const part = query()
      // What changes rows does it whatever is read of it.
      let isRead = false
      this.readings.push(() => (isRead && ctequery && 'SelectStmt' in ctequery ? NOTHING : part))
      scope.named.set(ctename, () => {
        isRead = true
        return query()
      })
    }
  }

  #outputs(targets: readonly Node[] | undefined, scope: Scope): QueryPart['outputs'] {
    return (targets ?? []).flatMap((target) => {
      if (!('ResTarget' in target)) return []
      const { name, val } = target.ResTarget
      const fields = val && 'ColumnRef' in val ? (val.ColumnRef.fields ?? []) : []
      const last = fields.at(-1)
      if (last && 'A_Star' in last) {
        const alias = fields.length > 1 ? textOf(fields.at(-2)) : undefined
        const sources = scope.sources.filter((source) => alias === undefined || source.alias === alias)
        return sources.flatMap(({ id, columns }) =>
          (columns ?? []).map((column) => ({ name: column, terms: [`${id}.${column}`] })),
        )
      }
      const term = termOf(val, scope)
      return [{ name: name ?? textOf(last), terms: term === undefined ? [] : [term] }]
    })
  }

  /** The tables of each two sources of a level are joined. */
  #judge(scope: Scope): void {
    this.#requireTies(
      () => scope.allTies(),
      () => scope.mentions,
    )
  }

  #requireTies(ties: () => readonly Tie[], groups: () => readonly (readonly Mention[])[]): void {
    this.checks.push((extra) => {
      const known = [...ties(), ...extra]
      const present = groups().map((group) => group.filter((each) => !areTied(known, each.organization, NO_VALUE)))
      const [first, ...others] = present.filter((group) => group.length > 0)
      if (first === undefined) return []
      return others.flat().flatMap((other) => {
        const untied = first.find(({ organization }) => !areTied(known, organization, other.organization))
        return untied === undefined ? [] : [`${untied.table} and ${other.table}`]
      })
    })
  }
}
