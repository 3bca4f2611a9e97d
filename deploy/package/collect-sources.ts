import { existsSync, readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { dirname, join, normalize } from 'node:path'

export interface Sources {
  /** JavaScript, and the JSON that it imports, by its path in the package. */
  readonly files: ReadonlyMap<string, string>
  /** Names of the packages that these files import, without Node's own modules. */
  readonly imports: ReadonlySet<string>
}

interface SourceOptions {
  /** The root of the repository. */
  readonly root: string
  /** Files that a process starts with, relative to `root`. */
  readonly entries: readonly string[]
  /** Files that are left out, with what only they reach: an import of them fails when it is evaluated. */
  readonly without?: readonly string[]
}

const SPECIFIER = /(\bfrom\s*|\bimport\s*\(?\s*)(['"])([^'"\n]+)\2/g
/** A sibling that a process of its own runs, as in `join(import.meta.dirname, 'serve.ts')`. */
const SIBLING = /(['"])([\w-]+)\.ts\1/g

/**
 * Everything that the entries reach, as JavaScript at the same lines: types become spaces, `.ts` becomes `.js`, and
 * packages of this repository become relative paths. Node runs no TypeScript below `node_modules`.
 */
export function collectSources({ root, entries, without = [] }: SourceOptions): Sources {
  const files = new Map<string, string>()
  const imports = new Set<string>()
  const workspaces = workspaceEntries(root)
  const waiting = [...entries]

  const visit = (path: string) => {
    const target = toJs(path)
    if (files.has(target)) return
    const reach = (found: string) => {
      if (!without.includes(found)) waiting.push(found)
      return relative(dirname(path), toJs(found))
    }
    const source = readFileSync(join(root, path), 'utf8')
    if (!path.endsWith('.ts')) return void files.set(target, source)
    const code = stripTypeScriptTypes(source)
      .replace(SPECIFIER, (all, keyword: string, quote: string, specifier: string) => {
        const own = workspaces.get(specifier)
        if (own !== undefined) return `${keyword}${quote}${reach(own)}${quote}`
        if (specifier.startsWith('.')) {
          if (!/\.(ts|json)$/.test(specifier)) return all
          return `${keyword}${quote}${reach(normalize(join(dirname(path), specifier)))}${quote}`
        }
        if (!specifier.startsWith('node:') && /^[@a-z]/.test(specifier)) imports.add(packageName(specifier))
        return all
      })
      .replace(SIBLING, (all, quote: string, name: string) => {
        const sibling = join(dirname(path), `${name}.ts`)
        if (!existsSync(join(root, sibling))) return all
        reach(sibling)
        return `${quote}${name}.js${quote}`
      })
    files.set(target, code)
  }
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) visit(path)
  return { files, imports }
}

/** The file behind each exported name of the repository's packages, `@weir/verify` or `@weir/verify/approval`. */
function workspaceEntries(root: string): ReadonlyMap<string, string> {
  const entries = new Map<string, string>()
  for (const folder of ['packages/verify', 'packages/devnet']) {
    const { name, exports } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as {
      name: string
      exports: string | Readonly<Record<string, string>>
    }
    for (const [key, file] of Object.entries(typeof exports === 'string' ? { '.': exports } : exports))
      entries.set(normalize(join(name, key)).replace(/\/$/, ''), normalize(join(folder, file)))
  }
  return entries
}

const packageName = (specifier: string) =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')

const toJs = (path: string) => path.replace(/\.ts$/, '.js')

function relative(from: string, to: string): string {
  const there = to.split('/')
  const here = from.split('/')
  let common = 0
  while (common < here.length && here[common] === there[common]) common += 1
  const up = '../'.repeat(here.length - common)
  return `${up || './'}${there.slice(common).join('/')}`
}
