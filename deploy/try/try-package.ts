// Packs Weir and starts it with npx in an empty folder, as somebody without a clone would. `npm run test:deploy` runs it.
import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

const writer = fileURLToPath(new URL('../package/write-package.ts', import.meta.url))
const work = mkdtempSync(join(tmpdir(), 'weir-try-package-'))
const began = Date.now()
const say = (line: string) => console.log(`try-package: ${line} (${Math.round((Date.now() - began) / 1000)} s)`)
try {
  execFileSync(process.execPath, ['--disable-warning=ExperimentalWarning', writer, join(work, 'package')])
  const archive = execFileSync('npm', ['pack', '--silent', join(work, 'package')], {
    cwd: work,
    encoding: 'utf8',
  }).trim()
  say(`packed ${archive}`)

  const empty = join(work, 'empty')
  mkdirSync(empty)
  const env = { ...process.env, PORT: '0', npm_config_cache: join(work, 'cache'), npm_config_ignore_scripts: 'true' }
  const service = spawn('npx', ['--yes', '--package', join(work, archive), 'weir', 'start'], {
    cwd: empty,
    env,
    detached: true,
  })
  let errors = ''
  service.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text
  })
  const ended = once(service, 'close') as Promise<[number | null, NodeJS.Signals | null]>
  let url: string | undefined
  for await (const line of createInterface(service.stdout)) {
    if (!line.startsWith('ready ')) continue
    url = line.slice('ready '.length)
    break
  }
  assert.ok(url, `it did not start: ${errors.slice(-2_000)}`)
  say(`ready at ${url}`)
  service.stdout.resume()
  assert.equal((await fetch(`${url}/ready`)).status, 200)
  assert.equal((await fetch(url, { headers: { accept: 'text/html' } })).status, 200)
  // Ctrl-C in a terminal reaches the whole group.
  process.kill(-service.pid!, 'SIGINT')
  // npx itself may die of the signal. Its output closes once the service, which has the same one, has ended.
  const [code, signal] = await ended
  assert.ok(code === 0 || code === 130 || signal === 'SIGINT', `it stopped with ${code}: ${errors.slice(-2_000)}`)
  await assert.rejects(fetch(`${url}/health`), 'the service still runs')
  say('PASSED')
} finally {
  rmSync(work, { recursive: true, force: true })
}
