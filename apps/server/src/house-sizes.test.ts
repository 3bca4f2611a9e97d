import { expect, test } from 'vitest'
import { parseSource, type SourceFile, sourceTree } from '../testing/source/source-tree.ts'

/** A longer file has a second idea in it. Tests from outside and tools may be longer than the service and its tests. */
const LONGEST_IN_SERVICE = 300
const LONGEST = 350
/** Shorter files on the whole mean ideas torn apart; longer ones mean several in one file. */
const MEDIAN = { least: 50, most: 120 }

const server = sourceTree().filter(({ path, text }) => path.startsWith('apps/server/') && !isGenerated(path, text))

test('no file of the server exceeds 350 lines, and none of the service 300', () => {
  expect(server.flatMap(judge)).toEqual([])
})

test('the median file of the server has 50 to 120 lines', () => {
  const lengths = server.map(linesOf).toSorted((a, b) => a - b)
  const median = lengths[Math.floor(lengths.length / 2)]!
  expect(median).toBeGreaterThanOrEqual(MEDIAN.least)
  expect(median).toBeLessThanOrEqual(MEDIAN.most)
})

test('the rule finds a file with one line too many, and counts lines as an editor does', () => {
  const file = (path: string, lines: number) => parseSource(path, 'f()\n'.repeat(lines))
  expect(judge(file('apps/server/src/ledger/post.ts', 300))).toEqual([])
  expect(judge(file('apps/server/src/ledger/post.ts', 301))).toEqual(['apps/server/src/ledger/post.ts: 301 lines'])
  expect(judge(file('apps/server/system/money/ramp.test.ts', 350))).toEqual([])
  expect(judge(file('apps/server/system/money/ramp.test.ts', 351))).toEqual([
    'apps/server/system/money/ramp.test.ts: 351 lines',
  ])
})

function judge(file: SourceFile): string[] {
  const longest = file.path.startsWith('apps/server/src/') ? LONGEST_IN_SERVICE : LONGEST
  return linesOf(file) > longest ? [`${file.path}: ${linesOf(file)} lines`] : []
}

function linesOf({ text }: SourceFile): number {
  return text.replace(/\n$/, '').split('\n').length
}

/** Generated files contain no ideas to divide them by. */
function isGenerated(path: string, text: string): boolean {
  return /\.(data|generated)\.ts$/.test(path) || /^\/\/ Generated\b/.test(text)
}
