import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { REPOSITORY, serverSource, sourcesIn } from '../testing/source/source-tree.ts'
import type { StateTransition } from './kernel/index.ts'

type Transitions = readonly StateTransition[]

const tables = serverSource()
  .filter(({ path, text }) => path !== 'kernel/state-table.ts' && /\bstateTable[<(]/.test(text))
  .map(({ path }) => path)

test('a script writes a diagram of each table of states, and a test compares the two', () => {
  const tested = new Set(
    globSync('apps/server/src/**/*.test.ts', { cwd: REPOSITORY }).flatMap((path) =>
      [...readFileSync(join(REPOSITORY, path), 'utf8').matchAll(/'([./]+\/scripts\/[\w/-]+\.ts)'/g)].map(([, script]) =>
        join(dirname(path), script!),
      ),
    ),
  )
  const writers = sourcesIn('scripts').filter(({ path, text }) => tested.has(path) && text.includes('stateDiagram('))
  const drawn = new Set(writers.flatMap(({ imports }) => imports))
  expect(tables.length).toBeGreaterThan(10)
  expect(tables.filter((path) => !drawn.has(`apps/server/src/${path}`))).toEqual([])
})

test('a document shows every transition of each table', async () => {
  const pages = globSync('docs/*.md', { cwd: REPOSITORY }).map((name) => readFileSync(join(REPOSITORY, name), 'utf8'))
  for (const path of tables) {
    const exported = transitionsOf((await import(join(import.meta.dirname, path))) as Record<string, unknown>)
    expect(exported.length, path).toBeGreaterThan(0)
    for (const rows of exported)
      expect(
        pages.some((page) => isDrawn(rows, page)),
        path,
      ).toBe(true)
  }
})

test('a diagram without one of the transitions does not count', () => {
  const rows: Transitions = [
    { from: 'new', event: 'start', to: 'open' },
    { from: 'open', event: 'end', to: 'ended' },
  ]
  const page = (...lines: string[]) => ['```mermaid', 'stateDiagram-v2', ...lines, '```'].join('\n')
  expect(isDrawn(rows, page('  [*] --> open : start', '  open --> ended'))).toBe(true)
  expect(isDrawn(rows, page('  [*] --> open : start'))).toBe(false)
  expect(isDrawn(rows, `${page('  [*] --> open : start')}\n${page('  open --> ended')}`)).toBe(false)
})

/** The tables that a module exports: each as such, or by a name of its own in an object, or as its rows. */
function transitionsOf(exported: Record<string, unknown>): Transitions[] {
  return Object.values(exported).flatMap((value) => {
    if (Array.isArray(value)) return isTransition(value[0]) ? [value as Transitions] : []
    if (typeof value !== 'object' || value === null) return []
    return [value, ...Object.values(value)].flatMap((one) => {
      const rows = (one as { readonly transitions?: Transitions } | null)?.transitions
      return rows ? [rows] : []
    })
  })
}

const isTransition = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && 'from' in value && 'event' in value && 'to' in value

/** Whether one diagram of a page has an arrow for each transition. */
function isDrawn(rows: Transitions, page: string): boolean {
  const diagrams = [...page.matchAll(/```mermaid\nstateDiagram-v2\n([\s\S]*?)```/g)].map(([, lines = '']) =>
    lines.split('\n').map((line) => line.split(' : ')[0]!.trim()),
  )
  const arrows = rows.map(({ from, to }) => `${from === 'new' ? '[*]' : from} --> ${to}`)
  return diagrams.some((lines) => arrows.every((arrow) => lines.includes(arrow)))
}
