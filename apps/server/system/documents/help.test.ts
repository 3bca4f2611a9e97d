import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { SETTINGS } from '../../src/config.ts'
import { environmentOf } from '../processes/service-process.ts'

const REPOSITORY = fileURLToPath(new URL('../../../..', import.meta.url))

const { scripts } = JSON.parse(readFileSync(join(REPOSITORY, 'package.json'), 'utf8'))

const ON_THE_HOST = [
  'audit:verify',
  'invite',
  'owner:recover',
  'rotate-secrets',
  'domain:approve',
  'organization:erase',
]

/**
 * Runs a script of the repository as npm does, in a shell with the arguments behind it; returns its output and exit
 * code. Skips the pre-script: it could reinstall packages while other tests use them.
 */
async function given(script: string, ...args: string[]) {
  const child = spawn('sh', ['-c', `${scripts[script]} "$@"`, 'sh', ...args], {
    cwd: REPOSITORY,
    env: environmentOf({}),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  return { out, err, code }
}

test.each([
  'start',
  'agent',
  'simulate',
  'bench',
  'audit:verify',
  'invite',
  'owner:recover',
  'rotate-secrets',
  'domain:approve',
  'organization:erase',
  'chains',
  'cluster',
  'tour',
  'tour:treasury',
  'tour:ramp',
])('npm run %s -- --help prints its arguments on stdout, does nothing else, and exits with 0', async (script) => {
  const { out, err, code } = await given(script, '--help')
  expect({ err, code }).toEqual({ err: '', code: 0 })
  expect(out).toContain(
    script === 'start' ? 'npm start' : `npm run ${ON_THE_HOST.includes(script) ? '-s ' : ''}${script}`,
  )
  expect(out).not.toContain('starting')
})

test('no command loads the service, its database or its chains before it has read its arguments', () => {
  const files = Object.values<string>(scripts).flatMap(
    (line) => /\bnode .*?(apps\/(?:server|agent)\S+\.ts)$/.exec(line)?.[1] ?? [],
  )
  files.push('apps/cli/src/main.ts')
  expect(files.length).toBeGreaterThan(10)
  const heavy =
    /apps\/server\/src\/(?:kernel|database|chains|identity|surfaces|operations)\/|apps\/agent\/src\/agent\.ts/
  for (const file of files) {
    const loaded = loadedAtOnce(join(REPOSITORY, file))
    // The agent's settings name venues and chains, which its verifier defines.
    if (!file.startsWith('apps/agent/src')) expect(loaded.packages, file).not.toContain('viem')
    expect(
      loaded.files.filter((name) => heavy.test(name)),
      file,
    ).toEqual([])
  }
})

test('the help of npm start lists every setting', async () => {
  const { out } = await given('start', '--help')
  for (const { name } of Object.values(SETTINGS)) expect(out).toContain(`  ${name}=`)
})

test.each([
  ['start', ['--port', '5']],
  ['agent', ['--nonsense']],
  ['agent', ['allow-list', 'nonsense']],
  ['simulate', ['--nonsense']],
  ['simulate', ['--seeds', 'many']],
  ['bench', ['--nonsense']],
  ['audit:verify', ['--nonsense']],
  ['owner:recover', ['one@acme.example', '--nonsense']],
  ['chains', ['--nonsense']],
  ['cluster', ['--nonsense']],
  ['tour', ['--nonsense']],
  ['tour:treasury', ['--nonsense']],
  ['tour:ramp', ['--nonsense']],
])('npm run %s refuses %j with a message before it does anything', async (script, args) => {
  const { out, err, code } = await given(script, ...args)
  expect({ out, code }).toEqual({ out: '', code: ['audit:verify', 'owner:recover'].includes(script) ? 2 : 1 })
  expect(err).toContain(args.at(-1))
  expect(err).not.toMatch(/\n\s+at |node:/)
})

/** The files and packages that a file imports, directly and through others, before any of its code runs. */
function loadedAtOnce(file: string, found = { files: new Set<string>(), packages: new Set<string>() }) {
  found.files.add(file)
  const source = readFileSync(file, 'utf8')
  for (const [, names, from = ''] of source.matchAll(/^(?:import|export) ([^;']*?from )?'([^']+)'/gm)) {
    if (names?.startsWith('type ')) continue
    const target = join(dirname(file), from)
    if (!from.startsWith('.')) found.packages.add(from)
    else if (!found.files.has(target)) loadedAtOnce(target, found)
  }
  return { files: [...found.files], packages: [...found.packages] }
}
