import { expect, test } from 'vitest'
import { parseSource, type SourceFile, serverSource } from '../testing/source/source-tree.ts'

test('the name of an exported type is declared once in the service', () => {
  expect(ambiguousNames(serverSource())).toEqual([])
})

test('an exported type with the name of another one is found, whether that one is exported or not', () => {
  const tree = [
    parseSource('a.ts', 'export interface Page {}\ninterface Local {}'),
    parseSource('b.ts', 'type Page = number\ntype Local = string'),
    parseSource('c.ts', 'export class Page {}'),
  ]
  expect(ambiguousNames(tree)).toEqual(['Page: a.ts, b.ts, c.ts'])
})

function ambiguousNames(files: readonly SourceFile[]): string[] {
  const places = new Map<string, Set<string>>()
  const exported = new Set<string>()
  for (const { path, statements } of files) {
    for (const statement of statements) {
      const isExported = statement.type === 'ExportNamedDeclaration'
      const declared = isExported ? statement.declaration : statement
      const isType =
        declared?.type === 'TSInterfaceDeclaration' ||
        declared?.type === 'TSTypeAliasDeclaration' ||
        declared?.type === 'ClassDeclaration'
      if (!isType || !declared.id) continue
      const { name } = declared.id
      if (isExported) exported.add(name)
      places.set(name, (places.get(name) ?? new Set()).add(path))
    }
  }
  return [...exported].flatMap((name) => {
    const files = [...places.get(name)!]
    return files.length > 1 ? [`${name}: ${files.join(', ')}`] : []
  })
}
