import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** A released version and its commit. */
export interface Release {
  readonly version: string
  readonly commit: string
}

const ROOT = fileURLToPath(new URL('..', import.meta.url))

/** The versions that `deploy/releases.json` names, for clones without tags (ADR 173); the oldest first. */
export function listedReleases(): readonly Release[] {
  return JSON.parse(readFileSync(join(ROOT, 'deploy/releases.json'), 'utf8')) as Release[]
}

/**
 * Every version that a clone has a tag of, and those listed, the oldest first. Throws a sentence for the operator where
 * a tag contradicts the list, and where the clone lacks a commit.
 */
export function releasesOf(clone = ROOT, listed = listedReleases()): readonly Release[] {
  const tagged = tagsOf(clone)
  for (const { version, commit } of listed) {
    const actual = tagged.get(version)
    if (actual !== undefined && actual !== commit)
      throw new Error(`the tag v${version} is at ${actual}, deploy/releases.json says ${commit}: compare both`)
    if (actual === undefined && git(clone, 'cat-file', '-e', `${commit}^{commit}`).status !== 0)
      throw new Error(`this clone lacks ${commit}, the commit of ${version}: git fetch --unshallow`)
    tagged.set(version, commit)
  }
  const inOrder = new Intl.Collator('en', { numeric: true })
  return [...tagged]
    .map(([version, commit]) => ({ version, commit }))
    .sort((one, other) => inOrder.compare(one.version, other.version))
}

/** Creates the tags that a clone lacks, and returns their names. */
export function tagReleases(clone = ROOT, listed = listedReleases()): readonly string[] {
  const existing = tagsOf(clone)
  const missing = releasesOf(clone, listed).filter(({ version }) => !existing.has(version))
  return missing.map(({ version, commit }) => {
    const { status, stderr } = git(clone, 'tag', `v${version}`, commit)
    if (status !== 0) throw new Error(`git tag v${version}: ${stderr}`)
    return `v${version}`
  })
}

/** The commits of tags such as `v0.1.0`, by version. */
function tagsOf(clone: string): Map<string, string> {
  // %(*objectname) is the commit of an annotated tag; a tag without annotation has the commit itself.
  const format = '%(refname:strip=2) %(objectname) %(*objectname)'
  const { status, stdout, stderr } = git(clone, 'for-each-ref', `--format=${format}`, 'refs/tags/v*')
  if (status !== 0) throw new Error(`${clone} is no clone of the repository: ${stderr}`)
  const tags = [...stdout.matchAll(/^v(\d+\.\d+\.\d+) (\w+) ?(\w*)$/gm)]
  return new Map(tags.map(([, version = '', object = '', commit = '']) => [version, commit || object]))
}

function git(clone: string, ...args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync('git', args, { cwd: clone, encoding: 'utf8' })
  return { status, stdout: stdout ?? '', stderr: stderr ?? '' }
}
