// Puts the real nginx and Caddy with the samples of deploy/proxies in front of a started service: callers' addresses,
// headers, streams, bodies, private paths. `npm run test:deploy` runs it. Needs Debian's nginx-light and caddy.
import assert from 'node:assert/strict'
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort } from '@weir/devnet/free-port'
import { createDataDir, startProcess } from '../../apps/server/system/processes/service-process.ts'
import { TEST_CERTIFICATE } from '../../apps/server/testing/stand-ins/test-certificate.ts'
import { plainRequest, request, stream } from './https-client.ts'

interface Proxy {
  readonly name: string
  readonly program: string
  /** Writes its configuration below `folder`, changed only in ports and paths, and returns its arguments. */
  configure(folder: string, ports: Ports): readonly string[]
}
interface Ports {
  readonly http: number
  readonly https: number
  readonly service: string
}

const sample = (name: string) => readFileSync(fileURLToPath(new URL(`../proxies/${name}`, import.meta.url)), 'utf8')
const say = (line: string) => console.log(`try-proxies: ${line}`)

const nginx: Proxy = {
  name: 'nginx',
  program: '/usr/sbin/nginx',
  configure(folder, { http, https, service }) {
    writeFileSync(join(folder, 'fullchain.pem'), TEST_CERTIFICATE.cert)
    writeFileSync(join(folder, 'key.pem'), TEST_CERTIFICATE.key)
    const server = sample('nginx.conf')
      .replaceAll('/etc/weir/tls', folder)
      .replaceAll('weir.example.com', 'localhost')
      .replace('server 127.0.0.1:3000;', `server ${service};`)
      .replace('listen 80;', `listen 127.0.0.1:${http};`)
      .replace('listen 443 ssl;', `listen 127.0.0.1:${https} ssl;`)
    const places = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
      .map((name) => `${name}_temp_path ${folder}/${name};`)
      .join('\n')
    const main = `daemon off; user root; pid ${folder}/pid; error_log stderr warn;
      events {} http { access_log off; ${places} ${server} }`
    writeFileSync(join(folder, 'nginx.conf'), main)
    return ['-e', 'stderr', '-p', folder, '-c', join(folder, 'nginx.conf')]
  },
}

const caddy: Proxy = {
  name: 'Caddy',
  program: '/usr/bin/caddy',
  configure(folder, { http, https, service }) {
    writeFileSync(join(folder, 'fullchain.pem'), TEST_CERTIFICATE.cert)
    writeFileSync(join(folder, 'key.pem'), TEST_CERTIFICATE.key)
    // Its own certificate authority wants to enter the trust store of the machine.
    const file = sample('Caddyfile')
      .replace(
        'admin off',
        `admin off\n\thttp_port ${http}\n\thttps_port ${https}\n\tskip_install_trust\n\tdefault_bind 127.0.0.1`,
      )
      .replaceAll('{$WEIR_DOMAIN}', 'localhost')
      .replace('{$WEIR_UPSTREAM:127.0.0.1:3000}', service)
      .replace('# For operators', `tls ${folder}/fullchain.pem ${folder}/key.pem\n\t# For operators`)
    writeFileSync(join(folder, 'Caddyfile'), file)
    return ['run', '--adapter', 'caddyfile', '--config', join(folder, 'Caddyfile')]
  },
}

const named = process.argv.slice(2)
const installed = [nginx, caddy].filter(({ name, program }) => {
  if (named.length > 0 && !named.includes(name)) return false
  const isThere = spawnSync(program, ['--help']).error === undefined
  if (!isThere) say(`${name} WAS SKIPPED: apt-get install --no-install-recommends nginx-light caddy`)
  return isThere
})
if (installed.length === 0) process.exit(77)

const folder = await createDataDir()
const [port, http, https] = [await freePort(), await freePort(), await freePort()]
const service = await startProcess({
  DATA_DIR: folder.path,
  PORT: String(port),
  LOG_LEVEL: 'info',
  PUBLIC_URL: `https://localhost:${https}`,
  TRUSTED_PROXIES: '127.0.0.1',
})
try {
  const { profileApiKey } = JSON.parse(readFileSync(join(folder.path, 'sandbox-credentials.json'), 'utf8'))
  for (const proxy of installed) await tryOut(proxy, profileApiKey)
  say(`PASSED: ${installed.map(({ name }) => name).join(', ')}`)
} finally {
  await service.end()
  await folder.remove()
}

async function tryOut(proxy: Proxy, key: string): Promise<void> {
  const place = mkdtempSync(join(tmpdir(), 'weir-try-proxy-'))
  const args = proxy.configure(place, { http, https, service: `127.0.0.1:${port}` })
  const env = { ...process.env, HOME: place, XDG_DATA_HOME: place, XDG_CONFIG_HOME: place }
  const child = spawn(proxy.program, args, { env, stdio: ['ignore', 'ignore', 'pipe'] })
  let log = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    log += text
  })
  try {
    await untilServes(child, () => log)
    await check(proxy.name, key)
    say(`${proxy.name}: addresses, headers, streams, bodies and private paths are as docs/proxies.md says`)
  } finally {
    child.kill('SIGTERM')
    await once(child, 'exit')
    rmSync(place, { recursive: true, force: true })
  }
}

async function check(name: string, key: string): Promise<void> {
  const authorized = { 'x-api-key': key }
  const send = request

  const { status, location } = await plainRequest(http)
  assert.ok([301, 308].includes(status ?? 0), `${name} redirects plain HTTP`)
  assert.match(location ?? '', /^https:\/\/localhost/)

  const health = await send('/health', { port: https })
  assert.equal(health.status, 200)
  assert.match(health.protocol ?? '', /^TLSv1\.[23]$/)
  const sts = health.rawHeaders.filter((header) => header.toLowerCase() === 'strict-transport-security')
  assert.equal(sts.length, 1, `${name} sends Strict-Transport-Security once`)
  await assert.rejects(send('/health', { port: https, maxVersion: 'TLSv1.1' }), `${name} refuses TLS 1.1`)

  // The caller's address counts, and what it writes into the header itself does not.
  const marker = `caller-${name.toLowerCase()}-${Date.now()}`
  const spoofed = { ...authorized, 'x-forwarded-for': '203.0.113.66', 'x-request-id': marker }
  assert.equal((await send('/v1/venues', { port: https, from: '127.0.0.9', headers: spoofed })).status, 200)
  const line = await logged(marker)
  assert.ok(line.includes('127.0.0.9'), `${name}: the log names the caller: ${line}`)
  assert.ok(!line.includes('203.0.113.66'), `${name}: the caller cannot choose its address: ${line}`)

  for (const path of ['/metrics', '/sandbox/rpc/polygon', '/sandbox/rpc']) {
    const refused = await send(path, { port: https, headers: authorized })
    assert.equal(refused.status, 404, `${name} ${path}`)
    assert.ok(!refused.headers['x-request-id'], `${name} does not forward ${path}`)
  }

  // Bodies up to Weir's limit arrive, and Weir itself says what is wrong with them.
  const body = JSON.stringify({ walletAddress: 'x'.repeat(1_000_000), blockchain: 'polygon' })
  const large = await send('/v1/wallets/register', { port: https, method: 'POST', headers: authorized, body })
  assert.equal(large.status, 400, large.body.slice(0, 200))
  assert.match(large.body, /INVALID_ADDRESS/)
  const tooLarge = await send('/v1/wallets/register', {
    port: https,
    method: 'POST',
    headers: authorized,
    body: body + body,
  })
  assert.equal(tooLarge.status, 413)

  // An event arrives while the stream is open: nobody collects bytes on the way.
  const events = await stream('/v1/events', { port: https, headers: { ...authorized, accept: 'text/event-stream' } })
  const post = async <T>(path: string, content: object): Promise<T> => {
    const body = JSON.stringify(content)
    const response = await send(path, { port: https, method: 'POST', headers: authorized, body })
    assert.ok([200, 201].includes(response.status ?? 0), `${path}: ${response.body.slice(0, 300)}`)
    return JSON.parse(response.body) as T
  }
  const wallet = { walletAddress: `0x${Date.now().toString(16).padStart(40, '0')}`, blockchain: 'polygon' }
  const { walletId } = await post<{ walletId: number }>('/v1/wallets/register', wallet)
  await post('/v1/sandbox/faucet', { ...wallet, token: 'USDC', amount: '1000000000' })
  const { body: list } = await send('/v1/venues?blockchain=polygon&token=USDC', { port: https, headers: authorized })
  const { strategyId, tokenAddress } = JSON.parse(list).venues[0].strategies[0]
  await post('/v1/operations/supply', { walletId, strategyId, tokenAddress, amount: '600000000' })
  await events.until(/operation\.created/, 10_000)
  events.close()
}

/** The line of the service's log about a request. */
async function logged(marker: string): Promise<string> {
  for (let tries = 0; tries < 100; tries += 1) {
    const line = service
      .errors()
      .split('\n')
      .find((one) => one.includes(marker))
    if (line) return line
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error(`the log has no line about ${marker}`)
}

async function untilServes(child: ChildProcess, log: () => string): Promise<void> {
  for (let tries = 0; tries < 200; tries += 1) {
    if (child.exitCode !== null) throw new Error(`it exited with ${child.exitCode}: ${log()}`)
    try {
      if ((await request('/health', { port: https })).status === 200) return
      await new Promise((resolve) => setTimeout(resolve, 50))
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }
  throw new Error(`it does not serve: ${log()}`)
}
