// Runs both blocks of docs/install.md that build the package and start it with npx, the second in an empty folder, as
// somebody without a clone would. Only /tmp is another folder. `npm run test:deploy` runs it.
import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

const repository = fileURLToPath(new URL('../..', import.meta.url))
const work = mkdtempSync(join(tmpdir(), 'weir-try-package-'))
const began = Date.now()
const say = (line: string) => console.log(`try-package: ${line} (${Math.round((Date.now() - began) / 1000)} s)`)
try {
  const page = readFileSync(join(repository, 'docs/install.md'), 'utf8')
  const blocks = [...page.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, code = '']) => code.replaceAll('/tmp', work))
  const block = (begins: string) => blocks.find((code) => code.startsWith(begins)) ?? assert.fail(`${begins}: gone`)
  execFileSync('bash', ['-euo', 'pipefail', '-c', block('npm run --silent package')], {
    cwd: repository,
    stdio: 'ignore',
  })
  say('packed')

  const empty = join(work, 'empty')
  mkdirSync(empty)
  const env = { ...process.env, PORT: '0', npm_config_cache: join(work, 'cache'), npm_config_ignore_scripts: 'true' }
  const service = spawn('bash', ['-euo', 'pipefail', '-c', `exec ${block('npx')}`], {
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
