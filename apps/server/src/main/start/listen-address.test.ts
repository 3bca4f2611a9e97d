import { once } from 'node:events'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readConfig } from '../../config.ts'
import { resolveListenAddress } from './listen-address.ts'

let other: Server
let taken: number
beforeEach(async () => {
  other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  taken = (other.address() as AddressInfo).port
})
afterEach(() => other.close())

const at = (HOST: string, PORT: number) => resolveListenAddress(readConfig({ HOST, PORT: String(PORT) }))

test('a port in use is reported in one line with the port and the remedy', async () => {
  const refusal = { name: 'ConfigError', problems: [`PORT: ${taken} on 127.0.0.1 is in use; choose another with PORT`] }
  await expect(at('127.0.0.1', taken)).rejects.toMatchObject(refusal)
})

test('checking a free port leaves it free', async () => {
  other.close()
  await once(other, 'close')
  const address = { host: '127.0.0.1', port: taken, publicUrl: `http://127.0.0.1:${taken}` }
  expect(await at('127.0.0.1', taken)).toEqual(address)
  expect(await at('127.0.0.1', taken)).toEqual(address)
})

test('port 0 becomes a free port', async () => {
  const { port, publicUrl } = await at('127.0.0.1', 0)
  expect(port).toBeGreaterThan(0)
  expect(port).not.toBe(taken)
  expect(publicUrl).toBe(`http://127.0.0.1:${port}`)
})

test('a host that is not of this machine is reported as HOST, with the remedy', async () => {
  const problem = 'HOST: 192.0.2.1 is not an address of this machine; use 127.0.0.1, 0.0.0.0, or an address of its own'
  await expect(at('192.0.2.1', 0)).rejects.toMatchObject({ name: 'ConfigError', problems: [problem] })
})

test('a host name that does not resolve is reported as HOST', async () => {
  const problem = 'HOST: weir.invalid does not resolve; use an address, or a name of this machine'
  await expect(at('weir.invalid', 0)).rejects.toMatchObject({ name: 'ConfigError', problems: [problem] })
})
