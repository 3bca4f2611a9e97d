import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { readConfig, SETTINGS } from '../../apps/server/src/config.ts'
import { installTools } from '../tools/install-tools.ts'

const HERE = fileURLToPath(new URL('.', import.meta.url))
const read = (path: string) => readFileSync(join(HERE, path), 'utf8')
const { version } = JSON.parse(read('../../package.json')) as { version: string }
const tools = installTools()

interface Service {
  readonly image?: string
  readonly build?: { readonly context: string; readonly dockerfile: string; readonly target: string }
  readonly environment?: Readonly<Record<string, string>>
  readonly volumes?: readonly string[]
  readonly ports?: readonly string[]
  readonly networks?: readonly string[]
  readonly security_opt?: readonly string[]
  readonly read_only?: boolean
  readonly cap_drop?: readonly string[]
  readonly user?: string
}
interface Compose {
  readonly services: Readonly<Record<string, Service>>
  readonly networks: Readonly<
    Record<string, { readonly internal?: boolean; readonly ipam?: { readonly config: readonly { subnet: string }[] } }>
  >
}
const compose = (name: string) => parse(read(name), { merge: true }) as Compose
const live = compose('live.yaml')
const tracing = compose('tracing.yaml')

describe.each(['sandbox.yaml', 'live.yaml', 'tracing.yaml'])('%s', (name) => {
  // An overlay only adds settings to services that have their image in another file.
  const services = Object.entries(compose(name).services).filter(([, { image }]) => image !== undefined)

  test.skipIf(!tools)('passes dclint', () => {
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [tools!.program('dclint'), '--config', join(HERE, 'dclint.json'), join(HERE, name)],
      { encoding: 'utf8' },
    )
    expect(status, stdout + stderr).toBe(0)
  })

  test('runs exact versions, and Weir in the version of the repository', () => {
    for (const [service, { image, build }] of services) {
      expect(image, service).toMatch(/:v?\d+\.\d+/)
      if (!build) continue
      expect(image, service).toBe(`weir:${version}${build.target === 'sandbox' ? '-sandbox' : ''}`)
      expect(existsSync(join(HERE, build.context, build.dockerfile)), service).toBe(true)
      expect(read('../Dockerfile')).toContain(`FROM runtime AS ${build.target}`)
    }
  })

  test('gives no container new privileges, and Weir nothing to write but its volumes', () => {
    for (const [service, options] of services) {
      expect(options.security_opt, service).toContain('no-new-privileges:true')
      if (options.build)
        expect(options, service).toMatchObject({ read_only: true, cap_drop: ['ALL'], user: '10001:10001' })
    }
  })

  test('mounts only files that exist', () => {
    for (const [service, { volumes = [] }] of services)
      for (const volume of volumes.filter((one) => one.startsWith('.')))
        expect(existsSync(join(HERE, volume.split(':')[0]!)), `${service} ${volume}`).toBe(true)
  })
})

describe('live', () => {
  const variables: Record<string, string> = { WEIR_DOMAIN: 'weir.example.com', POSTGRES_PASSWORD: 'password' }
  const filledIn = (text = '') =>
    text.replace(/\$\{(\w+):(?:\?|-(\w+))\}/g, (_all, name: string, unset?: string) => variables[name] ?? unset ?? name)
  const settings = (service: string) =>
    Object.fromEntries(
      Object.entries(live.services[service]?.environment ?? {}).map(([name, value]) => [name, filledIn(value)]),
    )
  const filled = {
    JWT_SECRET: 'a'.repeat(64),
    API_KEY_PEPPER: 'b'.repeat(64),
    ENCRYPTION_KEY: 'c'.repeat(64),
    ETHEREUM_RPC_URL: 'https://rpc.example/key',
    SMTP_URL: 'smtps://user:password@mail.example:465',
    MAIL_FROM: 'no-reply@weir.example.com',
  }
  const example = Object.fromEntries(
    [...read('weir.env.example').matchAll(/^([A-Z_]+)=(.*)$/gm)].map(([, name = '', value]) => [name, value]),
  )

  test('the settings of each process are complete and right once the examples are filled in', () => {
    const known = new Set(Object.values(SETTINGS).map(({ name }) => name))
    expect(Object.keys(example).filter((name) => !known.has(name))).toEqual([])
    for (const name of Object.keys(filled)) expect(example, name).toHaveProperty(name)
    for (const role of ['api', 'worker']) {
      const environment = settings(role)
      expect(Object.keys(environment).filter((name) => !known.has(name))).toEqual([])
      expect(readConfig({ ...example, ...filled, HOST: '0.0.0.0', ...environment })).toMatchObject({
        environment: 'live',
        role,
        registration: 'invite',
        publicUrl: 'https://weir.example.com',
        metrics: { isPublic: false },
      })
    }
  })

  test('tracing.yaml sends the traces of each process to a collector that it reaches, and keeps the other links', () => {
    const collector = 'http://jaeger:4318'
    for (const role of ['api', 'worker']) {
      const { PRIVATE_LINKS: links = '', ...more } = tracing.services[role]?.environment ?? {}
      const environment = { ...settings(role), ...more, PRIVATE_LINKS: filledIn(links) }
      const config = readConfig({ ...example, ...filled, HOST: '0.0.0.0', ...environment })
      expect(JSON.stringify(config.tracing)).toContain(collector)
      expect(environment.PRIVATE_LINKS).toBe(`${settings(role).PRIVATE_LINKS},jaeger`)
      const shared = tracing.services.jaeger?.networks?.filter((one) => live.services[role]?.networks?.includes(one))
      expect(shared, role).not.toEqual([])
    }
    expect(Object.keys(tracing.services).toSorted()).toEqual(['api', 'jaeger', 'worker'])
    expect(tracing.services.jaeger?.ports).toEqual(['127.0.0.1:16686:16686'])
  })

  test('what compose.yaml substitutes is in live.env.example', () => {
    const used = new Set([...read('live.yaml').matchAll(/\$\{(\w+):\?\}/g)].map(([, name]) => name))
    const given = [...read('live.env.example').matchAll(/^([A-Z_]+)=/gm)].map(([, name]) => name)
    expect(given.toSorted()).toEqual([...used].toSorted())
    const mayBeSet = new Set([...read('live.yaml').matchAll(/\$\{(\w+):-/g)].map(([, name]) => name))
    const offered = [...read('live.env.example').matchAll(/^# ([A-Z_]+)=/gm)].map(([, name]) => name)
    expect(offered).toEqual([...mayBeSet])
  })

  test('only the proxy is reached from outside, and the database only by its clients', () => {
    for (const [service, { ports = [] }] of Object.entries(live.services))
      for (const port of ports) if (service !== 'caddy') expect(port, service).toMatch(/^127\.0\.0\.1:/)
    expect(live.networks.database?.internal).toBe(true)
    expect(live.networks.metrics?.internal).toBe(true)
    const onDatabase = Object.keys(live.services).filter((name) => live.services[name]?.networks?.includes('database'))
    expect(onDatabase.toSorted()).toEqual(['api', 'migrate', 'postgres', 'worker'])
  })

  test('the proxy reaches the API by the network that TRUSTED_PROXIES names, and by no other', () => {
    const { api, caddy } = live.services
    const shared = caddy?.networks?.filter((name) => api?.networks?.includes(name)) ?? []
    expect(shared).toEqual(['proxy'])
    expect(settings('api').TRUSTED_PROXIES).toBe(live.networks.proxy?.ipam?.config[0]?.subnet)
  })

  test('Prometheus reads every process of Weir on the port where it serves metrics', () => {
    const { scrape_configs: jobs } = parse(read('prometheus.yml'))
    expect(jobs[0].static_configs[0].targets).toEqual(['api:9464', 'worker:9464'])
    for (const role of ['api', 'worker']) expect(settings(role)).toMatchObject({ METRICS_PORT: '9464' })
  })
})
