import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Ajv } from 'ajv'
import { afterAll, describe, expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { readConfig, SETTINGS } from '../../apps/server/src/config.ts'
import { installTools } from '../tools/install-tools.ts'
import { valuesSchema } from './write-values-schema.ts'

const CHART = fileURLToPath(new URL('weir', import.meta.url))
const LIVE = ['--set', 'publicUrl=https://weir.example.com', '--set', 'existingSecret=weir']
const PROFILES = { sandbox: [], small: LIVE, ha: LIVE } as const
const tools = installTools()

interface Container {
  readonly env: readonly { readonly name: string; readonly value: string }[]
  readonly envFrom?: readonly { readonly secretRef: { readonly name: string } }[]
  readonly [key: string]: unknown
}
interface PodSpec {
  readonly containers: readonly Container[]
  readonly [key: string]: unknown
}
interface Pod {
  readonly metadata: { readonly labels: Readonly<Record<string, string>> }
  readonly spec: PodSpec
}
interface Rule {
  readonly ports: readonly { readonly port: number }[]
}
interface Resource {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: {
    readonly name: string
    readonly labels?: Readonly<Record<string, string>>
    readonly annotations?: Readonly<Record<string, string>>
  }
  // biome-ignore lint/suspicious/noExplicitAny: of any kind
  readonly spec: any
}

function render(profile: keyof typeof PROFILES, ...more: string[]): Resource[] {
  const args = ['template', 'release', CHART, '-f', `${CHART}/profiles/${profile}.yaml`, ...PROFILES[profile], ...more]
  const text = execFileSync(tools!.helm, args, { encoding: 'utf8', maxBuffer: 1e8, stdio: 'pipe' })
  return parseAllDocuments(text).flatMap((document) => (document.toJS() as Resource | null) ?? [])
}

const ofKind = (resources: readonly Resource[], kind: string) => resources.filter((resource) => resource.kind === kind)
const podOf = ({ kind, metadata, spec }: Resource): Pod =>
  kind === 'Pod' ? { metadata: { labels: metadata.labels! }, spec } : spec.template
const podsOf = (resources: readonly Resource[]) =>
  resources.filter(({ kind }) => ['Deployment', 'Job', 'Pod'].includes(kind)).map(podOf)
/** Names are resolved by any pod of the cluster, or by NodeLocal DNSCache. */
const DNS = {
  ports: [
    { port: 53, protocol: 'UDP' },
    { port: 53, protocol: 'TCP' },
  ],
  to: [{ namespaceSelector: {} }, { ipBlock: { cidr: '169.254.20.10/32' } }],
}
/** The policy of every pod; the other one is of the migration. */
const policyOf = (resources: readonly Resource[]) =>
  ofKind(resources, 'NetworkPolicy').find(({ metadata }) => !metadata.name.endsWith('-migrate'))
const component = 'app.kubernetes.io/component'

test('the schema is the one that the settings make', () => {
  expect(JSON.parse(readFileSync(`${CHART}/values.schema.json`, 'utf8'))).toEqual(valuesSchema)
})

test('the chart has the version of the repository', () => {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
  const chart = readFileSync(`${CHART}/Chart.yaml`, 'utf8')
  expect(chart).toContain(`\nversion: ${version}\n`)
  expect(chart).toContain(`\nappVersion: ${version}\n`)
})

describe.skipIf(!tools)('rendered', () => {
  const folder = mkdtempSync(join(tmpdir(), 'weir-chart-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  const rendered = new Map<string, Resource[]>()
  const profile = (name: keyof typeof PROFILES) => {
    const known = rendered.get(name) ?? render(name)
    rendered.set(name, known)
    return known
  }

  test('the values of docs/install-kubernetes.md render what its commands name', () => {
    const page = readFileSync(new URL('../../docs/install-kubernetes.md', import.meta.url), 'utf8')
    const blocks = [...page.matchAll(/^( *)```yaml\n([\s\S]*?)^ *```$/gm)]
    const files = blocks.map(([, indent = '', block = ''], index) => {
      const file = join(folder, `values-${index}.yaml`)
      writeFileSync(file, block.replaceAll(new RegExp(`^${indent}`, 'gm'), ''))
      return file
    })
    expect(files).toHaveLength(2)
    const [, name = '', namespace = ''] = /helm -n (\w+) install (\w+) deploy\/helm\/weir /.exec(page) ?? []
    const args = ['template', name, CHART, '-n', namespace, '-f', `${CHART}/profiles/ha.yaml`]
    const text = execFileSync(tools!.helm, [...args, ...files.flatMap((file) => ['-f', file])], { encoding: 'utf8' })
    const resources = parseAllDocuments(text).map((document) => document.toJS() as Resource)
    const deployments = ofKind(resources, 'Deployment').map(({ metadata }) => metadata.name)
    const named = [...page.matchAll(/ deployment\/([\w-]+) /g)].map(([, deployment]) => deployment)
    expect(named.length).toBeGreaterThan(0)
    expect(deployments).toEqual(expect.arrayContaining(named))
  })

  test.each(Object.keys(PROFILES) as (keyof typeof PROFILES)[])('%s passes helm lint', (name) => {
    const args = ['lint', CHART, '--strict', '-f', `${CHART}/profiles/${name}.yaml`, ...PROFILES[name]]
    const { status, stdout, stderr } = spawnSync(tools!.helm, args, { encoding: 'utf8' })
    expect(status, stdout + stderr).toBe(0)
  })

  test.each(Object.keys(PROFILES) as (keyof typeof PROFILES)[])('%s meets the schemas of Kubernetes', async (name) => {
    const resources = profile(name)
    expect(resources.length).toBeGreaterThan(5)
    for (const resource of resources) {
      const [group, version = group] = resource.apiVersion.split('/')
      // Not of Kubernetes itself.
      if (group === 'monitoring.coreos.com') continue
      const path = resource.apiVersion.includes('/') ? `${group}/${version}` : version
      type Model = new (data: unknown) => { validate(): Promise<void> | void }
      const models = await tools!.load<Record<string, Model>>(`kubernetes-models/${path}/index.js`)
      await expect(
        (async () => new models[resource.kind]!(resource).validate())(),
        `${resource.kind} ${resource.metadata.name}`,
      ).resolves.toBeUndefined()
    }
  })

  test.each(Object.keys(PROFILES) as (keyof typeof PROFILES)[])('every pod of %s is restricted', (name) => {
    for (const { spec } of podsOf(profile(name))) {
      expect(spec).toMatchObject({
        automountServiceAccountToken: false,
        securityContext: { runAsNonRoot: true, runAsUser: 10_001, seccompProfile: { type: 'RuntimeDefault' } },
      })
      for (const container of spec.containers) {
        expect(container).toMatchObject({
          securityContext: {
            allowPrivilegeEscalation: false,
            readOnlyRootFilesystem: true,
            capabilities: { drop: ['ALL'] },
          },
          resources: { requests: { cpu: expect.any(String) }, limits: { memory: expect.any(String) } },
        })
      }
    }
  })

  test('live runs API and workers in their roles, with settings that the service accepts', () => {
    const deployments = ofKind(profile('ha'), 'Deployment')
    expect(deployments.map(({ metadata }) => metadata.labels![component])).toEqual(['api', 'worker'])
    const secret = {
      DATABASE_URL: 'postgres://weir:password@db1:5432,db2:5432/weir?sslmode=verify-full',
      ETHEREUM_RPC_URL: 'https://rpc.example/key',
      JWT_SECRET: 'a'.repeat(64),
      API_KEY_PEPPER: 'b'.repeat(64),
      ENCRYPTION_KEY: 'c'.repeat(64),
    }
    const names = new Set(Object.values(SETTINGS).map((setting) => setting.name))
    for (const deployment of deployments) {
      const [container] = podOf(deployment).spec.containers
      const env = Object.fromEntries(container!.env.map(({ name, value }) => [name, value]))
      expect(container!.envFrom).toEqual([{ secretRef: { name: 'weir' } }])
      expect(Object.keys(env).filter((name) => !names.has(name))).toEqual(['NODE_COMPILE_CACHE'])
      const config = readConfig({ ...env, ...secret })
      expect(config).toMatchObject({
        environment: 'live',
        role: deployment.metadata.labels![component],
        databaseSyncStandbys: 1,
        metrics: { isPublic: false, listener: { host: '0.0.0.0', port: 9464 } },
      })
      expect(container).toMatchObject({ livenessProbe: { httpGet: { path: '/health' } } })
      expect(container).toMatchObject({ readinessProbe: { httpGet: { path: '/ready' } } })
    }
  })

  test('the high-availability profile survives the loss of a node and scales its API', () => {
    const resources = profile('ha')
    const [api, worker] = ofKind(resources, 'Deployment')
    expect(api!.spec).not.toHaveProperty('replicas')
    expect(worker!.spec.replicas).toBe(3)
    expect(ofKind(resources, 'HorizontalPodAutoscaler')).toMatchObject([
      { spec: { minReplicas: 3, maxReplicas: 10, scaleTargetRef: { kind: 'Deployment', name: api!.metadata.name } } },
    ])
    const budgets = ofKind(resources, 'PodDisruptionBudget')
    for (const deployment of [api!, worker!]) {
      const labels = podOf(deployment).metadata.labels
      const own = budgets.filter(({ spec }) => isSelected(spec.selector.matchLabels, labels))
      expect(own).toMatchObject([{ spec: { maxUnavailable: 1 } }])
      expect(deployment.spec.strategy.rollingUpdate).toEqual({ maxSurge: 1, maxUnavailable: 0 })
      expect(podOf(deployment).spec).toHaveProperty(['topologySpreadConstraints', 0, 'topologyKey'])
    }
  })

  test('every workload owns its pods, requests reach the API only, and the policy covers every pod', () => {
    for (const name of Object.keys(PROFILES) as (keyof typeof PROFILES)[]) {
      const resources = profile(name)
      for (const deployment of ofKind(resources, 'Deployment'))
        expect(isSelected(deployment.spec.selector.matchLabels, podOf(deployment).metadata.labels)).toBe(true)
      const service = ofKind(resources, 'Service').find(({ spec }) => spec.ports[0].name === 'http')!
      const reached = podsOf(resources).filter(({ metadata }) => isSelected(service.spec.selector, metadata.labels))
      expect(reached.map(({ metadata }) => metadata.labels[component])).toEqual([
        name === 'sandbox' ? 'sandbox' : 'api',
      ])
      const policy = policyOf(resources)
      expect(policy!.spec.policyTypes).toEqual(['Ingress', 'Egress'])
      for (const { metadata } of podsOf(resources))
        expect(isSelected(policy!.spec.podSelector.matchLabels, metadata.labels)).toBe(true)
    }
  })

  test('the pod of helm test may reach the pods behind the service', () => {
    for (const name of Object.keys(PROFILES) as (keyof typeof PROFILES)[]) {
      const policy = policyOf(profile(name))
      const service = ofKind(profile(name), 'Service').find(({ spec }) => spec.ports[0].name === 'http')!
      expect(policy!.spec.egress).toContainEqual({
        ports: [{ port: 3000, protocol: 'TCP' }],
        to: [{ podSelector: { matchLabels: expect.toSatisfy((labels) => isSelected(labels, service.spec.selector)) } }],
      })
    }
  })

  test('on port 80, pods reach only the addresses that give out the credentials of a role', () => {
    const onPort80 = (...more: string[]) => {
      const policy = policyOf(render('small', ...more))
      return policy!.spec.egress.filter((rule: Rule) => rule.ports.some(({ port }) => port === 80))
    }
    const rule = (...cidrs: string[]) => ({
      ports: [{ port: 80, protocol: 'TCP' }],
      to: cidrs.map((cidr) => ({ ipBlock: { cidr } })),
    })
    expect(onPort80()).toEqual([rule('169.254.170.23/32')])
    const endpoints = '{fd00:ec2::23,169.254.169.254}'
    expect(onPort80('--set', `networkPolicy.credentialEndpoints=${endpoints}`)).toEqual([
      rule('fd00:ec2::23/128', '169.254.169.254/32'),
    ])
    expect(onPort80('--set-json', 'networkPolicy.credentialEndpoints=[]')).toEqual([])
  })

  test('helm waits longer for the migration than the migration may take', () => {
    const page = readFileSync(new URL('../../docs/install-kubernetes.md', import.meta.url), 'utf8')
    const commands = page.match(/^ *helm .*(?:install|upgrade) weir .*$/gm) ?? []
    expect(commands).toHaveLength(2)
    const [job] = ofKind(profile('small'), 'Job')
    for (const command of commands) {
      const [, minutes] = / --timeout (\d+)m\b/.exec(command) ?? []
      expect(Number(minutes) * 60, command).toBeGreaterThan(job!.spec.activeDeadlineSeconds)
    }
  })

  test('the database is migrated before an installation and an upgrade; a failure replaces nothing', () => {
    const [job] = ofKind(profile('small'), 'Job')
    expect(job!.metadata.annotations).toMatchObject({ 'helm.sh/hook': 'pre-install,pre-upgrade' })
    const { containers, ...spec } = podOf(job!).spec
    expect(containers[0]).toMatchObject({ args: ['migrate'], envFrom: [{ secretRef: { name: 'weir' } }] })
    // The chart's own account does not exist yet.
    expect(spec).not.toHaveProperty('serviceAccountName')
    expect(ofKind(profile('sandbox'), 'Job')).toEqual([])
  })

  test('the migration has a policy of its own before it runs, which lets it reach names and the database', () => {
    const to = [{ ipBlock: { cidr: '10.1.0.0/16' } }]
    const resources = render('small', '--set-json', `networkPolicy.databaseTo=${JSON.stringify(to)}`)
    const own = ofKind(resources, 'NetworkPolicy').find(({ metadata }) => metadata.name.endsWith('-migrate'))!
    const [job] = ofKind(resources, 'Job')
    expect(own.metadata.annotations).toEqual({
      'helm.sh/hook': job!.metadata.annotations!['helm.sh/hook'],
      'helm.sh/hook-weight': '-5',
      'helm.sh/hook-delete-policy': 'before-hook-creation,hook-succeeded',
    })
    const covered = podsOf(resources).filter(({ metadata }) =>
      isSelected(own.spec.podSelector.matchLabels, metadata.labels),
    )
    expect(covered.map(({ metadata }) => metadata.labels[component])).toEqual(['migrate'])
    expect(own.spec).toMatchObject({
      policyTypes: ['Ingress', 'Egress'],
      egress: [DNS, { ports: [{ port: 5432 }], to }],
    })
    expect(own.spec).not.toHaveProperty('ingress')
    expect(policyOf(resources)!.spec.egress[0]).toEqual(DNS)
    for (const more of [['migration.enabled=false'], ['networkPolicy.enabled=false']])
      expect(
        ofKind(render('small', '--set', ...more), 'NetworkPolicy').map(({ metadata }) => metadata.name),
      ).not.toContain(own.metadata.name)
    expect(ofKind(profile('sandbox'), 'NetworkPolicy')).toHaveLength(1)
  })

  test('the sandbox is one pod that keeps its volume', () => {
    const [sandbox, ...others] = ofKind(profile('sandbox'), 'Deployment')
    expect(others).toEqual([])
    expect(sandbox!.spec).toMatchObject({ replicas: 1, strategy: { type: 'Recreate' } })
    expect(podOf(sandbox!).spec.containers[0]).toMatchObject({ image: 'weir:0.3.0-sandbox' })
    expect(ofKind(profile('sandbox'), 'PersistentVolumeClaim')).toHaveLength(1)
  })

  test('values that the schema refuses are not rendered', () => {
    expect(() => render('small', '--set', 'settings.JWT_SECRET=x')).toThrow(/meet the specifications of the schema/)
  })
})

describe('the schema', () => {
  const validate = new Ajv({ strict: false }).compile(valuesSchema)
  const defaults = parse(readFileSync(`${CHART}/values.yaml`, 'utf8'))
  const complete = { ...defaults, publicUrl: 'https://weir.example.com', existingSecret: 'weir' }

  test('accepts the defaults once they are complete, and a sandbox without a Secret', () => {
    expect(validate(complete), JSON.stringify(validate.errors)).toBe(true)
    expect(validate({ ...defaults, mode: 'sandbox' })).toBe(true)
  })

  test.each([
    ['no publicUrl', { publicUrl: '' }],
    ['a public address without TLS', { publicUrl: 'http://weir.example.com' }],
    ['no Secret', { existingSecret: '' }],
    ['a misspelled value', { replicas: 3 }],
    ['a setting that does not exist', { settings: { LOG_LEVLE: 'info' } }],
    ['a credential in the values', { settings: { JWT_SECRET: 'x' } }],
    ['a setting that the chart sets itself', { settings: { ROLE: 'all' } }],
    ['a number where a setting is text', { settings: { DATABASE_POOL_SIZE: 5 } }],
    ['a setting among the variables of libraries', { environment: { DATABASE_URL: 'x' } }],
    ['the id of a credential of AWS', { environment: { AWS_ACCESS_KEY_ID: 'x' } }],
    ['a credential of AWS', { environment: { AWS_SECRET_ACCESS_KEY: 'x' } }],
    ['a temporary credential of AWS', { environment: { AWS_SESSION_TOKEN: 'x' } }],
    ['certificates that nobody verifies', { environment: { NODE_TLS_REJECT_UNAUTHORIZED: '0' } }],
    ['text that is not a digest', { image: { ...defaults.image, digest: 'latest' } }],
    [
      'another address among those of credentials',
      { networkPolicy: { ...defaults.networkPolicy, credentialEndpoints: ['10.0.0.1'] } },
    ],
    ['an ingress without TLS', { ingress: { ...defaults.ingress, enabled: true, host: 'weir.example.com' } }],
  ])('refuses %s', (_what, change) => {
    expect(validate({ ...complete, ...change })).toBe(false)
  })
})

function isSelected(selector: Readonly<Record<string, string>>, labels: Readonly<Record<string, string>>): boolean {
  return Object.entries(selector).every(([name, value]) => labels[name] === value)
}
