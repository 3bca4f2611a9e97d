export interface LockEntry {
  readonly version?: string
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>
  readonly [key: string]: unknown
}

export interface Lock {
  readonly lockfileVersion: number
  readonly packages: Readonly<Record<string, LockEntry>>
}

/** A dependency of the package: the workspace whose version of it counts, and whether it may be missing. */
export interface Direct {
  readonly name: string
  readonly workspace: string
  readonly isOptional: boolean
}

interface Placed {
  /** Where the package is in the new tree. */
  readonly at: string
  /** Where the repository's lock has it. */
  readonly from: string
  readonly isOptional: boolean
}

const MODULES = 'node_modules/'

/**
 * The part of the repository's lock that `direct` needs, for a package without workspaces: the same versions and
 * hashes. A version that a workspace has for itself moves to the root, or below its dependents if the root has another.
 */
export function pruneLock(lock: Lock, direct: readonly Direct[]): Record<string, LockEntry> {
  const placed = new Map<string, Placed>()
  const waiting: Placed[] = []

  const place = (name: string, { below, found, isOptional }: { below: string; found: string; isOptional: boolean }) => {
    const present = lookUp(placed, below, name)
    if (present !== undefined && versionOf(lock, placed.get(present)!.from) === versionOf(lock, found)) {
      const entry = placed.get(present)!
      if (entry.isOptional && !isOptional) {
        const required = { ...entry, isOptional: false }
        placed.set(present, required)
        waiting.push(required)
      }
      return
    }
    const top = `${MODULES}${name}`
    const at = placed.has(top) || below === '' ? join(below, name) : top
    if (placed.has(at)) throw new Error(`two workspaces depend on different versions of ${name}`)
    const entry = { at, from: found, isOptional }
    placed.set(at, entry)
    waiting.push(entry)
  }

  for (const { name, workspace, isOptional } of direct) {
    const found = lookUp(lock.packages, workspace, name)
    if (found !== undefined) place(name, { below: '', found, isOptional })
    else if (!isOptional) throw new Error(`${name} of ${workspace} is not in the lock`)
  }
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    for (const { name, isOptional } of dependenciesOf(lock.packages[next.from]!)) {
      const found = lookUp(lock.packages, next.from, name)
      if (found !== undefined) place(name, { below: next.at, found, isOptional: isOptional || next.isOptional })
    }
  }
  const entries = [...placed.values()].toSorted((a, b) => (a.at < b.at ? -1 : 1))
  return Object.fromEntries(
    entries.map(({ at, from, isOptional }) => {
      const { dev, devOptional, optional, peer, optionalDependencies, ...entry } = lock.packages[from]!
      // The repository locks the platforms that it supports. npm would look up the others.
      const locked = Object.entries(optionalDependencies ?? {}).filter(([name]) => lookUp(placed, at, name))
      return [
        at,
        {
          ...entry,
          ...(locked.length > 0 && { optionalDependencies: Object.fromEntries(locked) }),
          ...(isOptional && { optional: true }),
        },
      ]
    }),
  )
}

const join = (below: string, name: string) => `${below === '' ? '' : `${below}/`}${MODULES}${name}`

const versionOf = (lock: Lock, place: string) => lock.packages[place]!.version

/** What Node finds under this name from a place: the nearest `node_modules` that has it. */
function lookUp(
  tree: ReadonlyMap<string, unknown> | Readonly<Record<string, unknown>>,
  from: string,
  name: string,
): string | undefined {
  const has = (path: string) => (tree instanceof Map ? tree.has(path) : Object.hasOwn(tree, path))
  for (let folder = from; ; folder = folder.replace(/\/?[^/]*$/, '')) {
    const candidate = join(folder, name)
    if (!folder.endsWith('node_modules') && has(candidate)) return candidate
    if (folder === '') return undefined
  }
}

function dependenciesOf(entry: LockEntry): { name: string; isOptional: boolean }[] {
  const { dependencies = {}, optionalDependencies = {}, peerDependencies = {}, peerDependenciesMeta = {} } = entry
  const peers = Object.keys(peerDependencies).filter((name) => !peerDependenciesMeta[name]?.optional)
  return [
    ...Object.keys(dependencies).map((name) => ({ name, isOptional: name in optionalDependencies })),
    ...peers.map((name) => ({ name, isOptional: false })),
    ...Object.keys(optionalDependencies).map((name) => ({ name, isOptional: true })),
  ]
}
