// Runs the pods of deploy/helm/weir, rendered with the values and the Secret of docs/install-kubernetes.md, without a
// cluster: see run-services.ts. A forwarder stands for the Service; nothing stands for the NetworkPolicy, the ingress or
// the scheduler. `npm run test:deploy` runs it. It needs root and Debian's postgresql, and Helm from npm.
import assert from 'node:assert/strict'
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseAllDocuments } from 'yaml'
import { installTools } from '../tools/install-tools.ts'
import { ANVIL, postgresImage, repository, weirImage, whatIsMissing } from './images.ts'
import { eventually, type Image, Networks, type Service, startContainer, Trial } from './run-services.ts'

interface Probe {
  readonly httpGet: { readonly path: string; readonly port: string }
}
interface PodContainer {
  readonly args?: readonly string[]
  readonly command?: readonly string[]
  readonly env?: readonly { readonly name: string; readonly value: string }[]
  readonly envFrom?: readonly object[]
  readonly ports?: readonly { readonly name: string; readonly containerPort: number }[]
  readonly startupProbe?: Probe
  readonly readinessProbe?: Probe
  readonly securityContext: { readonly readOnlyRootFilesystem: boolean; readonly allowPrivilegeEscalation: boolean }
  readonly volumeMounts?: readonly { readonly mountPath: string }[]
}
interface PodSpec {
  readonly containers: readonly [PodContainer]
  readonly securityContext: { readonly runAsUser: number; readonly runAsGroup: number }
}
interface Resource {
  readonly kind: string
  readonly metadata: { readonly name: string }
  // biome-ignore lint/suspicious/noExplicitAny: of any kind
  readonly spec: any
}

const began = Date.now()
const say = (line: string) => console.log(`try-chart: ${line} (${Math.round((Date.now() - began) / 1000)} s)`)
const tools = installTools()
const missing = whatIsMissing([])
if (missing || !tools) {
  say(`SKIPPED, there is no ${missing ?? 'Helm'}: apt-get install iproute2 curl postgresql`)
  process.exit(77)
}

const work = mkdtempSync(join(tmpdir(), 'weir-try-chart-'))
execFileSync('chmod', ['755', work])
const password = randomBytes(32).toString('hex')
const page = readFileSync(join(repository, 'docs/install-kubernetes.md'), 'utf8')
const secret = Object.fromEntries(
  [...page.matchAll(/--from-literal=(\w+)=/g)].map(([, name = '']) => [name, randomBytes(32).toString('hex')]),
)
Object.assign(secret, {
  DATABASE_URL: `postgres://weir:${password}@db:5432/weir`,
  ETHEREUM_RPC_URL: 'http://node:8545',
})
const resources = render()
const database: Service = {
  environment: { POSTGRES_USER: 'weir', POSTGRES_DB: 'weir', POSTGRES_PASSWORD: password },
  healthcheck: { test: ['CMD', 'pg_isready', '--username=weir', '--host=127.0.0.1'] },
}

const network = 'cluster'
const networks = new Networks({ services: {}, networks: { [network]: {} } })
const trial = new Trial(networks, work)
const { running, others } = trial
await trial.run(async () => {
  const image = weirImage(work)
  say('rendered the chart, and installed what the image has')
  const hosts = ['db', 'node', 'weir', 'weir-migrate', 'weir-api', 'weir-worker', 'weir-test-ready']
  const spaces = new Map(hosts.map((host) => [host, networks.join(host, [network])]))
  const names = ['db', 'node', 'weir'].map((host) => `${networks.address(host, network)} ${host}`).join('\n')
  const start = (name: string, service: Service, own: Image) => {
    const space = spaces.get(name)
    assert.ok(space, `the chart names ${name}`)
    const container = startContainer({ name, service, image: own }, { work, folder: work, space, names })
    running.set(name, container)
    return container
  }
  const run = (kind: string, name: string) => {
    const { spec } = resources.find((one) => one.kind === kind && one.metadata.name === name) ?? {}
    assert.ok(spec, `the chart has the ${kind} ${name}`)
    const pod: PodSpec = kind === 'Pod' ? spec : spec.template.spec
    const [container] = pod.containers
    return {
      container,
      pod: start(name, serviceOf(pod), container.command ? { ...image, entrypoint: container.command } : image),
    }
  }
  others.push(spawn('ip', ['netns', 'exec', spaces.get('node')!, ...ANVIL], { stdio: 'ignore' }))
  const db = start('db', database, postgresImage())
  await eventually('the database is ready', () => db.isHealthy())

  run('Job', 'weir-migrate')
  await trial.ended('weir-migrate')
  say('the migration job ended well')
  for (const name of ['weir-api', 'weir-worker']) {
    const { container, pod } = run('Deployment', name)
    for (const probe of [container.startupProbe, container.readinessProbe]) {
      const { path, port } = probe!.httpGet
      const { containerPort } = container.ports!.find((one) => one.name === port)!
      const url = `http://${networks.address(name, network)}:${containerPort}${path}`
      await eventually(`${name} ${path}`, () => {
        assert.equal(pod.child.exitCode, null, `${name} ended`)
        return (
          spawnSync('ip', ['netns', 'exec', spaces.get('node')!, 'curl', '-fsS', '--max-time', '5', url]).status === 0
        )
      })
    }
    say(`${name} passed its probes`)
  }

  const { port } = resources.find(({ kind, metadata }) => kind === 'Service' && metadata.name === 'weir')!.spec.ports[0]
  const forward = `const net = require('net'); net.createServer((one) => {
    const other = net.connect(3000, '${networks.address('weir-api', network)}'); one.pipe(other).pipe(one)
  }).listen(${port})`
  others.push(spawn('ip', ['netns', 'exec', spaces.get('weir')!, process.execPath, '-e', forward]))
  run('Pod', 'weir-test-ready')
  await trial.ended('weir-test-ready')
  say('the test of the chart passed')
  const invited = running.get('weir-worker')!.exec(['node', 'weir.mjs', 'invite', 'owner@example.com'])
  assert.match(invited, /^invitation \S+$/m)

  for (const name of ['weir-api', 'weir-worker', 'db']) {
    assert.equal(await running.get(name)!.stop(), 0, `${name} stopped`)
    running.delete(name)
  }
  say('PASSED')
})

/** The chart with the small profile, the page's values, and plain links to the parts of this trial. */
function render(): Resource[] {
  const [, block = ''] = /^ *```yaml\n([\s\S]*?)^ *```$/m.exec(page) ?? []
  writeFileSync(join(work, 'page.yaml'), block.replaceAll(/^ {3}/gm, ''))
  writeFileSync(join(work, 'trial.yaml'), JSON.stringify({ settings: { PRIVATE_LINKS: 'db,node' } }))
  const files = [join(repository, 'deploy/helm/weir/profiles/small.yaml'), 'page.yaml', 'trial.yaml']
  const args = ['template', 'weir', join(repository, 'deploy/helm/weir'), '-n', 'weir']
  const text = execFileSync(tools!.helm, [...args, ...files.flatMap((file) => ['-f', file])], {
    cwd: work,
    encoding: 'utf8',
  })
  return parseAllDocuments(text).flatMap((document) => (document.toJS() as Resource | null) ?? [])
}

/** A pod as a service: its settings, user, read-only root and writable folders. */
function serviceOf({ containers: [container], securityContext }: PodSpec): Service {
  const settings = (container.env ?? []).map(({ name, value }) => [name, value])
  return {
    environment: { ...(container.envFrom ? secret : {}), ...Object.fromEntries(settings) },
    ...(container.args ? { command: container.args } : {}),
    ...(container.command ? { command: [] } : {}),
    user: `${securityContext.runAsUser}:${securityContext.runAsGroup}`,
    read_only: container.securityContext.readOnlyRootFilesystem,
    cap_drop: ['ALL'],
    security_opt: container.securityContext.allowPrivilegeEscalation ? [] : ['no-new-privileges:true'],
    tmpfs: (container.volumeMounts ?? []).map(({ mountPath }) => mountPath),
  }
}
