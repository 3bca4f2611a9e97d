import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sandboxAllowList } from '@weir/verify'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { until } from '../../../server/testing/until.ts'
import { type FakeServer, type Reply, startFakeServer } from '../../testing/fake-server.ts'
import { type HostileNode, startHostileNode } from '../../testing/hostile-node.ts'
import { createNodes } from '../chains/index.ts'
import { systemClock } from '../clock.ts'
import { type Journal, openJournal, type SignedTransaction } from '../journal/index.ts'
import { createService } from '../service/client.ts'
import { createOutages } from './outages.ts'
import type { Parts } from './parts.ts'
import { rebroadcastUntilDecided } from './rebroadcast-loop.ts'
import { createReports } from './reports.ts'

const TAKEN: Reply = { status: 200, body: '{"data":{}}' }

let dir: string
let journal: Journal
let node: HostileNode
let service: FakeServer
/** What the service says to a report. */
let answer: (id: number) => Reply | Promise<Reply>
let reported: number[]
let stopping: AbortController

beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), 'weir-keep-up-'))
  journal = openJournal(dir, systemClock)
  for (const id of [1, 2, 3]) journal.recordSigned(entry(id))
  node = await startHostileNode()
  // No node knows the bytes, so they are lost until they are sent again.
  node.lies.eth_getTransactionByHash = () => null
  reported = []
  stopping = new AbortController()
  service = await startFakeServer(({ url }) => {
    const id = Number(url!.split('/')[4])
    reported.push(id)
    return answer(id)
  })
})
afterEach(async () => {
  stopping.abort()
  await Promise.all([node.close(), service.close()])
  journal.close()
  rmSync(dir, { recursive: true })
})

const entry = (transactionId: number): SignedTransaction => ({
  transactionId,
  operationId: transactionId,
  blockchain: 'polygon',
  signer: '0xme',
  unsigned: `0x0${transactionId}`,
  raw: `0x${transactionId}${transactionId}`,
  hash: `0xhash${transactionId}`,
  nonce: transactionId,
  meaning: '{}',
  venue: 'Aave V3 USDC',
  leaseToken: 'lease_1',
  genesis: '0x9e9e',
  height: null,
})

function start(change: Partial<Parts> = {}, urls = [node.url]): Promise<void> {
  const log = pino({ level: 'silent' })
  const clock = { ...systemClock, sleep: (ms: number, signal?: AbortSignal) => systemClock.sleep(ms / 50, signal) }
  const common = {
    service: createService({ url: service.url, apiKey: 'svc', leaseMs: 60_000 }),
    journal,
    log,
    clock,
    emit: () => {},
  }
  const parts = {
    ...common,
    reports: createReports(common),
    chainOutages: createOutages({ log, clock, away: 'away', back: 'back' }),
    holds: createOutages({ log, clock, away: 'away', back: 'back' }),
    losses: createOutages({ log, clock, away: 'away', back: 'back' }),
    ...change,
  } as Parts
  const polygon = createNodes(sandboxAllowList, new Map([['polygon', urls]]), 'sandbox').get('polygon')!
  return rebroadcastUntilDecided(parts, polygon, { everyMs: 500, stopping: stopping.signal, onRound: () => {} })
}

const timesSent = (id: number) => node.sent.filter((raw) => raw === entry(id).raw).length
const refusal = (status: number, code: string): Reply => ({ status, body: JSON.stringify({ code, message: code }) })

test.each<[string, () => Reply]>([
  [
    'nothing',
    () => {
      throw new Error('it is down')
    },
  ],
  ['401', () => refusal(401, 'UNAUTHORIZED')],
  ['403', () => refusal(403, 'FORBIDDEN')],
  ['429', () => refusal(429, 'RATE_LIMIT_EXCEEDED')],
])(
  'while the service answers %s, all signed bytes are sent again and again, and reported once it answers',
  async (_which, refuse) => {
    answer = refuse
    const ended = start()
    await until(() => [1, 2, 3].every((id) => timesSent(id) >= 3 && reported.filter((one) => one === id).length >= 2))
    reported.length = 0
    answer = () => TAKEN
    await until(() => [1, 2, 3].every((id) => journal.isReported(entry(id))))
    const again = timesSent(1)
    await until(() => timesSent(1) > again + 1)
    // One may have been refused just before the change.
    expect(reported.length).toBeLessThanOrEqual(6)
    stopping.abort()
    await ended
  },
)

test('an outcome is recorded while the service does not answer', async () => {
  answer = () => refusal(401, 'UNAUTHORIZED')
  const ended = start()
  await until(() => timesSent(3) >= 2)
  node.lies.eth_getTransactionReceipt = () => ({ blockNumber: '0x10' })
  await until(() => [1, 2, 3].every((id) => journal.outcomeOf(entry(id)) === 'final'))
  answer = () => TAKEN
  await until(() => [1, 2, 3].every((id) => journal.isReported(entry(id))))
  stopping.abort()
  await ended
})

test('at most one report about the same bytes is under way, however often they are sent', async () => {
  const held = new Map<number, number>()
  let most = 0
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  answer = async (id) => {
    held.set(id, (held.get(id) ?? 0) + 1)
    most = Math.max(most, ...held.values())
    await released
    return TAKEN
  }
  const ended = start()
  await until(() => [1, 2, 3].every((id) => timesSent(id) >= 4))
  release()
  await until(() => [1, 2, 3].every((id) => journal.isReported(entry(id))))
  stopping.abort()
  await ended
  expect({ most, reported: reported.toSorted() }).toEqual({ most: 1, reported: [1, 2, 3] })
})

test('a stop waits for no answer, and the next start reports what had none', async () => {
  answer = () => refusal(429, 'RATE_LIMIT_EXCEEDED')
  const ended = start()
  await until(() => new Set(reported).size === 3)
  stopping.abort()
  await ended
  expect(journal.isReported(entry(1))).toBe(false)
  answer = () => TAKEN
  stopping = new AbortController()
  const next = start()
  await until(() => [1, 2, 3].every((id) => journal.isReported(entry(id))))
  stopping.abort()
  await next
})

test('a report that fails for another reason than the service ends the sending with that reason', async () => {
  const broken = { report: () => Promise.reject(new Error('the disk is full')), isUnderWay: () => false }
  await expect(start({ reports: broken })).rejects.toThrow('the disk is full')
})

test('bytes that no node keeps are logged once, however often they are sent again, and once when a node knows them', async () => {
  answer = () => TAKEN
  const lines: string[] = []
  const note = (facts: { readonly transactionId: number }, text: string) => {
    if (facts.transactionId === 1) lines.push(text)
  }
  const log = { error: note, warn: note, info: note } as never
  const losses = createOutages({ log, clock: systemClock, away: 'sent again', back: 'known again', level: 'info' })
  const ended = start({ losses })
  await until(() => timesSent(1) >= 4)
  expect(lines).toEqual(['sent again'])
  node.lies.eth_getTransactionByHash = () => ({ blockNumber: null })
  await until(() => lines.length === 2)
  expect(lines[1]).toBe('known again')
  stopping.abort()
  await ended
})

const header = (parentHash: string) => ({ number: '0x10', hash: '0xb10c', parentHash })
const open = () => journal.outstanding().map(({ transactionId }) => transactionId)

test('an endpoint of another genesis closes no bytes while another one may know them', async () => {
  answer = () => TAKEN
  const other = await startHostileNode()
  Object.assign(other.lies, { eth_getBlockByNumber: header('0x0bad'), eth_getTransactionByHash: null })
  let drops = 1
  node.lies.eth_getBlockByNumber = () => {
    if (drops-- > 0) throw new Error('the connection drops')
    return header('0x9e9e')
  }
  const ended = start({}, [node.url, other.url])
  await until(() => timesSent(1) > 0 && timesSent(3) > 0)
  expect(open()).toEqual([1, 2, 3])
  node.lies.eth_getBlockByNumber = new Error('it is away')
  const again = { asked: 0 }
  other.lies.eth_getBlockByNumber = () => {
    again.asked += 1
    return header('0x0bad')
  }
  await until(() => again.asked > 6)
  expect(open()).toEqual([1, 2, 3])
  stopping.abort()
  await ended
  await other.close()
})

test('bytes of a chain that was reset are closed once all endpoints agree', async () => {
  answer = () => TAKEN
  const other = await startHostileNode()
  for (const one of [node, other]) one.lies.eth_getBlockByNumber = header('0x0bad')
  const ended = start({}, [node.url, other.url])
  await until(() => open().length === 0)
  expect(journal.outcomeOf(entry(1))).toBe('other-chain')
  stopping.abort()
  await ended
  await other.close()
})

test.each<[string, string, unknown]>([
  ['no block 1', 'eth_getBlockByNumber', () => null],
  ['no finalized block', 'eth_getBlockByNumber', ([tag]: string[]) => (tag === '0x1' ? header('0x9e9e') : null)],
  ['a receipt of no block', 'eth_getTransactionReceipt', {}],
])(
  'an endpoint that returns %s ends nothing, and all bytes are sent once it returns more',
  async (_which, method, lie) => {
    answer = () => TAKEN
    let asked = 0
    node.lies.eth_getTransactionReceipt = () => ({ blockNumber: '0x99' })
    node.lies[method] = (params: string[]) => {
      asked += 1
      return typeof lie === 'function' ? lie(params) : lie
    }
    const ended = start()
    await until(() => asked > 6)
    expect(open()).toEqual([1, 2, 3])
    delete node.lies[method]
    node.lies.eth_getTransactionReceipt = () => null
    const before = [1, 2, 3].map(timesSent)
    await until(() => [1, 2, 3].every((id, at) => timesSent(id) > before[at]!))
    stopping.abort()
    await ended
  },
)

test('what fails for one entry is logged, and the others go on', async () => {
  answer = () => TAKEN
  const lines: unknown[] = []
  const note = ({ transactionId, err }: { readonly transactionId?: number; readonly err?: Error }, text: string) => {
    if (err !== undefined) lines.push([transactionId, err.message, text])
  }
  const log = { error: note, warn: note, info: note } as never
  const losses = createOutages({ log, clock: systemClock, away: 'sent again', back: 'known again', level: 'info' })
  const full = {
    ...journal,
    isReported: (one: SignedTransaction) => {
      if (one.transactionId === 2) throw new Error('the disk is full')
      return journal.isReported(one)
    },
  }
  const ended = start({ losses, journal: full })
  await until(() => timesSent(1) >= 3 && timesSent(3) >= 3)
  expect(lines).toEqual([[2, 'the disk is full', 'signed bytes were not looked after; tried again in the next round']])
  expect(timesSent(2)).toBe(0)
  stopping.abort()
  await ended
})
