import { dirname, join } from 'node:path'
import { type Node, Visitor } from 'oxc-parser'
import type { SourceFile } from './source-tree.ts'

/** A function or constant at the top of a file. */
export interface Declared {
  readonly path: string
  readonly name: string
  readonly isExported: boolean
  readonly comment: string
  readonly node: Node
  /** It returns a `Failure`, or never returns: its callers throw. */
  readonly makesFailure: boolean
}

/** What a file declares, and where its imported names come from. */
interface DeclaredNames {
  readonly declared: ReadonlyMap<string, Declared>
  readonly imported: ReadonlyMap<string, { readonly path: string; readonly name: string }>
}

/** What files declare, by path; `find` follows an imported or re-exported name to its declaration. */
export function declarationsIn(files: readonly SourceFile[]) {
  const scopes = new Map(files.map((file) => [file.path, declaredNames(file)]))
  const find = (path: string, name: string, depth = 0): Declared | undefined => {
    const scope = scopes.get(path)
    const from = scope?.imported.get(name)
    return scope?.declared.get(name) ?? (from && depth < 5 ? find(from.path, from.name, depth + 1) : undefined)
  }
  return { all: [...scopes.values()].flatMap(({ declared }) => [...declared.values()]), find }
}

function declaredNames({ path, text, statements }: SourceFile): DeclaredNames {
  const declared = new Map<string, Declared>()
  const imported = new Map<string, { path: string; name: string }>()
  const textOf = (node: { start: number; end: number } | null | undefined) =>
    node ? text.slice(node.start, node.end) : ''
  for (const statement of statements) {
    if (statement.type === 'ImportDeclaration' || statement.type === 'ExportNamedDeclaration') {
      const from = statement.source && join(dirname(path), statement.source.value)
      for (const one of from ? statement.specifiers : []) {
        if (one.type === 'ImportSpecifier' && one.imported.type === 'Identifier')
          imported.set(one.local.name, { path: from!, name: one.imported.name })
        if (one.type === 'ExportSpecifier' && one.local.type === 'Identifier' && one.exported.type === 'Identifier')
          imported.set(one.exported.name, { path: from!, name: one.local.name })
      }
    }
    const isExported = statement.type === 'ExportNamedDeclaration'
    const declaration = isExported ? statement.declaration : statement
    const comment = /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s*$/.exec(text.slice(0, statement.start))?.[1] ?? ''
    const add = (name: string, node: Node, returns: string) =>
      declared.set(name, { path, name, isExported, comment, node, makesFailure: /:\s*(Failure|never)\b/.test(returns) })
    if (declaration?.type === 'FunctionDeclaration' && declaration.id)
      add(declaration.id.name, declaration, textOf(declaration.returnType))
    if (declaration?.type === 'VariableDeclaration')
      for (const { id, init } of declaration.declarations) {
        if (id.type !== 'Identifier' || !init) continue
        const isFailure = init.type === 'ArrowFunctionExpression' && textOf(init.body).startsWith('new Failure(')
        const returns = init.type === 'ArrowFunctionExpression' ? textOf(init.returnType) : ''
        add(id.name, init, isFailure ? ': Failure' : returns)
      }
  }
  return { declared, imported }
}

/** A code of a failure, or a name. */
export type Mention = { readonly code: string } | { readonly name: string }

/** The codes of the failures that a node makes, and every name that it mentions. */
export function mentionsIn(node: Node): Mention[] {
  const found: Mention[] = []
  // The names of members and of an object's keys are not mentions.
  const ignored = new Set<number>()
  new Visitor({
    MemberExpression({ computed, property }) {
      if (!computed) ignored.add(property.start)
    },
    Property({ computed, shorthand, key }) {
      if (!computed && !shorthand) ignored.add(key.start)
    },
    NewExpression({ callee, arguments: [code] }) {
      if (callee.type !== 'Identifier' || callee.name !== 'Failure' || !code) return
      const possible = code.type === 'ConditionalExpression' ? [code.consequent, code.alternate] : [code]
      for (const one of possible)
        if (one.type === 'Literal' && typeof one.value === 'string') found.push({ code: one.value })
    },
    Identifier({ name, start }) {
      if (!ignored.has(start)) found.push({ name })
    },
  }).visit(programOf(node))
  return found
}

/** A visitor walks programs only. */
function programOf(node: Node) {
  const expression = { type: 'ExpressionStatement', expression: node, start: 0, end: 0 }
  return { type: 'Program', body: [expression], start: 0, end: 0, sourceType: 'module' } as unknown as Parameters<
    Visitor['visit']
  >[0]
}
