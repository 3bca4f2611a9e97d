import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { REPOSITORY } from '../testing/source/source-tree.ts'

const FILES = ['*.md', '{apps,deploy,docs,examples,packages,scripts}/**/*.{md,mjs,ts,tsx}']
const NOT_WRITTEN_HERE = /(^|\/)(node_modules|dist|fixtures|artifacts|generated)(\/|$)/

/** The numbers that each kind of citation may have, from the document that it points to. */
const CITABLE: Readonly<Record<string, ReadonlySet<string>>> = {
  spec: numbersIn('docs/reference/spec.md', /^#+ (\d+(?:\.\d+)?)\.? /gm),
  contract: numbersIn('docs/reference/contract.md', /^## (\d+)\. /gm),
  rule: numbersIn('docs/reference/money-rules.md', /^(\d+)\. /gm),
  ADR: new Set(
    globSync('docs/decisions/[0-9]*.md', { cwd: REPOSITORY }).map((path) => `${Number(path.slice(15, 19))}`),
  ),
}

test('every citation points to a section, a rule or a decision that exists', () => {
  const paths = globSync(FILES, { cwd: REPOSITORY, exclude: (path) => NOT_WRITTEN_HERE.test(path) })
  expect(paths.toSorted().flatMap((path) => wrongIn(path, readFileSync(join(REPOSITORY, path), 'utf8')))).toEqual([])
})

test('the rule finds a citation of nothing, also when a comment wraps it', () => {
  expect(wrongIn('a.ts', '// Signed bytes stay (spec 4.6, contract 8, rule 5, ADR\n// 8).')).toEqual([])
  const [section, rule, decision] = ['4.99', '13', '9999']
  expect(
    wrongIn('a.ts', `// See spec ${section}, contract ${rule}0 and rule ${rule}, as ADR\n * ${decision} says.`),
  ).toEqual([`a.ts: spec ${section}`, `a.ts: contract ${rule}0`, `a.ts: rule ${rule}`, `a.ts: ADR ${decision}`])
})

function wrongIn(path: string, text: string): string[] {
  const line = text.replaceAll(/\n\s*(?:\/\/+|\*(?!\/)|#+|--)?\s*/g, ' ')
  return [...line.matchAll(/(?<![\w-])(spec|contract|rule|ADR) (\d+(?:\.\d+)*)(?![\w.]*\d|[-/]\d)/g)].flatMap(
    ([citation, kind, number]) => (CITABLE[kind!]!.has(number!) ? [] : [`${path}: ${citation}`]),
  )
}

function numbersIn(path: string, pattern: RegExp): ReadonlySet<string> {
  return new Set([...readFileSync(join(REPOSITORY, path), 'utf8').matchAll(pattern)].map(([, number]) => number!))
}
