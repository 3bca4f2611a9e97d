import { once } from 'node:events'
import { type AddressInfo, createServer, connect as dial } from 'node:net'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { silentLog } from '../../kernel/index.ts'
import { createSession } from './create-session.ts'
import { openDatabase } from './open-database.ts'

/** A server that dies as soon as a new session sends its first statement. */
const server = createServer((client) => {
  const target = new URL(inject('postgresUrl'))
  const upstream = dial(Number(target.port), target.hostname)
  for (const socket of [client, upstream]) socket.on('error', () => undefined)
  upstream.pipe(client)
  client.on('data', (bytes) => {
    if (bytes.includes('set_config')) client.destroy()
    else upstream.write(bytes)
  })
  client.on('close', () => upstream.destroy())
})
let url: string
/** What would have ended a process of the service. */
const uncaught: unknown[] = []
const note = (error: unknown) => void uncaught.push(error)

beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const through = new URL(inject('postgresUrl'))
  through.host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  url = through.href
  process.prependListener('uncaughtException', note)
})
afterAll(() => {
  process.off('uncaughtException', note)
  server.close()
})

test('a server that dies while a connection is set up fails its user, and does not end the process', async () => {
  const { pool, close } = openDatabase({ url, log: silentLog, max: 1 })
  await expect(pool.query('select 1')).rejects.toThrow('Connection terminated unexpectedly')
  await close()
  await expect(createSession({ url, name: 'test' }).connect()).rejects.toThrow('Connection terminated unexpectedly')
  expect(uncaught).toEqual([])
})
