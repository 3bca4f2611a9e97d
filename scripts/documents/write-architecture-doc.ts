// Draws the rooms of the service in docs/architecture.md from the imports between them. The text around the picture is
// written by hand. A test compares the two.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { withParts } from './state-diagrams.ts'

const repository = fileURLToPath(new URL('../..', import.meta.url))
const source = join(repository, 'apps/server/src')
const file = join(repository, 'docs/architecture.md')

type Imports = ReadonlyMap<string, ReadonlySet<string>>

/** The document with the picture between its markers. Throws if a marker is missing. */
export function architectureDocument(current: string): string {
  const floors = readFloors()
  const imports = readImports(floors)
  return withParts('docs/architecture.md', current, { picture: () => picture(floors, imports) })
}

/** The floor of each room, from the table in CONTRIBUTING.md, which the house test compares with the code. */
function readFloors(): ReadonlyMap<string, number> {
  const text = readFileSync(join(repository, 'CONTRIBUTING.md'), 'utf8')
  return new Map([...text.matchAll(/^\| (\d+) \| `(\w+)` \|/gm)].map(([, floor, room]) => [room!, Number(floor)]))
}

/** The rooms that each room imports, types included, tests excluded. */
function readImports(floors: ReadonlyMap<string, number>): Imports {
  const imports = new Map([...floors.keys()].map((room) => [room, new Set<string>()]))
  for (const name of readdirSync(source, { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.ts') || name.endsWith('.test.ts')) continue
    const text = readFileSync(join(source, name), 'utf8')
    for (const [, target = ''] of text.matchAll(/(?:\bfrom|\bimport)\s*\(?\s*'(\.[^']*)'/g)) {
      const [from, to] = [roomOf(name), roomOf(relative(source, resolve(source, dirname(name), target)))]
      if (from !== to && floors.has(to)) imports.get(from)?.add(to)
    }
  }
  return imports
}

/** `ledger/post.ts` → `ledger`, `main.ts` → `main`. */
const roomOf = (name: string): string => (name.split('/')[0] ?? '').replace(/\.ts$/, '')

/** Omits implied arrows: if a room imports B and B reaches C, its own import of C is not drawn. */
function picture(floors: ReadonlyMap<string, number>, imports: Imports): string {
  const levels = [...new Set(floors.values())].sort((a, b) => b - a)
  const rooms = levels.flatMap((level) => [
    `  subgraph floor${level}["floor ${level}"]`,
    ...[...floors].filter(([, floor]) => floor === level).map(([room]) => `    ${room}`),
    '  end',
  ])
  const arrows = [...imports].flatMap(([room, direct]) => {
    const implied = new Set([...direct].flatMap((next) => [...reachable(next, imports)]))
    const drawn = [...direct].filter((next) => !implied.has(next)).sort()
    return drawn.map((next) => `  ${room} --> ${next}`)
  })
  return ['```mermaid', 'flowchart TB', ...rooms, ...arrows, '```'].join('\n')
}

/** The rooms that this one imports, directly or indirectly. */
function reachable(room: string, imports: Imports): ReadonlySet<string> {
  const found = new Set<string>()
  const open = [room]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const below of imports.get(next) ?? []) {
      if (found.has(below)) continue
      found.add(below)
      open.push(below)
    }
  }
  return found
}

if (import.meta.main) writeFileSync(file, architectureDocument(readFileSync(file, 'utf8')))
