import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Directive, type ParamPattern, parseSync, type Statement, Visitor, type VisitorObject } from 'oxc-parser'

/** One TypeScript file of the repository, parsed. */
export interface SourceFile {
  /** From the root of the repository: `apps/server/src/ledger/post.ts`. */
  readonly path: string
  readonly text: string
  readonly statements: readonly (Directive | Statement)[]
  /** The files that it imports or re-exports, in any form and for types too, as paths from the root. */
  readonly imports: readonly string[]
  /** Its functions, function types and methods, with the number of their positional parameters. */
  readonly functions: readonly { readonly line: number; readonly parameters: number }[]
  visit(visitor: VisitorObject): void
}

export const REPOSITORY = resolve(dirname(fileURLToPath(import.meta.url)), '../../../..')
const FOLDERS = ['apps', 'packages', 'examples', 'scripts', 'deploy'] as const

let parsed: readonly SourceFile[] | undefined

/** Every TypeScript file of the repository, the configuration at its root aside. Parsed once per test file. */
export function sourceTree(): readonly SourceFile[] {
  parsed ??= FOLDERS.flatMap(sourcesIn)
  return parsed
}

/** The TypeScript files of a folder, whose path is one from the root. */
export const sourcesIn = (folder: string): readonly SourceFile[] =>
  pathsIn(folder).map((path) => parseSource(path, readFileSync(join(REPOSITORY, path), 'utf8')))

/** The service without its tests, with paths below `apps/server/src`. */
export function serverSource(): readonly SourceFile[] {
  const root = 'apps/server/src/'
  return sourceTree()
    .filter(({ path }) => path.startsWith(root) && !path.endsWith('.test.ts'))
    .map((file) => ({
      ...file,
      path: file.path.slice(root.length),
      imports: file.imports.map((target) => relative(root, target)),
    }))
}

/** A file as the tree has it, of a text that need not exist: for tests of the rules themselves. */
export function parseSource(path: string, text: string): SourceFile {
  const { program, errors } = parseSync(path, text)
  if (errors.length > 0) throw new Error(`${path}: ${errors[0]!.message}`)
  const visit = (visitor: VisitorObject) => new Visitor(visitor).visit(program)
  const imports = new Set<string>()
  const functions: { line: number; parameters: number }[] = []
  const importing = ({ source }: { source: unknown }) => {
    const target = source && typeof source === 'object' && 'value' in source ? source.value : undefined
    if (typeof target === 'string' && target.startsWith('.')) imports.add(join(dirname(path), target))
  }
  const declaring = ({ start, params }: { start: number; params: readonly ParamPattern[] }) => {
    // A `this` parameter is a type and takes no argument.
    const positional = params.filter((one) => !(one.type === 'Identifier' && one.name === 'this'))
    functions.push({ line: text.slice(0, start).split('\n').length, parameters: positional.length })
  }
  visit({
    ImportDeclaration: importing,
    ImportExpression: importing,
    ExportNamedDeclaration: importing,
    ExportAllDeclaration: importing,
    TSImportType: importing,
    FunctionDeclaration: declaring,
    FunctionExpression: declaring,
    ArrowFunctionExpression: declaring,
    TSDeclareFunction: declaring,
    TSFunctionType: declaring,
    TSMethodSignature: declaring,
  })
  return { path, text, statements: program.body, imports: [...imports], functions, visit }
}

function pathsIn(folder: string): string[] {
  return readdirSync(join(REPOSITORY, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`
    if (entry.isDirectory()) return entry.name === 'node_modules' ? [] : pathsIn(path)
    return /\.tsx?$/.test(path) ? [path] : []
  })
}
