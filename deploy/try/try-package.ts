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
  let credentials = ''
  for await (const line of createInterface(service.stdout)) {
    if (line.startsWith('sandbox credentials: ')) credentials = line.slice('sandbox credentials: '.length)
    if (!line.startsWith('ready ')) continue
    url = line.slice('ready '.length)
    break
  }
  assert.ok(url, `it did not start: ${errors.slice(-2_000)}`)
  say(`ready at ${url}`)
  service.stdout.resume()
  assert.equal((await fetch(`${url}/ready`)).status, 200)
  assert.equal((await fetch(url, { headers: { accept: 'text/html' } })).status, 200)
  await runAgent(url, JSON.parse(readFileSync(credentials, 'utf8')))
  say('an agent runs')
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

/** Has the sandbox run the agent that the package brings along, until it polls. */
async function runAgent(url: string, { email, password }: { readonly email: string; readonly password: string }) {
  const ask = async (path: string, token = '', body?: object) => {
    const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) }
    const answer = await fetch(url + path, { headers, ...(body && { method: 'POST', body: JSON.stringify(body) }) })
    assert.ok(answer.ok, `${path}: ${answer.status}`)
    return ((await answer.json()) as { data: never }).data
  }
  const { accessToken } = (await ask('/api/core/auth/login', '', { email, password })) as { accessToken: string }
  await ask('/api/core/sandbox/agents', accessToken, {})
  for (let tries = 0; ; tries += 1) {
    const [agent] = (await ask('/api/core/sandbox/agents', accessToken)) as { state: string }[]
    if (agent?.state === 'running') return
    assert.ok(tries < 60, `the agent is ${agent?.state}`)
    await new Promise((resolve) => setTimeout(resolve, 1_000))
  }
}
