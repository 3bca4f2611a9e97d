import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort } from '@weir/devnet/free-port'
import { expect, onTestFinished, test } from 'vitest'
import { until } from '../../testing/index.ts'
import type { Data } from '../clients/api-types.ts'
import { createWalletClient } from '../clients/wallet-client.ts'
import { sharedSystem } from '../service/shared-system.ts'

const repository = fileURLToPath(new URL('../../../..', import.meta.url))

test('the receiver of docs/webhooks.md verifies deliveries of a service and refuses everything else', async () => {
  const system = await sharedSystem()
  onTestFinished(() => system.stop())
  const port = await freePort()
  const url = `http://127.0.0.1:${port}/weir`
  const { email, password } = system.credentials
  const login = { email, password }
  const session = (await system.as({}).post<Data<{ accessToken: string }>>('/api/core/auth/login', login)).body.data
  const owner = system.as({ authorization: `Bearer ${session.accessToken}` })
  const made = await owner.post<Data<{ id: number; secret: string }>>('/api/core/webhooks', { url, events: ['*'] })
  const { id, secret } = made.body.data

  const document = await readFile(join(repository, 'docs/webhooks.md'), 'utf8')
  const [, receiver = ''] = /^```js\n(.*?)^```$/ms.exec(document)!
  const folder = await mkdtemp(join(system.dataDir, 'receiver-'))
  await symlink(join(repository, 'node_modules'), join(folder, 'node_modules'))
  await writeFile(join(folder, 'receiver.mjs'), receiver)
  const child = spawn(process.execPath, ['receiver.mjs'], {
    cwd: folder,
    env: { ...process.env, WEBHOOK_SECRET: secret, PORT: String(port) },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text
  })
  try {
    // A program that took the port first ends it, and the next attempt takes another port.
    await until(() => output.includes('listening') || child.exitCode !== null)
    expect(child.exitCode, 'it listens').toBeNull()
    await owner.post(`/api/core/webhooks/${id}/test`, {})
    await until(() => output.includes('webhook.test'))
    const strategies = await system.strategies()
    const strategy = strategies.find(({ blockchain, protocol }) => blockchain === 'polygon' && protocol === 'aave-v3')!
    const holder = await createWalletClient(system.profile, strategy.blockchain)
    await holder.fund(strategy.token, 10_000_000n)
    const { operationId } = await holder.supply(strategy, 5_000_000n)
    await until(() => output.includes('operation.completed'))
    const told = output.split('\n').filter((line) => line.includes(`"operationId":${operationId},`))
    expect(told.map((line) => line.split(' ')[0])).toEqual([
      'operation.created',
      'operation.executing',
      'operation.completed',
    ])
    expect(told[2]).toContain('"amount":"5.00"')
    const forged = { 'webhook-id': 'evt_1', 'webhook-timestamp': '1', 'webhook-signature': 'v1,AAAA' }
    expect((await fetch(url, { method: 'POST', headers: forged, body: '{}' })).status).toBe(401)
  } finally {
    child.kill()
    await ended
  }
})
