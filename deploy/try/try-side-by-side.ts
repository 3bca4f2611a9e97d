// Replaces the release before this version process by process while callers go on, and goes back the same way: an API
// and a worker process of each version on one PostgreSQL, and embedded chains of their own process.
// `npm run test:deploy` runs it; it installs the release from its own lock file, or takes the installed one of a folder
// that is its argument.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findDifferences, waitUntilSettled } from '../../apps/server/cluster/books.ts'
import { createJournal } from '../../apps/server/cluster/journal.ts'
import { verify } from '../../apps/server/cluster/verify.ts'
import { startWebhookReceiver, type WebhookReceiver } from '../../apps/server/cluster/webhook-receiver.ts'
import { openDatabase, startEmbeddedPostgres } from '../../apps/server/src/database/index.ts'
import { silentLog, systemClock } from '../../apps/server/src/kernel/index.ts'
import { connectChains } from '../../apps/server/src/sandbox/index.ts'
import { environmentOf, type ServiceProcess, watch } from '../../apps/server/system/processes/service-process.ts'
import { until } from '../../apps/server/testing/until.ts'
import type { Credentials } from '../../apps/server/tour/client.ts'
import { releasesOf } from '../releases.ts'
import { installVersion } from './run-version.ts'
import { ServiceRoutes } from './service-routes.ts'
import { handover, type SteadyLoad, startLoad } from './steady-load.ts'

type Role = 'api' | 'worker'
interface Version {
  readonly name: string
  readonly folder: string
}
/** A process of a version. */
interface Member extends ServiceProcess {
  readonly version: string
  readonly role: Role
}

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const CHAINS = ['polygon', 'base', 'solana'] as const
const SECRET = 'the-processes-of-both-versions-share-it'
/** Operations that each phase waits for, in each direction. */
const ENOUGH = 6
const began = Date.now()
const say = (line: string) => console.log(`try-side-by-side: ${line} (${Math.round((Date.now() - began) / 1000)} s)`)

const work = mkdtempSync(join(tmpdir(), 'weir-try-side-by-side-'))
chmodSync(work, 0o711)
for (const name of ['server', 'chains', 'weir']) mkdirSync(join(work, name), { mode: 0o711 })
const server = await startEmbeddedPostgres({ dataDir: join(work, 'server'), log: silentLog })
const chainsFile = join(work, 'chains', 'chains.json')
const processes: ServiceProcess[] = []
const running = new Set<Member>()
const routes = new ServiceRoutes()
const journal = createJournal(CHAINS)
try {
  const release = releasesOf().at(-1)!
  const [, , installed] = process.argv
  const before = { name: release.version, folder: installed ?? join(work, 'release') }
  if (installed === undefined) installVersion(ROOT, release.commit, before.folder)
  say(`installed ${before.name}`)
  await goThrough(before, { name: 'this version', folder: ROOT })
  say('PASSED')
} finally {
  for (const each of processes.reverse()) await each.end('SIGKILL')
  await server.stop()
  rmSync(work, { recursive: true, force: true })
}

/** Everything that was acknowledged so far. */
function sum(): string {
  const { operations, confirmed, gifts } = journal
  return `${operations.size} operations planned, ${confirmed.size} confirmed, ${gifts.size} gifts`
}

async function goThrough(before: Version, current: Version): Promise<void> {
  const chains = await startChains(current)
  let worker = await start(before, 'worker')
  let api = await start(before, 'api')
  const file = join(work, 'weir', 'sandbox-credentials.json')
  const credentials = JSON.parse(readFileSync(file, 'utf8')) as Credentials
  routes.add(api)
  const receiver = await startWebhookReceiver({ apis: [api], credentials })
  const load = await startLoad({ routes, credentials, journal }, CHAINS)
  await handOver(load, [[before, before]])
  say(`${before.name} serves alone: ${sum()}`)

  const writes = performance.now()
  const newWorker = await start(current, 'worker')
  assert.ok(journal.writes.since(writes), 'callers wrote while this version migrated')
  await handOver(load, [[before, before]])
  say(`this version migrated and works beside it: ${sum()}`)

  const newApi = await start(current, 'api')
  routes.add(newApi)
  const later = await startWebhookReceiver({ apis: [newApi], credentials })
  const early = new Set(journal.operations.keys())
  await handOver(load, [
    [before, current],
    [current, before],
  ])
  say(`callers go from one to the other, both ways: ${sum()}`)

  await stop(worker)
  await stop(api)
  await handOver(load, [[current, current]])
  say(`${before.name} stopped, this version serves alone: ${sum()}`)

  worker = await start(before, 'worker')
  api = await start(before, 'api')
  routes.add(api)
  await handOver(load, [
    [before, current],
    [current, before],
  ])
  say(`${before.name} is back beside this version: ${sum()}`)

  await stop(newWorker)
  await stop(newApi)
  await handOver(load, [[before, before]])
  say(`this version stopped, ${before.name} serves alone: ${sum()}`)

  await load.end()
  await check(load, receiver, { later, early })
  for (const each of [worker, api]) await stop(each)
  for (const each of [receiver, later]) await each.stop()
  assert.equal(await chains.end(), 0, chains.errors())
}

/** The chains, which both versions share. */
async function startChains({ folder }: Version): Promise<ServiceProcess> {
  const settings = { DATA_DIR: join(work, 'chains'), CHAINS_PORT: '0' }
  return await run(folder, 'apps/server/src/main/chains.ts', settings)
}

async function start({ name, folder }: Version, role: Role): Promise<Member> {
  const settings = {
    ROLE: role,
    DATA_DIR: join(work, 'weir'),
    DATABASE_URL: server.url,
    CHAINS_FILE: chainsFile,
    JWT_SECRET: SECRET,
    API_KEY_PEPPER: SECRET,
    ENCRYPTION_KEY: '0123456789abcdef'.repeat(4),
    RATE_LIMIT_MULTIPLIER: '10000',
  }
  const member = { ...(await run(folder, 'apps/server/src/main.ts', settings)), version: name, role }
  await until(async () => (await fetch(`${member.url}/ready`)).status === 200)
  running.add(member)
  return member
}

async function run(folder: string, program: string, settings: Record<string, string>): Promise<ServiceProcess> {
  const env = environmentOf(settings)
  const started = await watch(
    spawn(process.execPath, [program], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] }),
  )
  processes.push(started)
  return started
}

/** As a load balancer and systemd do: it gets nothing new, responds to what it has, and ends. */
async function stop(member: Member): Promise<void> {
  if (member.role === 'api') await routes.remove(member)
  await checkRunning()
  running.delete(member)
  assert.equal(await member.end(), 0, member.errors())
}

/** Waits until enough operations went from each version to the other, or a caller got a wrong response. */
async function handOver(load: SteadyLoad, pairs: readonly (readonly [Version, Version])[]): Promise<void> {
  const numbers = () => pairs.map(([from, to]) => load.handovers.get(handover(from.name, to.name)) ?? 0)
  const [atFirst, managedAtFirst] = [numbers(), load.managed.size]
  await until(() => {
    if (journal.problems.length > 0) return true
    return numbers().every((number, index) => number >= atFirst[index]! + ENOUGH) && load.managed.size > managedAtFirst
  }, 180_000)
  assert.deepEqual(journal.problems, [])
  await load.passDay(load.managed.size)
  await checkRunning()
}

/** Each process is ready and had no error, each worker does some of the work, and no break is open. */
async function checkRunning(): Promise<void> {
  const workers = [...running].filter(({ role }) => role === 'worker').length
  for (const { url, version, role, errors } of running) {
    const name = `${role} of ${version}`
    const holders = async () => {
      const ready = await fetch(`${url}/ready`)
      const text = await ready.text()
      assert.equal(ready.status, 200, `${name}: ${text}`)
      const { work: jobs = [] } = JSON.parse(text) as { work?: readonly { worker: number }[] }
      return new Set(jobs.map(({ worker }) => worker)).size
    }
    await until(async () => (await holders()) === (role === 'worker' ? workers : 0), 30_000)
    const metrics = async () => await (await fetch(`${url}/metrics`)).text()
    await until(async () => /^weir_open_breaks 0$/m.test(await metrics()), 30_000)
    const lines = errors().split('\n').filter(Boolean)
    const isError = (line: string) => !line.startsWith('{') || JSON.parse(line).level >= 50
    assert.deepEqual(lines.filter(isError), [], name)
  }
}

/** What was acknowledged is in the database, on the chains, in the list of events and at both receivers, once. */
async function check(
  load: SteadyLoad,
  receiver: WebhookReceiver,
  { later, early }: { readonly later: WebhookReceiver; readonly early: ReadonlySet<number> },
): Promise<void> {
  assert.deepEqual(journal.problems, [])
  const { db, close } = openDatabase({ url: server.url, log: silentLog, max: 2 })
  try {
    const embedded = await connectChains({
      file: chainsFile,
      blockchains: CHAINS,
      clock: systemClock,
      log: silentLog,
      isRegistered: async () => false,
    })
    const chains = [...embedded.chains.values()]
    await waitUntilSettled(db, chains, 60_000)
    assert.deepEqual(await verify(db, journal, receiver), { lost: [], twice: [] })
    assert.deepEqual(await findDifferences(db, chains), [])
  } finally {
    await close()
  }
  for (const id of [...journal.confirmed, ...load.managed]) {
    for (const event of ['operation.created', 'operation.executing', 'operation.completed'])
      assert.equal(load.events.get(`${event} ${id}`), 1, `${event} of operation ${id}`)
    assert.equal(load.events.get(`operation.failed ${id}`), undefined)
  }
  const missed = () => [...journal.confirmed].filter((id) => !early.has(id) && later.completions.get(id)?.size !== 1)
  await until(() => missed().length === 0, 90_000)
  assert.deepEqual([...later.reused], [])
  const numbers = [...load.handovers].map(([name, number]) => `${number} from ${name}`).join(', ')
  say(`operations once each: ${numbers}; ${load.managed.size} through the agent`)
}
