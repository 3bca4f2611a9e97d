import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { type Lock, licenceProblems } from '../../../../scripts/supply-chain/check-licences.ts'
import { signatureVerdict } from '../../../../scripts/supply-chain/verify-signatures.ts'

const root = fileURLToPath(new URL('../../../../', import.meta.url))
const read = (path: string) => readFileSync(`${root}${path}`, 'utf8')
const lock = JSON.parse(read('package-lock.json')) as Lock & {
  packages: Record<
    string,
    { version: string; integrity?: string; dev?: boolean; devOptional?: boolean; link?: boolean }
  >
}

describe('licences', () => {
  test('are on the list for all locked packages, and npm run check compares them', () => {
    expect(licenceProblems(lock)).toEqual([])
    expect(JSON.parse(read('package.json')).scripts.check).toContain('npm run licences')
  })

  const problemsOf = (license: string | undefined, dev = false) =>
    licenceProblems({ packages: { 'node_modules/@new/one': { ...(license !== undefined && { license }), dev } } })

  test.each([
    'GPL-3.0-only',
    'GPL-2.0',
    'AGPL-3.0-or-later',
    'LGPL-3.0',
    'SSPL-1.0',
    'BUSL-1.1',
    'UNLICENSED',
    'SEE LICENSE IN LICENSE',
    'MIT AND GPL-3.0',
    '(MIT OR Apache-2.0) AND GPL-3.0',
    'GPL-2.0 WITH Classpath-exception-2.0',
    'MPL-2.0',
    '(MIT',
    '',
  ])('a package with the licence %s would fail', (license) => {
    expect(problemsOf(license)).toEqual([`@new/one has the licence ${license}`])
  })

  test('a package without one would fail, and a choice with an allowed one would not', () => {
    expect(problemsOf(undefined)).toEqual(['@new/one has no licence'])
    expect(problemsOf('GPL-3.0', true)).toHaveLength(1)
    for (const license of ['MIT', '(MIT OR GPL-3.0)', 'Apache-2.0 AND (ISC OR MIT)']) {
      expect(problemsOf(license)).toEqual([])
    }
    expect(problemsOf('MPL-2.0', true)).toEqual([])
  })
})

test('the bill of materials lists every package that runs, with its address, hash and licence', () => {
  interface Component {
    readonly name: string
    readonly group?: string
    readonly version: string
    readonly purl: string
    readonly hashes?: readonly { readonly alg: string; readonly content: string }[]
    readonly licenses?: readonly unknown[]
  }
  const text = execFileSync(process.execPath, [`${root}scripts/supply-chain/write-sbom.ts`], {
    encoding: 'utf8',
    maxBuffer: 1e8,
  })
  const document = JSON.parse(text) as {
    bomFormat: string
    metadata: { component: { name: string } }
    components: Component[]
  }
  expect([document.bomFormat, document.metadata.component.name]).toEqual(['CycloneDX', 'weir'])
  const listed = new Map(document.components.map((component) => [decodeURIComponent(component.purl), component]))
  const running = Object.entries(lock.packages).filter(
    ([path, { dev, devOptional, link }]) => path.includes('node_modules/') && !dev && !devOptional && !link,
  )
  expect(running.length).toBeGreaterThan(100)
  for (const [path, { version, integrity }] of running) {
    const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
    const component = listed.get(`pkg:npm/${name}@${version}`)
    expect(component, name).toBeDefined()
    if (integrity) expect(component!.hashes, name).toMatchObject([{ alg: 'SHA-512' }])
    expect(component!.licenses, name).not.toEqual([])
  }
  for (const tool of ['vitest', 'knip', 'oidc-provider']) {
    expect(document.components.map(({ name }) => name)).not.toContain(tool)
  }
})

describe('signatures of the registry', () => {
  test('that are invalid or missing fail', () => {
    const report = { invalid: [{ name: 'left-pad', version: '1.0.0' }], missing: [{ name: 'pad', version: '2.0.0' }] }
    expect(signatureVerdict(1, JSON.stringify(report))).toEqual({
      outcome: 'failed',
      lines: ['left-pad@1.0.0 has an invalid signature', 'pad@2.0.0 has no signature'],
    })
  })

  test('that could not be read do not fail, and the last lines say it loudly', () => {
    const unread = ['', 'npm error network', '{"error":{"code":"ENOTFOUND"}}', 'null']
    for (const output of unread) {
      const { outcome, lines } = signatureVerdict(1, output)
      expect([outcome, lines.join('\n')]).toEqual(['unknown', expect.stringContaining('DID NOT RUN')])
    }
    expect(signatureVerdict(null, '').outcome).toBe('unknown')
    expect(signatureVerdict(1, '{"invalid":[],"missing":[]}').outcome).toBe('unknown')
  })

  test('are compared by CI', () => {
    expect(signatureVerdict(0, '{"invalid":[],"missing":[]}').outcome).toBe('verified')
    expect(read('.ci/run')).toContain('npm run --silent signatures')
  })
})

test('packages are installed by their hash, and run no script of their own', () => {
  expect(read('scripts/bootstrap.mjs')).toContain('--ignore-scripts')
  for (const [path, { integrity, link }] of Object.entries(lock.packages)) {
    if (path.includes('node_modules/') && !link) expect(integrity, path).toMatch(/^sha512-/)
  }
})
