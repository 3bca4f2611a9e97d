// Installs a version from its commit, runs it as an operator would, and carries out operations of a wallet.
import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { type Hex, parseTransaction } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import { endWithThisProcess } from '../../apps/server/testing/processes/end-with-this-process.ts'

export interface Running {
  send<T>(method: 'GET' | 'POST', path: string, body?: unknown): Promise<T>
  stop(): Promise<void>
}
export interface Plan {
  readonly operationId: number
  readonly status: string
  readonly transactions: readonly { readonly unsignedTransaction: Hex }[]
}

/** Writes the sources of a commit into a folder, and installs the packages of its lock file. */
export function installVersion(root: string, commit: string, folder: string): void {
  mkdirSync(folder)
  execFileSync('tar', ['--extract', '--directory', folder], {
    input: execFileSync('git', ['archive', commit], { cwd: root, maxBuffer: 1e9 }),
  })
  const npm = ['ci', '--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
  execFileSync('npm', npm, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] })
}

/** Starts the service of a folder. Rejects with its exit code and its log if it ends before it is ready. */
export async function startVersion(folder: string, settings: { readonly DATA_DIR: string }): Promise<Running> {
  const { PATH, HOME } = process.env
  const env = { PATH, HOME, PORT: '0', LOG_LEVEL: 'warn', RATE_LIMIT_MULTIPLIER: '100', ...settings }
  const child = spawn(process.execPath, ['apps/server/src/main.ts'], { cwd: folder, env })
  const settle = endWithThisProcess(child)
  let errors = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text
  })
  const ended = once(child, 'close').finally(settle)
  let url: string | undefined
  for await (const line of createInterface(child.stdout)) {
    if (!line.startsWith('ready ')) continue
    url = line.slice('ready '.length)
    break
  }
  if (url === undefined) throw new Error(`${folder} exited with ${(await ended)[0]}: ${errors}`)
  child.stdout.resume()
  const { profileApiKey } = JSON.parse(readFileSync(join(settings.DATA_DIR, 'sandbox-credentials.json'), 'utf8'))
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
export async function carryOut(service: Running, plan: Plan, account: PrivateKeyAccount): Promise<number> {
  const { operationId, transactions } = plan
  for (const { unsignedTransaction } of transactions) {
    const planned = parseTransaction(unsignedTransaction) as Parameters<typeof account.signTransaction>[0]
    const signedTransaction = await account.signTransaction(planned)
    await service.send('POST', '/v1/transactions/submit-signed', { operationId, signedTransaction })
  }
  for (let tries = 0; tries < 300; tries += 1) {
    const { status } = await service.send<Plan>('GET', `/v1/operations/${operationId}`)
    if (status === 'CONFIRMED') return operationId
    assert.notEqual(status, 'FAILED')
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  throw new Error(`operation ${operationId} is not CONFIRMED after a minute`)
}
