import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

/** The rooms of the agent. Each imports from the rooms before it, through their index.ts where they have one. */
const FLOORS: Readonly<Record<string, number>> = {
  clock: 0,
  approvals: 1,
  'bounded-body': 1,
  backoff: 1,
  limits: 1,
  sign: 1,
  config: 2,
  journal: 2,
  log: 3,
  signers: 2,
  service: 2,
  chains: 3,
  work: 4,
  status: 5,
  agent: 6,
  main: 7,
}
const DOORS = new Set(['approvals', 'limits', 'sign', 'journal', 'signers', 'chains', 'work'])

const agent = dirname(fileURLToPath(import.meta.url))
const verify = resolve(agent, '../../../packages/verify/src')
const code = (root: string) =>
  readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts') && !name.startsWith('test-'))
    .map((name) => ({ name, text: readFileSync(join(root, name), 'utf8') }))

const roomOf = (name: string) => (name.split('/')[0] ?? '').replace(/\.ts$/, '')
const importsOf = (root: string, name: string, text: string) =>
  [...text.matchAll(/\bfrom\s+'(\.[^']*)'/g)].map((match) => relative(root, resolve(root, dirname(name), match[1]!)))

test('a room imports from rooms before it, through their index.ts', () => {
  const wrong = code(agent).flatMap(({ name, text }) =>
    importsOf(agent, name, text).filter((target) => {
      const [from, to] = [roomOf(name), roomOf(target)]
      if (from === to) return false
      const isBelow = (FLOORS[to] ?? 99) < (FLOORS[from] ?? 0)
      return !isBelow || (DOORS.has(to) && target !== `${to}/index.ts`)
    }),
  )
  expect(wrong).toEqual([])
})

test('the verifier shares neither code nor lists with the planner (rule 10)', () => {
  for (const { name, text } of code(verify)) {
    expect(importsOf(verify, name, text).filter((target) => target.startsWith('..'))).toEqual([])
    expect(text, name).not.toMatch(/@weir\//)
  }
  for (const { name, text } of code(agent)) expect(text, name).not.toMatch(/@weir\/(server|devnet)/)
})

test('the machine’s clock is read in one place', () => {
  const readers = code(agent).filter(({ text }) => /\bDate\.now\(|\bnew Date\(\s*\)|\bperformance\.now\(/.test(text))
  expect(readers.map(({ name }) => name)).toEqual(['clock.ts'])
})

test('no file has more than 300 lines', () => {
  const long = [...code(agent), ...code(verify)].filter(({ text }) => text.split('\n').length > 301)
  expect(long.map(({ name }) => name)).toEqual([])
})
