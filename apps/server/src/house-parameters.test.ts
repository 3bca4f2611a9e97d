import { expect, test } from 'vitest'
import { parseSource, type SourceFile, sourceTree } from '../testing/source/source-tree.ts'

/** More positional arguments do not explain themselves, and two of one type are swapped unnoticed. */
const PARAMETERS_MAX = 4

test('no function of the repository has more than four positional parameters', () => {
  expect(sourceTree().flatMap(longListsOf)).toEqual([])
})

test('the rule counts the parameters of functions, methods, callbacks and their types', () => {
  const found = (text: string) => longListsOf(parseSource('a.ts', text))
  expect(found('function f(a, b, c, d, e) {}')).toEqual(['a.ts:1 has 5 parameters'])
  expect(found('const f = (a, b, c, d, e = 1) => a')).toEqual(['a.ts:1 has 5 parameters'])
  expect(found('class C {\n  #m(a, b, c, d, ...e) {}\n}')).toEqual(['a.ts:2 has 5 parameters'])
  expect(found('interface I { m(a: A, b: A, c: A, d: A, e?: A): void }')).toEqual(['a.ts:1 has 5 parameters'])
  expect(found('type F = (a: A, b: A, c: A, d: A, e: A) => void')).toEqual(['a.ts:1 has 5 parameters'])
  expect(found('f(async function (a, b, c, d, e) {})')).toEqual(['a.ts:1 has 5 parameters'])
  expect(found('function f(this: T, a, { b, c }, [d, e], { f, g }) {}')).toEqual([])
})

function longListsOf({ path, functions }: SourceFile): string[] {
  return functions
    .filter(({ parameters }) => parameters > PARAMETERS_MAX)
    .map(({ line, parameters }) => `${path}:${line} has ${parameters} parameters`)
}
