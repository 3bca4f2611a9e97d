import { invoke } from './invoke.ts'
import type { OperationTable } from './operation-table.ts'
import type { Method, OperationId } from './operation-types.ts'
import type { Transport } from './transport.ts'

/** Names of methods, with the operation that each calls. */
export interface NameTree {
  readonly [name: string]: string | NameTree
}

/** The methods that a tree of names stands for. */
export type Resources<Tree, Table extends OperationTable> = {
  readonly [Name in keyof Tree]: Tree[Name] extends OperationId & keyof Table
    ? Method<Tree[Name], Table[Tree[Name]]>
    : Resources<Tree[Name], Table>
}

export function resourcesOf<Tree extends NameTree, Table extends OperationTable>(
  transport: Transport,
  tree: Tree,
  table: Table,
): Resources<Tree, Table> {
  const entries = Object.entries(tree).map(([name, value]) => {
    if (typeof value !== 'string') return [name, resourcesOf(transport, value, table)]
    const row = table[value]
    if (row === undefined) throw new Error(`no operation is named ${value}`)
    return [name, (...args: unknown[]) => invoke(transport, row, args)]
  })
  return Object.fromEntries(entries)
}
