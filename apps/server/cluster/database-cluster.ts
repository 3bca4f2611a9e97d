import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, chownSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '@weir/devnet/free-port'
import pg from 'pg'
import { until } from '../testing/until.ts'
import { haproxyConfig } from './haproxy-config.ts'
import { type DatabaseNode, patroniConfig } from './patroni-config.ts'
import { defineMember, type Member } from './processes.ts'
import type { ClusterPrograms } from './programs.ts'

/** Two PostgreSQL servers under Patroni, one etcd, and HAProxy in front. */
export interface DatabaseCluster {
  /** DATABASE_URL, through the proxy. */
  readonly url: string
  readonly etcd: Member
  readonly proxy: Member
  readonly nodes: readonly (Member & DatabaseNode)[]
  /** The node that Patroni reports as the primary; undefined: none, at the moment. */
  primary(): Promise<(Member & DatabaseNode) | undefined>
  /** The other node, if it is a synchronous standby. */
  standby(): Promise<(Member & DatabaseNode) | undefined>
  /** Waits until one node is the primary and the other one its synchronous standby. */
  waitUntilHealthy(limitMs?: number): Promise<void>
  /** Asks Patroni for a planned change of the primary. */
  switchOver(): Promise<void>
  /** Runs a statement on one node as its administrator. */
  administer(node: DatabaseNode, statement: string): Promise<void>
  /** Whether each node has a file system of its own, which can be filled. */
  readonly hasOwnDisks: boolean
  stop(): Promise<void>
}

/** Room for the write-ahead log of a run. */
const DISK_MB = 384
const PASSWORD = 'rehearsal'

export async function startDatabaseCluster(root: string, programs: ClusterPrograms): Promise<DatabaseCluster> {
  const user = databaseUser()
  const logs = join(root, 'logs')
  mkdirSync(logs, { recursive: true })
  const folder = (name: string) => {
    const path = join(root, name)
    mkdirSync(path, { recursive: true })
    if (user) chownSync(path, user.uid, user.gid)
    chmodSync(path, 0o700)
    return path
  }
  const file = (path: string, text: string) => {
    writeFileSync(path, text, { mode: 0o600 })
    if (user) chownSync(path, user.uid, user.gid)
    return path
  }
  const [client, peer, proxyPort, ...ports] = await Promise.all(Array.from({ length: 7 }, () => freePort()))
  const etcdUrl = `http://127.0.0.1:${client}`
  const etcdFolder = folder('etcd')
  const etcd = defineMember({
    name: 'etcd',
    program: programs.etcd,
    args: [
      ...['--data-dir', join(etcdFolder, 'data')],
      ...['--listen-client-urls', etcdUrl, '--advertise-client-urls', etcdUrl],
      ...[
        '--listen-peer-urls',
        `http://127.0.0.1:${peer}`,
        '--initial-advertise-peer-urls',
        `http://127.0.0.1:${peer}`,
      ],
      ...['--initial-cluster', `default=http://127.0.0.1:${peer}`],
    ],
    user,
    logs,
  })
  const mounted: string[] = []
  const nodes = ['db1', 'db2'].map((name, index) => {
    const home = folder(name)
    const disk = folder(`${name}-disk`)
    mounted.push(...mountSmall(disk, user))
    const [port = 0, restPort = 0] = ports.slice(index * 2)
    const node: DatabaseNode = { name, home, data: join(home, 'data'), disk, port, restPort }
    const config = file(
      join(home, 'patroni.yml'),
      patroniConfig({ node, etcd: `127.0.0.1:${client}`, bin: programs.postgres, password: PASSWORD }),
    )
    const member = defineMember({
      name,
      program: programs.patroni,
      args: [config],
      env: { HOME: home },
      user,
      logs,
      folder: node.data,
    })
    return Object.assign(member, node)
  })
  const proxyFolder = folder('proxy')
  const proxy = defineMember({
    name: 'haproxy',
    program: programs.haproxy,
    args: ['-db', '-f', file(join(proxyFolder, 'haproxy.cfg'), haproxyConfig(proxyPort!, nodes))],
    user,
    logs,
  })

  const roleOf = async ({ restPort }: DatabaseNode, role: 'primary' | 'sync') => {
    const response = await fetch(`http://127.0.0.1:${restPort}/${role}`, { signal: AbortSignal.timeout(1_000) }).catch(
      () => undefined,
    )
    return response?.status === 200
  }
  const nodeIn = async (role: 'primary' | 'sync') => {
    const holds = await Promise.all(nodes.map((node) => roleOf(node, role)))
    return nodes.find((_, index) => holds[index])
  }
  const cluster: DatabaseCluster = {
    url: `postgres://weir:${PASSWORD}@127.0.0.1:${proxyPort}/weir`,
    etcd,
    proxy,
    nodes,
    primary: () => nodeIn('primary'),
    standby: () => nodeIn('sync'),
    async waitUntilHealthy(limitMs = 120_000) {
      await until(
        async () => (await cluster.primary()) !== undefined && (await cluster.standby()) !== undefined,
        limitMs,
      )
      await until(() => answers(cluster.url), limitMs)
    },
    async switchOver() {
      const primary = await cluster.primary()
      const candidate = await cluster.standby()
      const response = await fetch(`http://127.0.0.1:${primary?.restPort}/switchover`, {
        method: 'POST',
        body: JSON.stringify({ leader: primary?.name, candidate: candidate?.name }),
        signal: AbortSignal.timeout(60_000),
      })
      if (!response.ok) throw new Error(`Patroni refused the switchover: ${await response.text()}`)
    },
    administer: ({ port }, statement) => administer(port, [statement]),
    hasOwnDisks: mounted.length === 2,
    async stop() {
      proxy.signal('SIGCONT')
      await Promise.all([proxy, ...nodes, etcd].map((member) => member.end()))
      for (const disk of mounted) spawnSync('umount', ['-l', disk])
    },
  }

  try {
    etcd.start()
    for (const node of nodes) node.start()
    const first = await until(() => cluster.primary(), 60_000)
    await administer(first.port, [
      `create role weir login password '${PASSWORD}' in role pg_read_all_stats`,
      'create database weir owner weir',
    ])
    proxy.start()
    await cluster.waitUntilHealthy()
    return cluster
  } catch (error) {
    await cluster.stop()
    throw error
  }
}

async function administer(port: number, statements: readonly string[]): Promise<void> {
  const admin = new pg.Client({ connectionString: `postgres://postgres:${PASSWORD}@127.0.0.1:${port}/postgres` })
  admin.on('error', () => undefined)
  await admin.connect()
  try {
    for (const statement of statements) await admin.query(statement)
  } finally {
    await admin.end().catch(() => undefined)
  }
}

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 })
  client.on('error', () => undefined)
  try {
    await client.connect()
    await client.query('select 1')
    return true
  } catch {
    return false
  } finally {
    await client.end().catch(() => undefined)
  }
}

/** Mounts a small file system in memory there, for the fault that fills it. Empty: the caller may not mount. */
function mountSmall(folder: string, user: { uid: number; gid: number } | undefined): string[] {
  if (!user) return []
  const options = `size=${DISK_MB}m,uid=${user.uid},gid=${user.gid},mode=0700`
  return spawnSync('mount', ['-t', 'tmpfs', '-o', options, 'weir-cluster', folder]).status === 0 ? [folder] : []
}

/** PostgreSQL does not run as root: the packages' user runs it then. */
function databaseUser(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined
  const [uid, gid] = ['-u', '-g'].map((flag) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' })))
  return { uid: uid!, gid: gid! }
}
