import { expect, test } from 'vitest'
import { parseSource, type SourceFile, sourceTree } from '../testing/source/source-tree.ts'

test('no circle of imports anywhere in the repository, types included', () => {
  expect(circlesIn(sourceTree())).toEqual([])
})

test('a circle is found, whether it goes through a value, a type, a re-export or a dynamic import', () => {
  const tree = [
    parseSource('a/one.ts', "import type { Two } from './two.ts'"),
    parseSource('a/two.ts', "export * from '../b/three.ts'"),
    parseSource('b/three.ts', "const one = await import('../a/one.ts')"),
    parseSource('b/four.ts', "let five: import('./five.ts').Five"),
    parseSource('b/five.ts', "import './four.ts'"),
    parseSource('b/six.ts', "import './four.ts'"),
  ]
  expect(circlesIn(tree)).toEqual(['a/one.ts a/two.ts b/three.ts', 'b/five.ts b/four.ts'])
})

/** Files that reach each other, after Tarjan: each circle with its files in order. */
function circlesIn(files: readonly SourceFile[]): string[] {
  const imports = new Map(files.map(({ path, imports }) => [path, imports]))
  const order = new Map<string, number>()
  const lowest = new Map<string, number>()
  const open: string[] = []
  const circles: string[] = []
  const visit = (path: string) => {
    order.set(path, order.size)
    lowest.set(path, order.get(path)!)
    open.push(path)
    for (const target of imports.get(path)!) {
      if (!imports.has(target)) continue
      if (!order.has(target)) visit(target)
      if (open.includes(target)) lowest.set(path, Math.min(lowest.get(path)!, lowest.get(target)!))
    }
    if (lowest.get(path) !== order.get(path)) return
    const circle = open.splice(open.indexOf(path))
    if (circle.length > 1) circles.push(circle.sort().join(' '))
  }
  for (const { path } of files) if (!order.has(path)) visit(path)
  return circles.sort()
}
