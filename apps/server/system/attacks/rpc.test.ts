import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '../../testing/index.ts'
import { until } from '../../testing/until.ts'
import { createDataDir, type ServiceProcess, startProcess } from '../processes/service-process.ts'

/** Every RPC endpoint of the service is hostile, each in a way of its own; it tries them in turn, for every chain. */

const MEBIBYTE = 1_048_576
const CHAIN_IDS: Readonly<Record<string, string>> = { ethereum: '0x1', polygon: '0x89', base: '0x2105' }
const SOLANA_GENESIS = '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d'

interface Question {
  readonly id: number
  readonly method: string
}
type Attack = (response: ServerResponse, questions: readonly Question[], chain: string) => void

const answer = (response: ServerResponse, body: unknown) => void response.end(JSON.stringify(body))
/** Proves to be the right chain, and returns `result` for everything else. */
const asChain =
  (result: unknown): Attack =>
  (response, questions, chain) => {
    const identity: Readonly<Record<string, unknown>> = {
      eth_chainId: CHAIN_IDS[chain],
      getGenesisHash: SOLANA_GENESIS,
    }
    answer(
      response,
      questions.map(({ id, method }) => ({ id, result: identity[method] ?? result })),
    )
  }
const bomb = gzipSync(Buffer.alloc(32 * MEBIBYTE, '['))
const digits = `0x${'f'.repeat(MEBIBYTE)}`

const ATTACKS: Readonly<Record<string, Attack>> = {
  'redirects into the network': (response) => response.writeHead(307, { location: insideUrl }).end(),
  'sends a body without end': (response) => {
    const part = Buffer.alloc(65_536, '[')
    const write = () => {
      while (!response.destroyed) {
        sent += part.length
        if (!response.write(part)) return response.once('drain', write)
      }
      return response
    }
    write()
  },
  'sends a compressed body of 32 MiB': (response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb),
  'answers to other ids': (response, questions) =>
    answer(
      response,
      questions.map(({ id }) => ({ id: id + 1_000, result: '0x1' })),
    ),
  'answers a batch with one object': (response) => answer(response, { id: 0, result: '0x1' }),
  'writes numbers of a megabyte': asChain({
    number: digits,
    timestamp: digits,
    hash: '0xaa',
    parentHash: '0xbb',
    baseFeePerGas: digits,
    transactions: [],
    blockhash: 'aa',
    previousBlockhash: 'bb',
    blockTime: digits,
    blockHeight: digits,
  }),
  'returns nothing for everything': asChain(null),
  'returns an error with a message of a megabyte': (response, questions) =>
    answer(
      response,
      questions.map(({ id }) => ({ id, error: { code: -32_000, message: 'm'.repeat(MEBIBYTE) } })),
    ),
}
const NAMES = Object.keys(ATTACKS)

let database: TestDatabase
let service: ServiceProcess
let folder: Awaited<ReturnType<typeof createDataDir>>
const servers: Server[] = []
let insideUrl = ''
let reachedInside = 0
let sent = 0
/** The chains that asked each endpoint. */
const asked = new Map<string, Set<string>>()

async function listen(server: Server): Promise<string> {
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

beforeAll(async () => {
  insideUrl = await listen(
    createServer((_, response) => {
      reachedInside += 1
      response.end('{}')
    }),
  )
  const endpoints = await listen(
    createServer((request, response) => {
      response.on('error', () => {})
      let text = ''
      request.setEncoding('utf8').on('data', (part: string) => {
        text += part
      })
      request.on('end', () => {
        const [, chain = '', attack = ''] = (request.url ?? '').split('/')
        const name = NAMES[Number(attack)]!
        asked.set(name, (asked.get(name) ?? new Set()).add(chain))
        ATTACKS[name]!(response, JSON.parse(text) as Question[], chain)
      })
    }),
  )
  const urls = (chain: string) => NAMES.map((_, at) => `${endpoints}/${chain}/${at}`).join(',')
  ;[database, folder] = await Promise.all([testDatabase(), createDataDir()])
  service = await startProcess({
    DATA_DIR: folder.path,
    DATABASE_URL: database.url,
    ETHEREUM_RPC_URL: urls('ethereum'),
    POLYGON_RPC_URL: urls('polygon'),
    BASE_RPC_URL: urls('base'),
    SOLANA_RPC_URL: urls('solana'),
  })
})
afterAll(async () => {
  await service?.end()
  for (const server of servers) {
    server.closeAllConnections()
    server.close()
  }
  await folder?.remove()
  await database?.close()
})

test.each(NAMES)('an endpoint that %s is asked, and the service goes on', async (name) => {
  expect(await until(async () => asked.get(name)?.size === 4, 60_000)).toBe(true)
  expect((await fetch(`${service.url}/health`)).status).toBe(200)
  // Not ready while it reads what they send, and again right after.
  expect(await until(async () => (await fetch(`${service.url}/ready`)).ok, 60_000)).toBe(true)
})

test('no request was redirected, no body was read for long, and nothing was settled or followed', async () => {
  expect(reachedInside).toBe(0)
  expect(sent / (asked.get('sends a body without end')?.size ?? 0)).toBeLessThan(100 * MEBIBYTE)
  for (const table of ['chain_cursors', 'ledger_entries', 'transactions'] as const) {
    const { count } = await database.db
      .selectFrom(table)
      .select((is) => is.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
    expect(Number(count), table).toBe(0)
  }
  expect(service.errors()).not.toMatch(/m{1100}|f{1100}/)
})
