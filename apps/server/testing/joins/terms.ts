import type { Node } from 'libpg-query'
import type { Limit, Scope, Tie } from './scope.ts'

export function textOf(node: Node | undefined): string {
  return node !== undefined && 'String' in node ? (node.String.sval ?? '') : ''
}

/** What an expression is equal to in each row; `undefined`: it is computed. */
export function termOf(node: Node | undefined, scope: Scope): string | undefined {
  if (node === undefined) return undefined
  if ('ColumnRef' in node) {
    const names = (node.ColumnRef.fields ?? []).map(textOf)
    return scope.column(names.at(-1)!, names.at(-2))
  }
  if ('ParamRef' in node) return `$${node.ParamRef.number}`
  if ('TypeCast' in node) return termOf(node.TypeCast.arg, scope)
  if ('A_Const' in node) {
    const { sval, ival } = node.A_Const
    return sval ? `'${sval.sval ?? ''}'` : ival && `${ival.ival ?? 0}`
  }
  return undefined
}

/** The values of a row, or the value itself. */
function rowOf(node: Node): readonly Node[] {
  return 'RowExpr' in node ? (node.RowExpr.args ?? []) : [node]
}

/** The sides that a condition compares for equality. */
function equalSides(node: Node): readonly (readonly [Node, Node])[] {
  if (!('A_Expr' in node)) return []
  const { kind, name, lexpr, rexpr } = node.A_Expr
  if (lexpr === undefined || rexpr === undefined) return []
  const isEquality = textOf(name?.[0]) === '='
  // A list of one value.
  const right = kind === 'AEXPR_IN' && 'List' in rexpr && rexpr.List.items?.length === 1 ? rexpr.List.items[0]! : rexpr
  if (!(kind === 'AEXPR_NOT_DISTINCT' || (isEquality && (kind === 'AEXPR_OP' || kind === 'AEXPR_IN')))) return []
  const [lefts, rights] = [rowOf(lexpr), rowOf(right)]
  return lefts.length === rights.length ? lefts.map((left, at) => [left, rights[at]!] as const) : []
}

/** What a condition makes equal wherever it holds: an `or` promises nothing. */
export function tiesOf(condition: Node | undefined, scope: Scope): Tie[] {
  if (condition === undefined) return []
  if ('BoolExpr' in condition && condition.BoolExpr.boolop === 'AND_EXPR') {
    return (condition.BoolExpr.args ?? []).flatMap((each) => tiesOf(each, scope))
  }
  return equalSides(condition).flatMap(([left, right]) => {
    const [one, other] = [termOf(left, scope), termOf(right, scope)]
    return one === undefined || other === undefined ? [] : [[one, other] as const]
  })
}

/** The queries that have a row wherever the condition holds: those of `exists`, `in` and an equality. */
export function heldQueriesOf(condition: Node | undefined): Node[] {
  if (condition === undefined) return []
  if ('BoolExpr' in condition && condition.BoolExpr.boolop === 'AND_EXPR') {
    return (condition.BoolExpr.args ?? []).flatMap(heldQueriesOf)
  }
  if ('SubLink' in condition) {
    const { subLinkType, operName, subselect } = condition.SubLink
    const isIn = subLinkType === 'ANY_SUBLINK' && (operName === undefined || textOf(operName[0]) === '=')
    return subselect && (isIn || subLinkType === 'EXISTS_SUBLINK') ? [subselect] : []
  }
  if (!('A_Expr' in condition) || condition.A_Expr.kind !== 'AEXPR_OP') return []
  const { name, lexpr, rexpr } = condition.A_Expr
  if (textOf(name?.[0]) !== '=') return []
  return [lexpr, rexpr].flatMap((side) => (side && 'SubLink' in side ? (side.SubLink.subselect ?? []) : []))
}

/** The columns that a condition compares with several values, wherever it holds. */
export function limitsOf(condition: Node | undefined, scope: Scope): Limit[] {
  if (condition === undefined) return []
  if ('BoolExpr' in condition && condition.BoolExpr.boolop === 'AND_EXPR') {
    return (condition.BoolExpr.args ?? []).flatMap((each) => limitsOf(each, scope))
  }
  if (!('A_Expr' in condition)) return []
  const { kind, name, lexpr, rexpr } = condition.A_Expr
  const column = termOf(lexpr, scope)
  if (column === undefined || rexpr === undefined || textOf(name?.[0]) !== '=') return []
  const terms =
    kind === 'AEXPR_IN' && 'List' in rexpr
      ? (rexpr.List.items ?? []).map((item) => termOf(item, scope))
      : [kind === 'AEXPR_OP_ANY' ? elementOf(rexpr, scope) : undefined]
  return terms.every((term) => term !== undefined) ? [{ column, oneOf: terms }] : []
}

function elementOf(list: Node, scope: Scope): string | undefined {
  const term = termOf(list, scope)
  return term && `${term}[]`
}

/** The mentions of columns below a node, outside its queries. */
export function columnsOf(root: unknown): Node[] {
  if (Array.isArray(root)) return root.flatMap(columnsOf)
  if (typeof root !== 'object' || root === null) return []
  const node = root as Node
  if ('ColumnRef' in node) return [node]
  if ('SubLink' in node) return columnsOf(node.SubLink.testexpr)
  return Object.values(node).flatMap(columnsOf)
}

/** A query within an expression, and the values that it is compared with by equality. */
export interface Subquery {
  readonly query: Node
  readonly comparedWith: readonly Node[]
}

/** The first queries below a node. */
export function subqueriesOf(root: unknown, comparedWith: readonly Node[] = []): Subquery[] {
  if (Array.isArray(root)) return root.flatMap((each) => subqueriesOf(each))
  if (typeof root !== 'object' || root === null) return []
  const node = root as Node
  if ('SubLink' in node) {
    const { subselect, testexpr, subLinkType, operName } = node.SubLink
    // Without an operator, it is `in`.
    const isIn = subLinkType === 'ANY_SUBLINK' && (operName === undefined || textOf(operName[0]) === '=')
    const own = subselect && { query: subselect, comparedWith: isIn && testexpr ? rowOf(testexpr) : comparedWith }
    return [...(own ? [own] : []), ...subqueriesOf(testexpr)]
  }
  if ('A_Expr' in node && node.A_Expr.kind === 'AEXPR_OP' && textOf(node.A_Expr.name?.[0]) === '=') {
    const { lexpr, rexpr } = node.A_Expr
    return [...subqueriesOf(lexpr, rexpr && rowOf(rexpr)), ...subqueriesOf(rexpr, lexpr && rowOf(lexpr))]
  }
  return Object.values(node).flatMap((each) => subqueriesOf(each))
}
