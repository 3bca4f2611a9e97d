import { setTimeout as pause } from 'node:timers/promises'
import type { CallerParts, Cycle } from './wallet-callers.ts'
import { createAgent, createSettler, createWaiter } from './wallet-callers.ts'

/** Callers that go on while processes come and go, until the first response that is wrong. */
export interface SteadyLoad {
  /** How often one version planned an operation that another carried out, by {@link handover}. */
  readonly handovers: ReadonlyMap<string, number>
  /** Operations of the wallet that Weir manages, which an agent carried out. */
  readonly managed: ReadonlySet<number>
  /** How often an event of an operation was listed: `operation.completed 12`. */
  readonly events: ReadonlyMap<string, number>
  /** Lets a day pass on every chain, between operations. */
  passDay(turn: number): Promise<void>
  /** Begins nothing new, and waits until everything that was begun is done, and every event was read. */
  end(): Promise<void>
}

const PAUSE_MS = 300

/** The name of a handover in {@link SteadyLoad.handovers}. */
export const handover = (from: string, to: string) => `${from} to ${to}`

/** Starts a caller on each chain, and on the first one that waits for a withdrawal, and an agent; and reads the events. */
export async function startLoad(
  parts: Omit<CallerParts, 'onOperation'>,
  blockchains: readonly [string, ...string[]],
): Promise<SteadyLoad> {
  const { journal, routes, credentials } = parts
  const [handovers, events, managed] = [new Map<string, number>(), new Map<string, number>(), new Set<number>()]
  const count = (map: Map<string, number>, key: string) => map.set(key, (map.get(key) ?? 0) + 1)
  const callerParts = { ...parts, onOperation: (from: string, to: string) => void count(handovers, handover(from, to)) }
  let open = Promise.withResolvers<void>()
  open.resolve()
  let busy = 0
  let isEnding = false
  let isReading = true

  async function run(cycle: Cycle): Promise<void> {
    for (let round = 0; ; round += 1) {
      await open.promise
      if (isEnding || journal.problems.length > 0) return
      busy += 1
      await cycle(round).catch((error) => journal.problems.push(String(error)))
      busy -= 1
      await pause(PAUSE_MS)
    }
  }
  const read = createReader(parts, (event) => count(events, event))
  async function readAll(): Promise<void> {
    for (let turn = 0; journal.problems.length === 0; turn += 1) {
      const isMore = await read(turn).catch((error) => void journal.problems.push(String(error)))
      if (!isMore && !isReading) return
      await pause(PAUSE_MS)
    }
  }
  const [first] = blockchains
  const cycles = [
    ...(await Promise.all(blockchains.map((blockchain) => createSettler(callerParts, blockchain)))),
    await createWaiter(callerParts, first),
    await createAgent(callerParts, first, (operationId) => managed.add(operationId)),
  ]
  const callers = cycles.map(run)
  const reader = readAll()
  return {
    handovers,
    managed,
    events,
    async passDay(turn) {
      open = Promise.withResolvers<void>()
      try {
        while (busy > 0) await pause(50)
        const headers = { 'x-api-key': credentials.profileApiKey }
        await routes.send(turn, { path: '/v1/sandbox/advance-time', body: { seconds: 86_400 }, headers, status: 200 })
      } finally {
        open.resolve()
      }
    },
    async end() {
      isEnding = true
      await Promise.all(callers)
      isReading = false
      await reader
    },
  }
}

/** Reads the next page of the list of events at another process than the page before. Returns whether it has any. */
function createReader({ routes, credentials }: Omit<CallerParts, 'onOperation'>, onEvent: (event: string) => void) {
  let after: number | undefined
  return async (turn: number): Promise<boolean> => {
    type Page = {
      events: { event: string; data: { operationId?: number } }[]
      cursor: number | null
      missed?: boolean
    }
    const { body } = await routes.send<Page>(turn, {
      path: `/v1/events?limit=100${after === undefined ? '' : `&after=${after}`}`,
      headers: { 'x-api-key': credentials.organizationApiKey },
      status: 200,
    })
    if (body.missed) throw new Error('events are missing from the list')
    for (const { event, data } of body.events) if (data.operationId) onEvent(`${event} ${data.operationId}`)
    after = body.cursor ?? after
    return body.events.length > 0
  }
}
