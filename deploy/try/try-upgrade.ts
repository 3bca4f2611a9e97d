// Works with the first tagged version, goes through every later one to this one on the same folder and database, and back
// where docs/upgrading.md promises it. `npm run test:deploy` runs it; it installs each version from its own lock file.
import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { type Hex, parseTransaction } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const began = Date.now()
const say = (line: string) => console.log(`try-upgrade: ${line} (${Math.round((Date.now() - began) / 1000)} s)`)
const git = (...args: string[]) => execFileSync('git', args, { cwd: ROOT, encoding: 'utf8', maxBuffer: 1e9 })

const tags = git('tag', '--list', 'v*', '--sort=version:refname').split('\n').filter(Boolean)
if (tags.length === 0) {
  say('SKIPPED, this clone has no tag of a version: git fetch --tags')
  process.exit(77)
}

interface Running {
  send<T>(method: 'GET' | 'POST', path: string, body?: unknown): Promise<T>
  stop(): Promise<void>
}
interface Plan {
  readonly operationId: number
  readonly status: string
  readonly transactions: readonly { readonly unsignedTransaction: Hex }[]
}

const work = mkdtempSync(join(tmpdir(), 'weir-try-upgrade-'))
chmodSync(work, 0o711)
const [data, copy] = [join(work, 'data'), join(work, 'copy')]
const account = privateKeyToAccount(generatePrivateKey())
try {
  const versions = [
    ...tags.map((tag) => ({ name: tag, folder: checkOut(tag) })),
    { name: 'this version', folder: ROOT },
  ]
  const [first, ...later] = versions
  const old = await start(first!.folder)
  const wallet = await old.send<{ walletId: number }>('POST', '/v1/wallets/register', {
    walletAddress: account.address,
    blockchain: 'polygon',
  })
  const gift = { walletAddress: account.address, blockchain: 'polygon', token: 'USDC', amount: '1000000000' }
  await old.send('POST', '/v1/sandbox/faucet', gift)
  type Venues = {
    venues: { protocol: string; strategies: { strategyId: number; tokenAddress: string; token: string }[] }[]
  }
  const { venues } = await old.send<Venues>('GET', '/v1/venues?blockchain=polygon&token=USDC')
  const { strategyId, tokenAddress } = venues.find(({ protocol }) => protocol === 'aave-v3')!.strategies[0]!
  const supply = { walletId: wallet.walletId, strategyId, tokenAddress, amount: '600000000' }
  const supplied = await carryOut(old, await old.send<Plan>('POST', '/v1/operations/supply', supply))
  const before = await old.send<Detail>('GET', `/v1/wallets/${wallet.walletId}`)
  await old.stop()
  copyFolder(data, copy)
  say(`${first!.name} supplied 600 USDC and stopped`)

  for (const { name, folder } of later) {
    const service = await start(folder)
    assert.deepEqual(usdcOf(await service.send<Detail>('GET', `/v1/wallets/${wallet.walletId}`)), usdcOf(before))
    const { status } = await service.send<Plan>('GET', `/v1/operations/${supplied}`)
    assert.equal(status, 'CONFIRMED')
    await service.stop()
    say(`${name} reads what it left`)
  }

  const current = await start(ROOT)
  await current.send('POST', '/v1/sandbox/advance-time', { seconds: 2_592_000 })
  const unwind = { walletId: wallet.walletId, strategyId, fullWithdrawal: true }
  await carryOut(current, await current.send<Plan>('POST', '/v1/operations/unwind', unwind))
  const after = usdcOf(await current.send<Detail>('GET', `/v1/wallets/${wallet.walletId}`))
  assert.ok(BigInt(after.available) > 1_000_000_000n, `the yield came with it: ${after.available}`)
  await current.stop()
  say('this version withdrew everything with its yield')

  await assert.rejects(start(first!.folder), /exited with 1/, 'an earlier version refuses the upgraded database')
  rmSync(data, { recursive: true })
  copyFolder(copy, data)
  const restored = await start(first!.folder)
  assert.deepEqual(usdcOf(await restored.send<Detail>('GET', `/v1/wallets/${wallet.walletId}`)), usdcOf(before))
  await restored.stop()
  say(`PASSED: ${versions.map(({ name }) => name).join(' → ')}, and back by the copy`)
} finally {
  rmSync(work, { recursive: true, force: true })
}

interface Detail {
  readonly balances: readonly { readonly token: string; readonly available: string }[]
}

function usdcOf({ balances }: Detail): { available: string } {
  const { available } = balances.find(({ token }) => token === 'USDC')!
  return { available }
}

/** A copy with its owners: as root, the database's files belong to another user. */
function copyFolder(from: string, to: string): void {
  execFileSync('cp', ['--archive', from, to])
}

/** A folder with the sources of a tag and the packages of its lock file. */
function checkOut(tag: string): string {
  const folder = join(work, tag)
  mkdirSync(folder)
  execFileSync('tar', ['--extract', '--directory', folder], {
    input: execFileSync('git', ['archive', tag], { cwd: ROOT, maxBuffer: 1e9 }),
  })
  const npm = ['ci', '--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
  execFileSync('npm', npm, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] })
  say(`installed ${tag}`)
  return folder
}

async function start(folder: string): Promise<Running> {
  const { PATH, HOME } = process.env
  const env = { PATH, HOME, PORT: '0', DATA_DIR: data, LOG_LEVEL: 'warn', RATE_LIMIT_MULTIPLIER: '100' }
  const child = spawn(process.execPath, ['apps/server/src/main.ts'], { cwd: folder, env })
  let errors = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text
  })
  const ended = once(child, 'close')
  let url: string | undefined
  for await (const line of createInterface(child.stdout)) {
    if (!line.startsWith('ready ')) continue
    url = line.slice('ready '.length)
    break
  }
  if (url === undefined) throw new Error(`${folder} exited with ${(await ended)[0]}: ${errors}`)
  child.stdout.resume()
  const { profileApiKey } = JSON.parse(readFileSync(join(data, 'sandbox-credentials.json'), 'utf8'))
  return {
    async send<T>(method: string, path: string, body?: unknown): Promise<T> {
      const response = await fetch(url + path, {
        method,
        headers: { 'x-api-key': profileApiKey, ...(body !== undefined && { 'content-type': 'application/json' }) },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      assert.ok(response.ok, `${method} ${path}: ${response.status} ${await response.clone().text()}`)
      return (await response.json()) as T
    },
    async stop() {
      child.kill('SIGTERM')
      assert.equal((await ended)[0], 0, errors)
    },
  }
}

/** Signs and submits what was planned, waits for CONFIRMED, and returns the operation's id. */
async function carryOut({ send }: Running, { operationId, transactions }: Plan): Promise<number> {
  for (const { unsignedTransaction } of transactions) {
    const planned = parseTransaction(unsignedTransaction) as Parameters<typeof account.signTransaction>[0]
    const signedTransaction = await account.signTransaction(planned)
    await send('POST', '/v1/transactions/submit-signed', { operationId, signedTransaction })
  }
  for (let tries = 0; tries < 300; tries += 1) {
    const { status } = await send<Plan>('GET', `/v1/operations/${operationId}`)
    if (status === 'CONFIRMED') return operationId
    assert.notEqual(status, 'FAILED')
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  throw new Error(`operation ${operationId} is not CONFIRMED after a minute`)
}
