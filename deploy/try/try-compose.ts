// Runs the services of deploy/compose/live.yaml, filled in as docs/install-compose.md says, without an engine: see
// run-services.ts. Weir is the package of its image; PostgreSQL, Caddy and Prometheus are Debian's, and Grafana is left
// out, because Debian has none. `npm run test:deploy` runs it. It needs root and Debian's postgresql, caddy, prometheus.
import assert from 'node:assert/strict'
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parse } from 'yaml'
import { ANVIL, postgresImage, repository, weirImage, whatIsMissing } from './images.ts'
import { type Compose, eventually, type Image, Networks, startContainer, Trial } from './run-services.ts'

const folder = join(repository, 'deploy/compose')
const began = Date.now()
const say = (line: string) => console.log(`try-compose: ${line} (${Math.round((Date.now() - began) / 1000)} s)`)
const domain = 'weir.localhost' // Caddy signs its certificate itself: a name below localhost has no public one.

const missing = whatIsMissing(['caddy', 'prometheus'])
if (missing) {
  say(`SKIPPED, there is no ${missing}: apt-get install iproute2 curl postgresql caddy prometheus`)
  process.exit(77)
}

const work = mkdtempSync(join(tmpdir(), 'weir-try-compose-'))
execFileSync('chmod', ['755', work])
const secret = () => randomBytes(32).toString('hex')
const live = {
  WEIR_DOMAIN: domain,
  POSTGRES_PASSWORD: secret(),
  GRAFANA_PASSWORD: secret(),
  PRIVATE_LINKS: 'postgres,node',
}
const filled: Record<string, string> = {
  JWT_SECRET: secret(),
  API_KEY_PEPPER: secret(),
  ENCRYPTION_KEY: secret(),
  ETHEREUM_RPC_URL: 'http://node:8545',
}
writeFileSync(
  join(work, 'weir.env'),
  readFileSync(join(folder, 'weir.env.example'), 'utf8').replace(
    /^(\w+)=$/gm,
    (_all, name: string) => `${name}=${filled[name] ?? ''}`,
  ),
)
const text = readFileSync(join(folder, 'live.yaml'), 'utf8').replace(
  /\$\{(\w+):[?-]\w*\}/g,
  (_all, name: string) => live[name as keyof typeof live],
)
const compose = parse(text, { merge: true }) as Compose
const { grafana: _none, ...services } = compose.services

const networks = new Networks(compose)
const trial = new Trial(networks, work)
const { running, others } = trial
await trial.run(async () => {
  const image = weirImage(work)
  say('installed what the image has')
  const spaces = new Map(
    Object.entries(services).map(([name, { networks: on = [] }]) => [name, networks.join(name, on)]),
  )
  const nodeSpace = networks.join('node', ['outside'])
  const outsider = networks.join('outsider', ['public'])
  const namesFor = (host: readonly string[]) =>
    [
      ...Object.entries(services).map(([name, { networks: on = [] }]) => ({ name, on })),
      { name: 'node', on: ['outside'] },
    ]
      .flatMap(({ name, on }) =>
        on.filter((one) => host.includes(one)).map((one) => `${networks.address(name, one)} ${name}`),
      )
      .join('\n')

  others.push(spawn('ip', ['netns', 'exec', nodeSpace, ...ANVIL], { stdio: 'ignore' }))

  for (const name of inOrder()) {
    const service = services[name]!
    const container = startContainer(
      { name, service, image: imageOf(name, image) },
      { work, folder, space: spaces.get(name)!, names: namesFor(service.networks ?? []) },
    )
    running.set(name, container)
    await until(
      name,
      Object.values(services).map(({ depends_on: on }) => on?.[name]?.condition),
    )
  }
  await healthy('worker')

  const ca = join(work, 'volumes/caddy-data/caddy/pki/authorities/local/root.crt')
  const to = `${domain}:443:${networks.address('caddy', 'public')}`
  const curl = (...more: string[]) =>
    execFileSync('ip', ['netns', 'exec', outsider, 'curl', '-sS', '--cacert', ca, '--resolve', to, ...more], {
      encoding: 'utf8',
      timeout: 60_000,
    })
  const status = (path: string) =>
    curl('-o', '/dev/null', '-w', '%{http_code}', '-H', 'accept: text/html', `https://${domain}${path}`)
  await eventually('the proxy serves', () => status('/ready') === '200')
  assert.equal(status('/'), '200')
  assert.equal(status('/metrics'), '404')
  say('the proxy serves the API and the dashboard with a certificate of its own, and no metrics')

  const invited = running.get('worker')!.exec(['node', 'weir.mjs', 'invite', 'owner@example.com'])
  const invitation = /^invitation (\S+)$/m.exec(invited)?.[1]
  const post = (path: string, body: object) =>
    JSON.parse(curl(`https://${domain}${path}`, '-H', 'content-type: application/json', '-d', JSON.stringify(body)))
  const owner = { email: 'owner@example.com', password: 'correct horse 7 battery' }
  const registered = post('/api/core/auth/register', { ...owner, organizationName: 'Acme', invitation })
  assert.ok(registered.success, JSON.stringify(registered))
  const { data: session } = post('/api/core/auth/login', owner)
  const log = JSON.parse(
    curl(`https://${domain}/api/core/audit-log`, '-H', `authorization: Bearer ${session.accessToken}`),
  )
  const from = networks.address('outsider', 'public')
  assert.ok(JSON.stringify(log).includes(`"from":"${from}"`), `the audit log names ${from}: ${JSON.stringify(log)}`)
  say('the invited owner registered and logged in; the audit log has their address, not the proxy’s')

  const ask = (path: string) =>
    JSON.parse(running.get('prometheus')!.exec(['curl', '-fsS', `http://127.0.0.1:9090${path}`]))
  await eventually('Prometheus reads every process', () => {
    const { data } = ask('/api/v1/targets')
    return (
      data.activeTargets.length === 2 && data.activeTargets.every(({ health }: { health: string }) => health === 'up')
    )
  })
  assert.ok(ask('/api/v1/rules').data.groups.flatMap(({ rules }: { rules: [] }) => rules).length > 20)
  const workers = ask('/api/v1/query?query=sum(weir_job_held)').data.result[0]?.value[1]
  assert.ok(Number(workers) > 5, `jobs that are held: ${workers}`)
  say('Prometheus scrapes both processes and has the alert rules')

  const reaches = (name: string, host: string, port: number) =>
    spawnSync(
      'ip',
      ['netns', 'exec', spaces.get(name)!, 'curl', '-sS', '--max-time', '2', `telnet://${host}:${port}`],
      {
        input: '',
      },
    ).status !== 7
  const database = networks.address('postgres', 'database')
  assert.deepEqual(
    ['api', 'worker', 'caddy', 'prometheus'].map((name) => reaches(name, database, 5432)),
    [true, true, false, false],
  )
  for (const name of ['api', 'worker'])
    assert.throws(() => running.get(name)!.exec(['touch', '/opt/weir/written']), name)
  say('only Weir reaches the database, and writes nothing to its root')

  for (const name of inOrder()
    .toReversed()
    .filter((one) => one !== 'migrate')) {
    const code = await running.get(name)!.stop()
    running.delete(name)
    if (name === 'api' || name === 'worker' || name === 'postgres')
      assert.equal(code, 0, `${name} stopped with ${code}`)
  }
  say('PASSED')
})

/** Services after those that they wait for. */
function inOrder(): string[] {
  const order: string[] = []
  const visit = (name: string) => {
    if (order.includes(name)) return
    for (const other of Object.keys(services[name]?.depends_on ?? {})) visit(other)
    order.push(name)
  }
  for (const name of Object.keys(services)) visit(name)
  return order
}

async function until(name: string, conditions: readonly (string | undefined)[]): Promise<void> {
  if (conditions.includes('service_completed_successfully')) {
    await trial.ended(name)
    say(`${name} ended well`)
  } else if (conditions.includes('service_healthy')) await healthy(name)
}

async function healthy(name: string): Promise<void> {
  const { child, isHealthy } = running.get(name)!
  await eventually(`${name} is healthy`, () => {
    assert.equal(child.exitCode, null, `${name} ended`)
    return isHealthy()
  })
  say(`${name} is healthy`)
}

function imageOf(name: string, image: Image): Image {
  switch (name) {
    case 'caddy':
      return {
        entrypoint: ['/usr/bin/caddy', 'run', '--adapter', 'caddyfile', '--config', '/etc/caddy/Caddyfile'],
        environment: { PATH: '/usr/bin:/bin', HOME: '/data', XDG_DATA_HOME: '/data', XDG_CONFIG_HOME: '/config' },
      }
    case 'prometheus':
      return {
        entrypoint: ['/usr/bin/prometheus', '--config.file=/etc/prometheus/prometheus.yml'],
        command: ['--storage.tsdb.path=/prometheus'],
        environment: { PATH: '/usr/bin:/bin' },
        user: '65534:65534',
        prepare: 'chown 65534:65534 /prometheus',
      }
    case 'postgres':
      return postgresImage()
    default:
      return image
  }
}
