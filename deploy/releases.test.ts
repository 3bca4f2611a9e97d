import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { listedReleases, releasesOf, tagReleases } from './releases.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')
const { version } = JSON.parse(read('package.json')) as { version: string }
/** Those of the changelog, the newest first. */
const versions = [...read('CHANGELOG.md').matchAll(/^## (\d+\.\d+\.\d+) \(\d{4}-\d\d-\d\d\)$/gm)].map(
  ([, name]) => name!,
)

describe('the newest version of the changelog', () => {
  test('is that of every package and of the lock file', () => {
    expect(versions[0]).toBe(version)
    const { packages, ...lock } = JSON.parse(read('package-lock.json')) as {
      version: string
      packages: Record<string, { version?: string; link?: boolean }>
    }
    const own = Object.entries(packages).filter(([path]) => !path.includes('node_modules/'))
    expect(own.length).toBeGreaterThan(10)
    for (const [path, { version: locked }] of own) {
      const { version: raised } = JSON.parse(read(join(path, 'package.json'))) as { version: string }
      expect([path, raised, locked]).toEqual([path, version, version])
    }
    expect(lock.version).toBe(version)
  })

  test('is that of chart, image and compose files', () => {
    const chart = parse(read('deploy/helm/weir/Chart.yaml')) as { version: string; appVersion: string }
    expect([chart.version, chart.appVersion]).toEqual([version, version])
    expect(read('deploy/Dockerfile')).toContain(`ARG VERSION=${version}\n`)
    const images = ['live', 'sandbox'].flatMap((name) => [
      ...read(`deploy/compose/${name}.yaml`).matchAll(/image: weir:(\S+)/g),
    ])
    expect(images.map(([, tag]) => tag)).toEqual([version, `${version}-sandbox`])
  })

  test('is the one that the pages about installing name', () => {
    const pages = readdirSync(join(ROOT, 'docs')).filter((name) => /^(install.*|upgrading)\.md$/.test(name))
    const form = /(?:weir[:-]|\/opt\/weir\/|git checkout v)(\d+\.\d+\.\d+)/g
    const named = pages.flatMap((page) =>
      [...read(join('docs', page)).matchAll(form)].map(([, one]) => `${page} ${one}`),
    )
    expect(named.length).toBeGreaterThan(8)
    expect(named.filter((one) => !one.endsWith(` ${version}`))).toEqual([])
  })
})

describe('the released versions', () => {
  test('are those of the changelog; a release cannot name its own commit, so the next change does', () => {
    const listed = listedReleases().map((release) => release.version)
    const isRelease = !readdirSync(join(ROOT, '.changeset')).some((name) => /^(?!README).*\.md$/.test(name))
    const expected = versions.toReversed()
    expect(isRelease && listed.length < expected.length ? [...listed, version] : listed).toEqual(expected)
    const frozen = read('apps/server/src/database/migrating/released-migrations.test.ts').matchAll(
      /^ {2}\['([\d.]+)', /gm,
    )
    expect([...frozen].map(([, name]) => name)).toEqual(expected)
  })

  test('have commits with their version, where the clone has its history', () => {
    for (const { version: released, commit } of listedReleases()) {
      expect(commit).toMatch(/^[0-9a-f]{40}$/)
      const file = show(ROOT, `${commit}:package.json`)
      if (file !== undefined) expect(JSON.parse(file)).toMatchObject({ version: released })
    }
  })
})

describe('a clone', () => {
  let clone: string
  let commits: string[]
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.com', ...args], {
      cwd: clone,
      encoding: 'utf8',
    }).trim()
  beforeAll(() => {
    clone = mkdtempSync(join(tmpdir(), 'weir-releases-'))
    git('init', '--quiet')
    commits = ['1', '2', '3'].map((text) => {
      writeFileSync(join(clone, 'file'), text)
      git('add', 'file')
      git('commit', '--quiet', '--message', text)
      return git('rev-parse', 'HEAD')
    })
  })
  afterAll(() => rmSync(clone, { recursive: true, force: true }))

  test('gets the tags that it lacks, keeps its own, and lists all by version', () => {
    git('tag', '--annotate', 'v0.10.0', '--message', 'ten', commits[2]!)
    git('tag', 'another')
    const listed = [
      { version: '0.2.0', commit: commits[0]! },
      { version: '0.10.0', commit: commits[2]! },
    ]
    const all = [listed[0], listed[1]]
    expect(releasesOf(clone, listed)).toEqual(all)
    expect(tagReleases(clone, listed)).toEqual(['v0.2.0'])
    expect(git('rev-parse', 'v0.2.0^{commit}')).toBe(commits[0])
    expect(tagReleases(clone, listed)).toEqual([])
    expect(releasesOf(clone, [])).toEqual(all)
  })

  test('is at the newest version after the block of docs/install.md, also if it was made without tags', () => {
    git('tag', '--force', `v${version}`, commits[1]!)
    const copy = join(clone, 'copy')
    git('clone', '--quiet', '--no-tags', clone, copy)
    const [, block = ''] = /^```sh\n(git fetch[\s\S]*?)^```$/m.exec(read('docs/install.md')) ?? []
    execFileSync('bash', ['-euc', block], { cwd: copy, stdio: 'ignore' })
    expect(git('-C', copy, 'rev-parse', 'HEAD')).toBe(commits[1])
  })

  test('is refused where it lacks a commit, where a tag is somewhere else, and where it is not a tag', () => {
    const unknown = [{ version: '99.0.0', commit: '0'.repeat(40) }]
    expect(() => tagReleases(clone, unknown)).toThrow('git fetch --unshallow')
    git('tag', '--force', 'v99.1.0', commits[0]!)
    expect(() => tagReleases(clone, [{ version: '99.1.0', commit: commits[1]! }])).toThrow('compare both')
    expect(() => releasesOf(tmpdir(), [])).toThrow('is no clone')
  })
})

/** A file of a commit; undefined where the clone lacks it. */
function show(clone: string, object: string): string | undefined {
  try {
    return execFileSync('git', ['show', object], { cwd: clone, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
  } catch {
    return undefined
  }
}
