import { expect, test } from 'vitest'
import { CORE_NAMES } from './core-names.ts'
import { CORE_OPERATIONS } from './generated/core-operations.ts'
import { V1_OPERATIONS } from './generated/v1-operations.ts'
import type { NameTree } from './resources.ts'
import { V1_NAMES } from './v1-names.ts'

/** Steps that a browser takes itself, by redirects. */
const OF_BROWSERS = ['startSso', 'finishSso', 'finishSharedSso']

const leavesOf = (tree: NameTree): string[] =>
  Object.values(tree).flatMap((value) => (typeof value === 'string' ? [value] : leavesOf(value)))

test.each([
  ['v1', V1_NAMES, V1_OPERATIONS],
  ['core', CORE_NAMES, CORE_OPERATIONS],
])('every operation of %s has exactly one method', (_surface, names, operations) => {
  const expected = Object.keys(operations).filter((name) => !OF_BROWSERS.includes(name))
  expect(leavesOf(names).sort()).toEqual(expected.sort())
})
