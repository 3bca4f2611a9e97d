import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { Agent, request } from 'undici'
import { createPeriodicRunner, emit, inTransaction } from '../src/database/index.ts'
import { ringOf, systemClock, WEBHOOK_REQUESTS_PER_RECEIVER_MAX } from '../src/kernel/index.ts'
import { webhookParts } from '../src/main/compose/webhook-parts.ts'
import { createDeliveryWorker, createWebhook, relayEvents, startRelay } from '../src/webhooks/index.ts'
import type { BenchEnvironment } from './bench-environment.ts'
import { type Comparison, type Contender, compare, inLanes, summary } from './compare.ts'
import { DELIVERED_EVENTS, FEW_DELIVERED_EVENTS, seedDeliveredEvents } from './seed-delivered-events.ts'

/** Target for the time from the event's row to the first byte at the receiver. */
const FIRST_BYTE_MS = 50
/** The longest wait for the deliveries of a round, on a busy machine. */
const ALL_ARRIVED_MS = 10_000
const DELIVERIES_A_SECOND = 500
const ROUNDS = 5

/** Webhooks, against their targets and against undici, which sends the same requests and does nothing else. */
export async function webhooksBench(workplace: BenchEnvironment): Promise<Comparison[]> {
  const sink = await startReceiverProcess()
  try {
    return [
      await firstByte(workplace, sink),
      ...(await throughput(workplace, sink)),
      ...(await oneUnavailable(workplace, sink)),
    ]
  } finally {
    await sink.stop()
  }
}

/** One event at a time, at random moments, as in a quiet service. */
async function firstByte(workplace: BenchEnvironment, sink: ReceiverProcess): Promise<Comparison> {
  const yard = await openWebhookSetup(workplace, sink, ['/a', '/b', '/c'])
  const periodic = createPeriodicRunner({ databaseUrl: yard.url, log: yard.log, clock: systemClock })
  yard.deliverer.start()
  const relay = startRelay(periodic, yard.parts, { role: 'all', onRelayed: yard.deliverer.nudge })
  const ratios: number[] = []
  const p50s: number[] = []
  const events = workplace.sized(100, 4)
  for (let round = 0; round <= workplace.sized(ROUNDS, 1); round += 1) {
    await sink.take()
    for (let event = 0; event < events; event += 1) {
      await yard.tell(1)
      await pause(5 + Math.random() * 25)
    }
    const latencies: number[] = []
    for (const end = performance.now() + ALL_ARRIVED_MS; latencies.length < events * 3; await pause(50)) {
      latencies.push(...(await sink.take()).latencies)
      if (performance.now() > end) throw new Error(`${latencies.length} of ${events * 3} deliveries arrived`)
    }
    const sorted = latencies.toSorted((a, b) => a - b)
    // The first round warms up.
    if (round === 0) continue
    p50s.push(sorted[Math.floor(sorted.length / 2)]!)
    ratios.push(FIRST_BYTE_MS / sorted[Math.floor(sorted.length * 0.99) - 1]!)
  }
  relay.stop()
  await periodic.stop()
  await yard.close()
  const p99 = Math.round(FIRST_BYTE_MS / middle(ratios))
  const title = `Event to first byte at the receiver: p50 ${Math.round(middle(p50s))} ms, p99 ${p99} ms`
  return summary(title, `${FIRST_BYTE_MS} ms over p99`, ratios, 1)
}

/** A backlog of events for ten receivers, from the outbox to the recorded delivery. */
async function throughput(workplace: BenchEnvironment, sink: ReceiverProcess): Promise<Comparison[]> {
  const paths = Array.from({ length: 10 }, (_, each) => `/${each}`)
  const yard = await openWebhookSetup(workplace, sink, paths)
  const rates: number[] = []
  const ours: Contender = {
    name: 'weir',
    async run(milliseconds) {
      const began = performance.now()
      let delivered = 0
      do {
        await yard.tell(100)
        await yard.deliverAll()
        delivered += 100 * paths.length
      } while (performance.now() - began < milliseconds)
      rates.push((delivered / (performance.now() - began)) * 1_000)
      return delivered
    },
  }
  const agent = new Agent({ allowH2: false, pipelining: 1 })
  const body = JSON.stringify({
    event: 'transaction.updated',
    timestamp: new Date(0).toISOString(),
    data: { emittedAt: 0 },
  })
  let turn = 0
  const bare = inLanes('bare undici POST', paths.length * WEBHOOK_REQUESTS_PER_RECEIVER_MAX, async () => {
    turn += 1
    const url = `${sink.url}${paths[turn % paths.length]}`
    const headers = { 'content-type': 'application/json' }
    const answer = await request(url, { dispatcher: agent, method: 'POST', headers, body })
    await answer.body.dump()
  })
  const compared = await compare(
    'Webhook deliveries',
    ours,
    bare,
    workplace.sized({ rounds: ROUNDS, milliseconds: 1_000 }, { rounds: 1, milliseconds: 10 }),
  )
  await agent.close()
  await yard.close()
  const title = `Webhook deliveries: ${Math.round(middle(rates))} a second`
  const asked = rates.slice(1).map((rate) => rate / DELIVERIES_A_SECOND)
  return [summary(title, `${DELIVERIES_A_SECOND} a second`, asked, 1), compared]
}

/**
 * What 99 receivers lose when the hundredth accepts every request and responds to none. They respond after a while, as
 * receivers elsewhere do, so the requests that may be out at once limit the rate, and the processor does not. As a
 * control, it also compares two services whose receivers are all alive: their deviation from 1 is the machine's noise.
 */
async function oneUnavailable(workplace: BenchEnvironment, sink: ReceiverProcess): Promise<Comparison[]> {
  const alive = Array.from({ length: workplace.sized(99, 4) }, (_, each) => `/distant/${each}`)
  // A round takes some seconds: a deliverer's pauses between two polls must not decide it.
  const events = workplace.sized(50, 6)
  const yards: WebhookSetup[] = []
  const deliveries = async (name: string, hundredth: string): Promise<Contender> => {
    const yard = await openWebhookSetup(workplace, sink, [hundredth, ...alive])
    yards.push(yard)
    return {
      name,
      async run() {
        await sink.take()
        await yard.tell(events)
        yard.deliverer.start()
        while ((await relayEvents(yard.parts)) > 0) yard.deliverer.nudge()
        let received = 0
        while (received < events * alive.length) {
          await pause(5)
          received += (await sink.take()).received
        }
        return received
      },
    }
  }
  const whole = await deliveries('the 100th alive', '/distant/spare')
  const another = await deliveries('another whose 100th is alive', '/distant/spare')
  const ailing = await deliveries('1 of 100 dead', '/dead')
  const rounds = workplace.sized(15, 1)
  const control = await compare('Deliveries to 99 receivers, all alive', another, whole, { rounds })
  const compared = await compare('Deliveries to 99 receivers while the 100th is dead', ailing, whole, {
    rounds,
    target: 0.95,
  })
  // Deliveries to the dead receiver would be waited for: stopping it ends them.
  await sink.stop()
  for (const yard of yards) await yard.close()
  return [control, compared]
}

type WebhookSetup = Awaited<ReturnType<typeof openWebhookSetup>>

/** An organization with a webhook for each path of the sink, and the events of its last thirty days. */
async function openWebhookSetup(workplace: BenchEnvironment, sink: ReceiverProcess, paths: readonly string[]) {
  const database = await workplace.openDatabase()
  const { organizationId, parts: common } = database
  const config = { environment: 'sandbox' as const, webhookAllow: undefined }
  const parts = webhookParts(config, { encryption: ringOf('0e'.repeat(32)) }, common)
  for (const path of paths) await createWebhook(parts, { organizationId, url: sink.url + path, events: ['*'] })
  const before = workplace.sized(DELIVERED_EVENTS, FEW_DELIVERED_EVENTS)
  await seedDeliveredEvents(database, before)
  const deliverer = createDeliveryWorker(parts)
  let objectId = before
  return {
    url: database.url,
    log: common.log,
    parts,
    deliverer,
    /** Writes events of this many objects in one change. */
    async tell(events: number): Promise<void> {
      const at = common.clock.now()
      const told = Array.from({ length: events }, () => {
        objectId += 1
        const data = { transaction_id: objectId, emittedAt: performance.timeOrigin + performance.now() }
        return { organizationId, event: 'transaction.updated', objectType: 'ramp_transaction', objectId, data, at }
      })
      await inTransaction(common.db, (tx) => emit(tx, told))
    },
    async deliverAll(): Promise<void> {
      while ((await relayEvents(parts)) > 0);
      while ((await deliverer.runOnce()) > 0) await deliverer.onIdle()
    },
    async close(): Promise<void> {
      await deliverer.stop()
      await database.close()
    },
  }
}

interface ReceiverProcess {
  readonly url: string
  /** What arrived since the last call. */
  take(): Promise<{ received: number; latencies: number[] }>
  stop(): Promise<void>
}

async function startReceiverProcess(): Promise<ReceiverProcess> {
  const child: ChildProcess = fork(fileURLToPath(new URL('programs/webhook-receiver.ts', import.meta.url)))
  const ended = once(child, 'exit')
  const takeAlong = () => child.kill('SIGKILL')
  process.once('exit', takeAlong)
  const [port] = await once(child, 'message')
  return {
    url: `http://127.0.0.1:${port}`,
    async take() {
      child.send('take')
      const [taken] = await once(child, 'message')
      return taken
    },
    async stop() {
      process.off('exit', takeAlong)
      child.kill()
      await ended
    },
  }
}

function middle(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!
}
