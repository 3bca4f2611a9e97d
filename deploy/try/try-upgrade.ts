// Works with the first released version, goes through every later one to this one on the same folder and database, and
// back where docs/upgrading.md promises it: with the embedded database, and with DATABASE_URL on a PostgreSQL of its own.
// `npm run test:deploy` runs it; it installs each version from its own lock file.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../apps/server/src/database/index.ts'
import { silentLog } from '../../apps/server/src/kernel/index.ts'
import { releasesOf } from '../releases.ts'
import { carryOut, installVersion, type Plan, type Running, startVersion } from './run-version.ts'

interface Version {
  readonly name: string
  readonly folder: string
}
/** Where an installation keeps everything: a folder, and a database in it or at an address. */
interface Store {
  open(): Promise<{ readonly DATA_DIR: string; readonly DATABASE_URL?: string }>
  close(): Promise<void>
}

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
/** What each version withdraws, in base units of USDC. */
const PART = 100_000_000n
const began = Date.now()
const say = (line: string) => console.log(`try-upgrade: ${line} (${Math.round((Date.now() - began) / 1000)} s)`)

const work = mkdtempSync(join(tmpdir(), 'weir-try-upgrade-'))
chmodSync(work, 0o711)
try {
  const released = releasesOf().map(({ version, commit }) => {
    const folder = join(work, version)
    installVersion(ROOT, commit, folder)
    say(`installed ${version}`)
    return { name: version, folder }
  })
  for (const kind of ['the embedded database', 'DATABASE_URL'] as const) {
    const place = join(work, kind === 'DATABASE_URL' ? 'external' : 'embedded')
    mkdirSync(place, { mode: 0o711 })
    const store = kind === 'DATABASE_URL' ? storeWithServer(place) : storeInFolder(place)
    await goThrough({ kind, place, store, versions: [...released, { name: 'this version', folder: ROOT }] })
  }
  say('PASSED')
} finally {
  rmSync(work, { recursive: true, force: true })
}

interface Journey {
  readonly kind: string
  readonly place: string
  readonly store: Store
  readonly versions: readonly Version[]
}

async function goThrough({ kind, place, store, versions }: Journey): Promise<void> {
  const [first, ...later] = versions as [Version, ...Version[]]
  const current = later.at(-1)!
  const back = later.at(-2)
  const tell = (line: string) => say(`${kind}: ${line}`)
  const copy = `${place}-copy`

  let settings = await store.open()
  const old = await startVersion(first.folder, settings)
  const saver = await openPosition(old)
  await old.stop()
  await store.close()
  copyFolder(place, copy)
  tell(`${first.name} supplied 600 USDC and stopped`)

  settings = await store.open()
  for (const { name, folder } of later) {
    await continueWith(await startVersion(folder, settings), saver)
    tell(`${name} reads what it left, and withdrew 100 USDC`)
  }
  if (back) {
    for (const { name, folder } of [back, current]) {
      await continueWith(await startVersion(folder, settings), saver)
      tell(`${name} ${folder === ROOT ? 'started again' : 'started without a restore'} and withdrew 100 USDC`)
    }
  }
  await withdrawAll(await startVersion(current.folder, settings), saver)
  tell('this version withdrew the rest with its yield')

  // Later versions than the first have migrations of which an older version knows nothing.
  const refusal = startVersion(first.folder, settings)
  await assert.rejects(refusal, /exited with 1/, `${first.name} refuses the upgraded database`)
  await store.close()
  rmSync(place, { recursive: true })
  copyFolder(copy, place)
  settings = await store.open()
  saver.left = saver.atFirst
  saver.done.length = 1
  const restored = await startVersion(first.folder, settings)
  await checkWhatIsThere(restored, saver)
  await restored.stop()
  await withdrawAll(await startVersion(current.folder, settings), saver)
  await store.close()
  tell(`the copy of ${first.name} runs on it again, and on this version without those between`)
}

/** A wallet with a position, and what each version must find. */
interface Saver {
  readonly account: ReturnType<typeof privateKeyToAccount>
  readonly walletId: number
  readonly strategyId: number
  /** Operations that were carried out. */
  readonly done: number[]
  readonly atFirst: bigint
  /** USDC in the wallet. */
  left: bigint
}

/** Supplies 600 of a new wallet's 1,000 USDC on Polygon. */
async function openPosition(service: Running): Promise<Saver> {
  const account = privateKeyToAccount(generatePrivateKey())
  const place = { walletAddress: account.address, blockchain: 'polygon' }
  const { walletId } = await service.send<{ walletId: number }>('POST', '/v1/wallets/register', place)
  await service.send('POST', '/v1/sandbox/faucet', { ...place, token: 'USDC', amount: '1000000000' })
  type Venues = {
    venues: { protocol: string; strategies: { strategyId: number; tokenAddress: string; token: string }[] }[]
  }
  const { venues } = await service.send<Venues>('GET', '/v1/venues?blockchain=polygon&token=USDC')
  const { strategyId, tokenAddress } = venues.find(({ protocol }) => protocol === 'aave-v3')!.strategies[0]!
  const supply = { walletId, strategyId, tokenAddress, amount: '600000000' }
  const supplied = await carryOut(service, await service.send('POST', '/v1/operations/supply', supply), account)
  const left = await usdcOf(service, walletId)
  return { account, walletId, strategyId, done: [supplied], atFirst: left, left }
}

/** The balance and every operation, as the versions before left them. */
async function checkWhatIsThere(service: Running, { walletId, done, left }: Saver): Promise<void> {
  assert.equal(await usdcOf(service, walletId), left)
  for (const operation of done) {
    const { status } = await service.send<Plan>('GET', `/v1/operations/${operation}`)
    assert.equal(status, 'CONFIRMED')
  }
}

/** Reads what is there, withdraws a part, and stops. */
async function continueWith(service: Running, saver: Saver): Promise<void> {
  const { walletId, strategyId, account } = saver
  await checkWhatIsThere(service, saver)
  const unwind = { walletId, strategyId, amount: String(PART) }
  saver.done.push(await carryOut(service, await service.send('POST', '/v1/operations/unwind', unwind), account))
  saver.left += PART
  assert.equal(await usdcOf(service, walletId), saver.left)
  await service.stop()
}

/** A month later, withdraws the rest of the position, checks its yield, and stops. */
async function withdrawAll(service: Running, saver: Saver): Promise<void> {
  const { walletId, strategyId, account } = saver
  await checkWhatIsThere(service, saver)
  await service.send('POST', '/v1/sandbox/advance-time', { seconds: 2_592_000 })
  const unwind = { walletId, strategyId, fullWithdrawal: true }
  await carryOut(service, await service.send('POST', '/v1/operations/unwind', unwind), account)
  const available = await usdcOf(service, walletId)
  assert.ok(available > 1_000_000_000n, `the yield came with it: ${available}`)
  await service.stop()
}

async function usdcOf(service: Running, walletId: number): Promise<bigint> {
  type Detail = { readonly balances: readonly { readonly token: string; readonly available: string }[] }
  const { balances } = await service.send<Detail>('GET', `/v1/wallets/${walletId}`)
  return BigInt(balances.find(({ token }) => token === 'USDC')!.available)
}

function storeInFolder(place: string): Store {
  return { open: async () => ({ DATA_DIR: join(place, 'data') }), close: async () => undefined }
}

/** A server that stays while versions come and go; its files are copied while it is stopped. */
function storeWithServer(place: string): Store {
  let server: EmbeddedPostgres | undefined
  return {
    async open() {
      const dataDir = join(place, 'server')
      server = await startEmbeddedPostgres({ dataDir, log: silentLog })
      return { DATA_DIR: join(place, 'data'), DATABASE_URL: server.url }
    },
    async close() {
      await server?.stop()
    },
  }
}

/** A copy with its owners: as root, the database's files belong to another user. */
function copyFolder(from: string, to: string): void {
  execFileSync('cp', ['--archive', from, to])
}
