import { AsyncLocalStorage } from 'node:async_hooks'
import { timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Blockchain, PARSE_ERROR } from '../../chains/index.ts'
import { type Log, SHARED_CHAINS_BODY_MAX } from '../../kernel/index.ts'
import { type ControlledNode, controlNodes } from '../control-node.ts'
import { type NodeOptions, startNodes } from '../start-nodes.ts'
import {
  type ChainsControl,
  decodeCall,
  encodeOutcome,
  PATHS,
  REGISTERED_HEADER,
  SECRET_HEADER,
} from './chains-control.ts'
import { type ChainsFile, chainsFilePath, secretFor, writeChainsFile } from './chains-file.ts'
import { createExclusiveLock, type ExclusiveLock } from './exclusive-lock.ts'

export interface ServeChainsOptions extends NodeOptions {
  /** 0: a free one. */
  readonly port: number
}

export interface ServedChains {
  readonly file: string
  readonly content: ChainsFile
  /** Saves and stops the chains. */
  stop(): Promise<void>
}

/**
 * Runs the embedded chains for several processes, on one port of this machine, and writes `DATA_DIR/chains.json`, which
 * says how to reach them. Faults, clocks and states of venues belong to the chains, so every process sees the same.
 */
export async function serveChains(options: ServeChainsOptions): Promise<ServedChains> {
  const file = chainsFilePath(options.dataDir)
  const secret = await secretFor(file)
  const nodes = await startNodes(options)
  const registered = new AsyncLocalStorage<ReadonlySet<string>>()
  const isRegistered = async (_blockchain: string, address: string) => registered.getStore()?.has(address) ?? false
  const controlled = new Map<string, ControlledNode>(
    controlNodes(nodes, { log: options.log, isRegistered }).map((node) => [node.deployment.blockchain, node]),
  )
  const handle = createHandler({ nodes: controlled, secret, registered, log: options.log })
  const server = createServer((request, response) => void handle(request, response))
  server.keepAliveTimeout = 60_000
  const stop = async () => {
    server.close()
    server.closeAllConnections()
    await Promise.all([...controlled.values()].map(({ dev }) => dev.close()))
    await nodes.stop()
  }
  try {
    server.listen(options.port, '127.0.0.1')
    await once(server, 'listening')
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const rpc = Object.fromEntries([...controlled.keys()].map((name) => [name, `${url}${PATHS.rpc}${name}`]))
    const content: ChainsFile = { version: 1, url, secret, rpc: rpc as Partial<Record<Blockchain, string>> }
    await writeChainsFile(file, content)
    return { file, content, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

const LOOPBACK_HOST = /^(localhost|127\.0\.0\.1)(:\d{1,5})?$/i

interface HandlerParts {
  readonly nodes: ReadonlyMap<string, ControlledNode>
  readonly secret: string
  readonly registered: AsyncLocalStorage<ReadonlySet<string>>
  readonly log: Log
}

function createHandler({ nodes, secret, registered, log }: HandlerParts) {
  const lock = createExclusiveLock()
  const control = createControl(nodes, lock)

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { url = '', headers, method } = request
    if (method !== 'POST') return send(response, 405)
    if (url.startsWith(PATHS.rpc)) {
      // A page of another site reaches this port by DNS rebinding, and sends JSON only after a preflight.
      if (!LOOPBACK_HOST.test(headers.host ?? '') || !headers['content-type']?.startsWith('application/json')) {
        return send(response, 403)
      }
    } else if (!isSecret(headers[SECRET_HEADER], secret)) return send(response, 403)

    if (url === PATHS.exclusive) {
      const over = new Promise<void>((resolve) => response.once('close', resolve))
      return lock.take(over, () => {
        // A caller that left while it waited does not take the lock.
        if (!response.destroyed) response.writeHead(200).flushHeaders()
      })
    }
    const body = await bodyOf(request)
    if (body === undefined) return send(response, 413)
    if (url === PATHS.control) return send(response, 200, await encodeOutcome(() => call(control, body)))

    const { path, node } = routeOf(url, nodes)
    if (!node) return send(response, 404)
    const wallets = new Set(String(headers[REGISTERED_HEADER] ?? '').split(','))
    if (path === PATHS.rpc) {
      const isOurs = isSecret(headers[SECRET_HEADER], secret)
      return registered.run(isOurs ? wallets : new Set(), () => answerPublicly(node, body, response))
    }
    const side = path === PATHS.faulty ? node.dev.fault : node.dev.withoutFaults
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: body.toString('utf8') }
    await registered.run(wallets, async () => {
      const fromNode = await side.fetch(node.rpcUrl, init).catch((error: unknown) => String(error))
      // Without a JSON-RPC body: for the caller the endpoint is unavailable.
      if (typeof fromNode === 'string') return send(response, 503, fromNode)
      send(response, fromNode.status, Buffer.from(await fromNode.arrayBuffer()))
    })
  }

  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    try {
      await answer(request, response)
    } catch (error) {
      log.error({ err: error }, 'a request to the chains failed')
      send(response, 500)
    }
  }
}

async function answerPublicly({ dev }: ControlledNode, body: Buffer, response: ServerResponse): Promise<void> {
  const json = { 'content-type': 'application/json' }
  let parsed: unknown
  try {
    parsed = JSON.parse(body.toString('utf8'))
  } catch {
    return send(response, 200, JSON.stringify(PARSE_ERROR), json)
  }
  const result = await dev.proxy.handle(parsed)
  if (result === undefined) return send(response, 204)
  send(response, 200, JSON.stringify(result), json)
}

function createControl(nodes: ReadonlyMap<string, ControlledNode>, lock: ExclusiveLock): ChainsControl {
  const nodeOf = (blockchain: string): ControlledNode => {
    const node = nodes.get(blockchain)
    if (node === undefined) throw new Error(`${blockchain} is not served here`)
    return node
  }
  return {
    deployments: async () => [...nodes.values()].map(({ deployment }) => deployment),
    head: (name) => nodeOf(name).dev.head(),
    mine: (name, blocks) => nodeOf(name).dev.mine(blocks),
    increaseTime: (name, seconds) => nodeOf(name).dev.increaseTime(seconds),
    mineAt: (name, time) => nodeOf(name).dev.mineAt(time),
    pauseHeartbeat: (name) => lock.pause(nodeOf(name).heartbeat),
    setFault: async (name, fault, count) => nodeOf(name).dev.setFault(fault, count),
    remainingFaults: async (name, fault) => nodeOf(name).dev.remainingFaults(fault),
    strategyState: (name, key) => nodeOf(name).venueStates.strategyState(key),
    setStrategyState: (name, key, change) => {
      const { dev, venueStates } = nodeOf(name)
      return dev.exclusive(() => venueStates.setStrategyState(key, change))
    },
  }
}

async function call(control: ChainsControl, body: Buffer): Promise<unknown> {
  const { method, args } = decodeCall(body)
  if (!Object.hasOwn(control, method)) throw new Error(`The chains have no command ${method}`)
  return (control[method] as (...given: readonly unknown[]) => Promise<unknown>)(...args)
}

function routeOf(url: string, nodes: ReadonlyMap<string, ControlledNode>) {
  const path = [PATHS.faulty, PATHS.faultFree, PATHS.rpc].find((prefix) => url.startsWith(prefix))
  return { path, node: path && nodes.get(url.slice(path.length)) }
}

function isSecret(given: string | string[] | undefined, secret: string): boolean {
  const [one, other] = [Buffer.from(String(given ?? '')), Buffer.from(secret)]
  return one.length === other.length && timingSafeEqual(one, other)
}

/** Undefined: the body is too large. */
async function bodyOf(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > SHARED_CHAINS_BODY_MAX) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function send(response: ServerResponse, status: number, body: string | Buffer = '', headers = {}): void {
  if (response.headersSent || response.destroyed) return void response.destroy()
  response.writeHead(status, headers).end(body)
}
