import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Command } from 'commander'
import { expect, onTestFinished, test } from 'vitest'
import { cliDocument, OF_A_CLONE } from '../../../scripts/documents/write-cli-doc.ts'
import { BENCHES } from '../../server/bench/benches.ts'
import { testShell } from '../testing/test-shell.ts'
import { candidates } from './complete.ts'
import { factsOf } from './define-command.ts'
import { createProgram } from './program.ts'
import { run } from './run.ts'

const program = createProgram(testShell(), () => {})
const leaves = (command: Command): Command[] =>
  command.commands.length === 0 ? [command] : command.commands.flatMap(leaves)
/** A folder of data that is removed with the test. */
function dataDir(): string {
  const folder = mkdtempSync(join(tmpdir(), 'weir-cli-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

const pathOf = (command: Command): string[] => (command.parent ? [...pathOf(command.parent), command.name()] : [])

test('weir alone prints the help on stdout, and --help does', async () => {
  for (const args of [[], ['--help']]) {
    const shell = testShell()
    expect(await run(args, shell)).toBe(0)
    expect(shell.printed.join('\n')).toContain('Usage: weir')
    expect(shell.complained).toEqual([])
  }
})

test('a help that cites a page says where the pages are', async () => {
  for (const args of [['--help'], ['audit', 'verify', '--help'], ['keys', 'create', '--help']]) {
    const shell = testShell()
    await run(args, shell)
    const [, folder = ''] =
      /^docs\/ is (.+); a service has these pages under \/docs\.$/m.exec(shell.printed.join('\n')) ?? []
    for (const [, page = ''] of shell.printed.join(' ').matchAll(/\bdocs\/([\w-]+\.md)/g))
      expect(existsSync(join(folder, page)), page).toBe(true)
  }
  const shell = testShell()
  await run(['listen', '--help'], shell)
  expect(shell.printed.join('\n')).not.toContain('docs/ is')
})

test('weir --version prints the version of the service that it starts, and nothing else', async () => {
  const { version } = JSON.parse(readFileSync(new URL('../../server/package.json', import.meta.url), 'utf8'))
  for (const flag of ['--version', '-V']) {
    const shell = testShell()
    expect(await run([flag], shell)).toBe(0)
    expect(shell.printed).toEqual([version])
    expect(shell.complained).toEqual([])
  }
})

test.each(leaves(program).map((command) => [pathOf(command).join(' '), command] as const))(
  'the help of weir %s has a description and examples, each of which is a use of it',
  async (path, command) => {
    const { examples } = factsOf(command)
    expect(command.description()).toMatch(/\.$/)
    expect(examples.length).toBeGreaterThan(0)
    for (const { run: example } of examples) {
      expect(example, path).toMatch(new RegExp(`^${path}(?: |$)`))
      const flags = [...example.replaceAll(/'[^']*'|"[^"]*"/g, 'x').matchAll(/ (--[\w-]+)/g)].map(([, flag]) => flag)
      const known = ['--seeds', '--seed', '--log', ...command.options.map(({ long }) => long)]
      for (const flag of flags) expect(known, example).toContain(flag)
    }
    const shell = testShell()
    expect(await run([...path.split(' '), '--help'], shell)).toBe(0)
    expect(shell.printed.join('\n')).toContain('Examples:')
  },
)

/** As a shell splits it, up to a pipe or a redirection. */
const wordsOf = (line: string): string[] =>
  [...line.replace(/ (?:\||>>?) .*$/, '').matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(
    ([, single, double, bare]) => single ?? double ?? bare ?? '',
  )

test('every example is parsed as it stands', async () => {
  const examples = leaves(program).flatMap((command) => factsOf(command).examples.map((example) => example.run))
  expect(examples.length).toBeGreaterThan(40)
  for (const example of examples) {
    const shell = testShell()
    const fresh = createProgram(shell, () => {})
    let parsed: readonly string[] = []
    for (const command of leaves(fresh))
      command.action(() => {
        parsed = pathOf(command)
      })
    await fresh
      .parseAsync(wordsOf(example), { from: 'user' })
      .catch((error: unknown) => expect.fail(`${example}: ${error}`))
    expect(wordsOf(example).slice(0, parsed.length), example).toEqual(parsed)
    expect(parsed, example).not.toEqual([])
  }
})

test('every example of audit verify with anchors passes each file to --anchors, and none as a head', async () => {
  const verify = leaves(program).find((command) => pathOf(command).join(' ') === 'audit verify')!
  const texts = factsOf(verify).examples.map(({ run }) => run)
  for (const text of texts.filter((example) => example.includes('--anchors'))) {
    const files = wordsOf(text).filter((word) => word.endsWith('.ndjson'))
    const fresh = createProgram(testShell(), () => {})
    let given: unknown
    for (const command of leaves(fresh))
      command.action((...values) => {
        given = values.slice(0, 2)
      })
    await fresh.parseAsync(wordsOf(text), { from: 'user' })
    expect(given, text).toEqual([[], { anchors: files }])
  }
})

test.each([
  [['docter'], "unknown command 'docter'\n(Did you mean doctor?)"],
  [['doctor', '--jsno'], "unknown option '--jsno'\n(Did you mean --json?)"],
  [['owner', 'recover'], "missing required argument 'email'"],
  [['keys'], 'Usage: weir keys'],
  [['keys', 'create', 'x', '--permission', 'everything'], 'Allowed choices are read, plan, submit, ramp, agent'],
  [['keys', 'revoke', 'seven'], 'must be a whole number, not "seven"'],
  [['keys', 'revoke', '7'], 'pass --yes'],
  [['organization', 'erase', '7'], 'pass --yes'],
  [['breaks'], 'Usage: weir breaks'],
  [['breaks', 'list', '--state', 'new'], 'Allowed choices are open, accepted, closed'],
  [['breaks', 'list', '--limit', '0'], '--limit must be at least 1'],
  [['breaks', 'list', '--limit', 'all'], '--limit must be a whole number, not "all"'],
  [['breaks', 'show', 'seven'], 'the id must be a whole number, not "seven"'],
  [['breaks', 'accept', '7', '--yes'], 'say in --reason why'],
  [['breaks', 'accept', '7', '--reason', ' ', '--yes'], 'say in --reason why'],
  [['breaks', 'accept', '7', '--reason', 'A fee.'], 'Accept break 7? There is no terminal to ask on: pass --yes'],
  [['listen', '--url', 'weir.example.com'], 'is not the address of a service'],
  [['listen', '--after', 'now', '--forward-to', 'http://127.0.0.1:9'], '--after must be the id'],
  [
    ['listen', '--events', 'operation.complete', '--forward-to', 'http://127.0.0.1:9'],
    'did you mean operation.completed',
  ],
  [
    ['listen', '--forward-to', 'operations.*=http://127.0.0.1:9'],
    '"operations.*" is no event: did you mean operation.*',
  ],
  [['logs', 'tail', '--events', 'break.open'], '"break.open" is no event: did you mean break.opened'],
  [['logs', 'tail', '--after', '-1'], '--after must be the id'],
  [['logs', 'tail', '--source', 'audit', '--after', 'yesterday'], '--after must be the id'],
  [['audit', 'verify', '1:2:zz'], '1:2:zz is not ORGANIZATION:ENTRY:HASH'],
  [['audit', 'verify', '--anchors', '/nowhere/anchors'], 'the file of anchors cannot be read'],
  [['audit', 'verify', '--anchors', import.meta.filename, '--anchors', '/nowhere/second'], "access '/nowhere/second'"],
  [['invite', 'notanemail'], '"notanemail" is not an email address'],
  [['owner', 'recover', 'ada@acme.example'], 'Remove the second factors of ada@acme.example'],
  [['owner', 'recover', 'ada@acme.example'], 'There is no terminal to ask on: pass --yes'],
  [['owner', 'recover', 'ada'], '"ada" is not an email address'],
  [['domain', 'approve', '1', 'corp'], '"corp" is not an email domain'],
  [['organization', 'erase', 'abc', '--yes'], 'the id must be a whole number, not "abc"'],
  [['rotate-secrets', '--check', '--new-data-key'], '--check and --new-data-key are two steps'],
  [['completion', 'csh'], 'Allowed choices are bash, zsh, fish'],
])('wrong use %j returns 2 and says what to do, on stderr', async (args, words) => {
  const shell = testShell({ DATA_DIR: '/nowhere' })
  expect(await run(args, shell)).toBe(2)
  expect(shell.printed).toEqual([])
  expect(shell.complained.join('\n')).toContain(words)
})

test.each([
  [['nope'], "unknown command 'nope'"],
  [['keys', 'create'], "missing required argument 'name'"],
  [['breaks', 'list', '--state', 'x'], 'Allowed choices are open, accepted, closed'],
  [['trigger'], "missing required argument 'event'"],
])('wrong use %j with --json returns 2 and one JSON value', async (args, words) => {
  const shell = testShell({ DATA_DIR: '/nowhere' })
  expect(await run([...args, '--json'], shell)).toBe(2)
  const { error } = JSON.parse(shell.printed.join('\n')) as { error: { messages: string[] } }
  expect(error.messages.join('\n')).toContain(words)
  expect(shell.complained).toEqual([])
})

test('without a credential, a command for a service says where it looks for one', async () => {
  const shell = testShell({ DATA_DIR: '/nowhere' })
  expect(await run(['logs', 'tail', '--json'], shell)).toBe(2)
  const { error } = JSON.parse(shell.printed.join('\n')) as { error: { messages: string[] } }
  expect(error.messages[0]).toMatch(/WEIR_API_KEY.*weir start/)
  expect(shell.complained).toEqual([])
})

test('credentials of the sandbox are sent to its own address only', async () => {
  const folder = dataDir()
  const own = {
    baseUrl: 'http://127.0.0.1:3999',
    email: 'a@b.example',
    password: 'x',
    organizationApiKey: 'svc_sandbox_x',
  }
  writeFileSync(join(folder, 'sandbox-credentials.json'), JSON.stringify(own))
  for (const url of ['http://127.0.0.1:3998', 'http://127.0.0.1:3999@attacker.example', 'https://127.0.0.1:3999']) {
    for (const command of [
      ['logs', 'tail'],
      ['keys', 'list'],
      ['breaks', 'list'],
    ]) {
      const shell = testShell({ DATA_DIR: folder })
      expect(await run([...command, '--url', url], shell)).toBe(2)
      expect(shell.complained.join()).toMatch(/there is no credential|there is no terminal to ask/)
    }
  }
  const shell = testShell({ DATA_DIR: folder })
  expect(await run(['listen', '--print-secret', '--url', 'http://127.0.0.1:3999/'], shell)).toBe(0)
})

test('doctor leaves nothing in the folder of a service that never started', async () => {
  const folder = dataDir()
  const shell = testShell({ DATA_DIR: folder, PORT: '0' })
  expect(await run(['doctor'], shell)).toBe(0)
  expect(shell.printed.join('\n')).toContain('the first start creates it')
  expect(readdirSync(folder)).toEqual([])
})

test('a program of its own replaces the command, with the arguments as they were given', async () => {
  const shell = testShell()
  await run(['simulate', '--seed', '7', '--log'], shell)
  await run(['tour', 'ramp'], shell)
  await run(['start'], shell)
  expect(shell.became.map((args) => args.map((arg) => arg.replace(/^.*\/apps\//, '')))).toEqual([
    ['server/simulate/simulate.ts', '--seed', '7', '--log'],
    ['agent/tour/tour-ramp.ts'],
    ['--max-semi-space-size=8', 'server/src/main.ts'],
  ])
})

test.each(['chains', 'mcp'])('%s prints in its own form, so it has no --json', async (name) => {
  const shell = testShell()
  expect(await run([name, '--help'], shell)).toBe(0)
  expect(shell.printed.join('\n')).not.toContain('--json')
  expect(await run([name, '--json'], shell)).toBe(2)
  expect(shell.became).toEqual([])
})

test('the help of simulate names its arguments', () => {
  const simulate = leaves(program).find((command) => command.name() === 'simulate')
  const named = [
    '--seeds COUNT',
    '--from SEED',
    '--seed SEED [--log]',
    '--steps COUNT',
    '--chain evm|solana',
    '--broken',
  ]
  for (const argument of named) expect(simulate?.description()).toContain(argument)
})

test('the help of bench names every benchmark', () => {
  const bench = leaves(program).find((command) => command.name() === 'bench')
  expect(bench?.description()).toContain(`on a database of its own: ${Object.keys(BENCHES).join(', ')}.`)
})

test('completion knows commands below commands, options and their values', () => {
  const words = (...typed: string[]) => candidates(program, typed).map(({ word }) => word)
  expect(words('do')).toEqual(['doctor', 'domain'])
  expect(words('doctor', '')).toEqual(['service', 'agent'])
  expect(words('--v')).toEqual(['--version'])
  expect(words('keys', '')).toEqual(['list', 'create', 'rotate', 'revoke'])
  expect(words('keys', 'create', 'Agent', '--per')).toEqual(['--permission'])
  expect(words('keys', 'create', 'Agent', '--permission', 'a')).toEqual(['agent'])
  expect(words('breaks', '')).toEqual(['list', 'show', 'accept'])
  expect(words('breaks', 'list', '--state', '')).toEqual(['open', 'accepted', 'closed'])
  expect(words('breaks', 'accept', '7', '--r')).toEqual(['--reason'])
  expect(words('completion', '')).toEqual(['bash', 'zsh', 'fish'])
  expect(words('tour', 't')).toEqual(['treasury'])
})

test('completion says what each event of trigger causes', () => {
  const [found] = candidates(program, ['trigger', 'day'])
  expect(found).toEqual({ word: 'day.passed', does: expect.stringContaining('a day forward') })
})

test('docs/cli.md describes every command as its help does', () => {
  const written = readFileSync(new URL('../../../docs/cli.md', import.meta.url), 'utf8')
  expect(cliDocument(), 'run: npm exec -- node scripts/documents/write-cli-doc.ts').toBe(written)
})

test('docs/cli.md names exactly the commands that the package refuses', () => {
  const launcher = readFileSync(new URL('../../../deploy/package/weir.mjs', import.meta.url), 'utf8')
  const [, list = ''] = /^const OF_A_CLONE = \[(.*)\]$/m.exec(launcher) ?? []
  expect([...list.matchAll(/'(\w+)'/g)].map(([, name]) => name)).toEqual(OF_A_CLONE)
})

test('docs/cli.md names every command without --json, each of which prints in its own form', () => {
  const [, sentence = ''] = /^ {2}prints one object per line\. ([^:]*)\n {2}lack it:/m.exec(cliDocument()) ?? []
  const named = [...sentence.matchAll(/`(\w+)`/g)].map(([, name]) => name)
  expect(named).toEqual(['start', 'agent', 'chains', 'mcp', 'tour', 'simulate', 'bench'])
})
