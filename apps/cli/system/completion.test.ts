// The scripts of `weir completion` in real shells: what TAB makes of a line that is typed into a terminal.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { until } from '../../server/testing/until.ts'

const MAIN = fileURLToPath(new URL('../src/main.ts', import.meta.url))
const isThere = (program: string) => spawnSync(program, ['--version']).status === 0

interface ShellOfAUser {
  readonly name: string
  /** Where its help says that the script goes, below HOME, with what the file has before it. */
  readonly file: string
  readonly before: string
  /** Its own start file, if that is another one. */
  readonly start?: { readonly file: string; readonly text: string }
}
const SHELLS: readonly ShellOfAUser[] = [
  { name: 'bash', file: '.bashrc', before: "PS1='READY> '\n" },
  { name: 'zsh', file: '.zshrc', before: "PS1='READY> '\nautoload -Uz compinit && compinit -u -D\n" },
  {
    name: 'fish',
    file: '.config/fish/completions/weir.fish',
    before: '',
    start: { file: '.config/fish/config.fish', text: "function fish_prompt; echo -n 'READY> '; end\n" },
  },
]

/** What is typed before TAB, and the resulting line. */
const LINES: readonly (readonly [string, string])[] = [
  ['weir doc', 'weir doctor'],
  ['weir keys cr', 'weir keys create'],
  ['weir keys create Agent --permission ag', 'weir keys create Agent --permission agent'],
  ['weir backup check nigh', 'weir backup check nightly.dump'],
]
const [BEGIN_OF_LINE, END_OF_LINE, TAB, ENTER] = ['\u0001', '\u0005', '\t', '\r']

describe.each(SHELLS)('$name', ({ name, file, before, start }) => {
  const canRun = isThere(name) && isThere('script')
  if (!canRun)
    process.stderr.write(`\nCOMPLETION IN ${name} WAS NOT TESTED: there is no ${name} here, or no script\n\n`)

  let home: string
  beforeAll(() => {
    home = mkdtempSync(join(tmpdir(), 'weir-completion-'))
    write('bin/weir', `#!/bin/sh\nexec '${process.execPath}' '${MAIN}' "$@"\n`)
    chmodSync(join(home, 'bin/weir'), 0o755)
    write('nightly.dump', '')
    if (start) write(start.file, start.text)
    if (canRun)
      write(file, before + spawnSync(process.execPath, [MAIN, 'completion', name], { encoding: 'utf8' }).stdout)
  })
  afterAll(() => rmSync(home, { recursive: true, force: true }))
  const write = (path: string, text: string) => {
    mkdirSync(join(home, path, '..'), { recursive: true })
    writeFileSync(join(home, path), text)
  }
  const answers = () => readFileSync(join(home, 'answers'), 'utf8').split('\n').slice(0, -1)

  test.skipIf(!canRun)('completes commands, commands below them, values of options, and files', async () => {
    write('answers', '')
    const { PATH, LANG = 'C.UTF-8' } = process.env
    const terminal = spawn('script', ['-qec', `stty cols 200; exec ${name} -i`, '/dev/null'], {
      cwd: home,
      env: { HOME: home, PATH: `${join(home, 'bin')}:${PATH}`, LANG, TERM: 'xterm' },
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    let shown = ''
    terminal.stdout.setEncoding('utf8').on('data', (text: string) => {
      shown += text
    })
    const ended = once(terminal, 'close')
    try {
      await until(() => shown.includes('READY> '))
      for (const [index, [typed]] of LINES.entries()) {
        // The line is written to a file instead of run.
        terminal.stdin.write(`${typed}${TAB}${BEGIN_OF_LINE}echo ${END_OF_LINE}>> answers${ENTER}`)
        await until(() => answers().length > index)
      }
      expect(answers().map((line) => line.trimEnd())).toEqual(LINES.map(([, completed]) => completed))
    } finally {
      terminal.stdin.end(`exit${ENTER}`)
      const patience = setTimeout(() => terminal.kill('SIGKILL'), 10_000)
      await ended
      clearTimeout(patience)
    }
  })
})
