import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestChain, type TestChain } from '../../testing/chains/test-chain.ts'
import { type TestDatabase, testDatabase } from '../../testing/index.ts'
import { until } from '../../testing/until.ts'
import { createDataDir, startProcess } from './service-process.ts'

/** More than a node keeps back as not final. */
const BLOCKS = 200

let chain: TestChain
let database: TestDatabase
let folder: Awaited<ReturnType<typeof createDataDir>>
let endpoint: Server
/** How long the endpoint takes for each request that reads a block by its number. */
let blockMs = 0

beforeAll(async () => {
  ;[chain, database, folder] = await Promise.all([startTestChain('polygon'), testDatabase(), createDataDir()])
  endpoint = createServer(async (request, response) => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part as Buffer)
    const body = Buffer.concat(parts)
    if (/"eth_getBlockByNumber","params":\["0x/.test(body.toString()))
      await new Promise((resolve) => setTimeout(resolve, blockMs))
    const headers = { 'content-type': 'application/json' }
    const answer = await fetch(chain.url, { method: 'POST', headers, body }).catch(() => undefined)
    // The embedded chain under the id of the public one, which is what an endpoint from outside must have.
    if (answer) response.writeHead(200, headers).end((await answer.text()).replaceAll('"0x7a6a"', '"0x89"'))
    else response.destroy()
  })
  await new Promise<void>((resolve) => endpoint.listen(0, '127.0.0.1', resolve))
})
afterAll(async () => {
  endpoint?.closeAllConnections()
  endpoint?.close()
  await folder?.remove()
  await database?.close()
  await chain?.stop()
})

const settings = () => ({
  DATA_DIR: folder.path,
  DATABASE_URL: database.url,
  POLYGON_RPC_URL: `http://127.0.0.1:${(endpoint.address() as AddressInfo).port}`,
})
const settled = async () =>
  Number(
    (
      await database.db
        .selectFrom('chain_cursors')
        .select('final_number')
        .where('blockchain', '=', 'polygon')
        .executeTakeFirst()
    )?.final_number ?? 0,
  )

test('a start with hours to catch up serves requests meanwhile, and stops on a signal', async () => {
  await chain.mine(BLOCKS)
  const first = await startProcess(settings())
  await until(async () => (await settled()) > 0)
  expect(await first.end()).toBe(0)
  const before = await settled()
  await chain.mine(BLOCKS)
  blockMs = 2_000
  const second = await startProcess(settings())
  expect(second.lines).toContain('still catching up with the chains')
  expect(await settled()).toBeLessThan(before + BLOCKS)
  for (const path of ['/health', '/ready']) expect((await fetch(`${second.url}${path}`)).status, path).toBe(200)
  expect(await second.end()).toBe(0)
  expect(await settled()).toBeLessThan(before + BLOCKS)
})
