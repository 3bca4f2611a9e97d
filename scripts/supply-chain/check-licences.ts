// Checks the licence of every locked package against a list. `npm run check` runs it.
import { readFileSync } from 'node:fs'

/** Licences that allow use, change and distribution without obligations beyond a notice. */
const ALLOWED = new Set([
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  'Unlicense',
])

/** Also for tools that are never distributed: changes to their own files must be published. */
const ALLOWED_FOR_TOOLS = new Set([...ALLOWED, 'EPL-2.0', 'MPL-2.0', 'Python-2.0', 'PSF-2.0'])

/** A package as package-lock.json lists it. */
interface LockedPackage {
  readonly license?: string
  readonly dev?: boolean
  readonly link?: boolean
}

export interface Lock {
  readonly packages: Readonly<Record<string, LockedPackage>>
}

/** One line for each package whose licence is missing or not on the list. */
export function licenceProblems({ packages }: Lock): string[] {
  return Object.entries(packages).flatMap(([path, { license, dev, link }]) => {
    if (link || !path.includes('node_modules/')) return []
    const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
    if (license === undefined) return [`${name} has no licence`]
    return isAllowed(license, dev ? ALLOWED_FOR_TOOLS : ALLOWED) ? [] : [`${name} has the licence ${license}`]
  })
}

/** Whether an SPDX expression leaves a choice of allowed licences: one of an OR, all of an AND. */
function isAllowed(expression: string, allowed: ReadonlySet<string>): boolean {
  const tokens = expression.match(/[()]|[^\s()]+/g) ?? []
  let at = 0
  const term = (): boolean => {
    if (tokens[at] !== '(') return allowed.has(tokens[at++] ?? '')
    at += 1
    const inner = choice()
    return tokens[at++] === ')' && inner
  }
  const all = (): boolean => {
    let result = term()
    while (tokens[at] === 'AND') {
      at += 1
      result = term() && result
    }
    return result
  }
  const choice = (): boolean => {
    let result = all()
    while (tokens[at] === 'OR') {
      at += 1
      result = all() || result
    }
    return result
  }
  // What is left over, such as WITH and its exception, is not understood.
  return choice() && at === tokens.length
}

if (import.meta.main) {
  const lock = JSON.parse(readFileSync(new URL('../../package-lock.json', import.meta.url), 'utf8')) as Lock
  const problems = licenceProblems(lock)
  for (const problem of problems) process.stderr.write(`${problem}\n`)
  process.exitCode = problems.length > 0 ? 1 : 0
}
