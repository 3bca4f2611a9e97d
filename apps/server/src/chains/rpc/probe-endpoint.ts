import { RPC_BATCH_MAX, RPC_READ_TIMEOUT_MS } from '../../kernel/index.ts'
import type { Network } from '../port/networks.ts'
import { dialectOf } from './dialects.ts'
import {
  BatchRefused,
  createEndpoint,
  type Endpoint,
  EndpointError,
  type RpcRequest,
  type RpcResponse,
} from './endpoint.ts'

/** What an endpoint can do for the service. Reasons are sentences of the node, without its address. */
export interface EndpointReport {
  /** Host and port. */
  readonly name: string
  /** Why nothing more is known: it did not respond, or it supports no batches. */
  readonly failure: string | undefined
  /** What the endpoint calls its chain, by which method, and whether that is the right one. */
  readonly chain: { readonly method: string; readonly id: string; readonly isRight: boolean } | undefined
  /** Median of three requests; undefined: not measured. */
  readonly latencyMs: number | undefined
  /** The most calls that it takes in a batch, up to what the service sends; undefined: not measured. */
  readonly batchMax: number | undefined
  /** Blocks or slots from the latest final one to the latest. */
  readonly finalDepth: number | undefined
  /** Milliseconds since 1970 of the latest and of the final block, by the chain's clock. */
  readonly latestAt: number | undefined
  readonly finalAt: number | undefined
  /** Calls that the service needs and that failed, by what they are for. */
  readonly lacking: readonly { readonly need: string; readonly reason: string }[]
  /** Seconds of history that the node keeps; undefined: unknown. Solana only. */
  readonly historySeconds: number | undefined
}

/** `send` cuts batches that are refused, `sendWhole` does not. */
interface ProbedEndpoint extends Endpoint {
  readonly sendWhole: Endpoint['send']
}

const SAMPLES = 3
const NOBODY = '0x0000000000000000000000000000000000000000'
/** `balanceOf(address)` of the zero address. */
const BALANCE_CALL = `0x70a08231${'0'.repeat(64)}`
const SECONDS_PER_SLOT = 0.4

/**
 * Asks one endpoint for everything that following and planning on its chain need, and for its latency and the batches
 * that it takes unless they are not wanted. Sends nothing that changes a chain.
 */
export async function probeEndpoint(network: Network, url: string, { measures = true } = {}): Promise<EndpointReport> {
  const endpoint = inHalves(createEndpoint({ url, fetch: (to, init) => fetch(to, init) }))
  const unknown = {
    name: endpoint.name,
    chain: undefined,
    latencyMs: undefined,
    batchMax: undefined,
    finalDepth: undefined,
    latestAt: undefined,
    finalAt: undefined,
    lacking: [],
    historySeconds: undefined,
  }
  try {
    const { identify, isExpectedChain } = dialectOf(network)
    const request = { method: identify, params: [] }
    const [id] = await endpoint.send([request], RPC_READ_TIMEOUT_MS)
    if (!id?.ok) return { ...unknown, failure: `${identify}: ${id?.error.message}` }
    const chain = { method: identify, id: String(id.result), isRight: isExpectedChain(id.result) }
    // Another chain has other blocks and accounts: what it lacks says nothing.
    if (!chain.isRight) return { ...unknown, chain, failure: undefined }
    const probe = network.family === 'evm' ? probeEvm : probeSolana
    const found = { ...unknown, chain, failure: undefined, ...(await probe(endpoint, network)) }
    if (!measures) return found
    const { batchMax, lacking } = await batchesOf(endpoint, request)
    const latencyMs = await latencyOf(endpoint, request)
    return { ...found, latencyMs, batchMax, lacking: [...found.lacking, ...lacking] }
  } catch (error) {
    if (error instanceof EndpointError) return { ...unknown, failure: error.message }
    throw error
  }
}

/** An endpoint whose refused batches are sent again in halves, as the service does. */
function inHalves(endpoint: Endpoint): ProbedEndpoint {
  async function send(requests: readonly RpcRequest[], timeoutMs: number): Promise<RpcResponse[]> {
    try {
      return await endpoint.send(requests, timeoutMs)
    } catch (error) {
      if (!(error instanceof BatchRefused) || requests.length === 1) throw error
      const middle = Math.floor(requests.length / 2)
      const first = await send(requests.slice(0, middle), timeoutMs)
      return [...first, ...(await send(requests.slice(middle), timeoutMs))]
    }
  }
  return { name: endpoint.name, send, sendWhole: endpoint.send }
}

async function batchesOf(
  endpoint: ProbedEndpoint,
  request: RpcRequest,
): Promise<Pick<EndpointReport, 'batchMax' | 'lacking'>> {
  try {
    return { batchMax: await batchMaxOf(endpoint, request), lacking: [] }
  } catch (error) {
    if (!(error instanceof EndpointError)) throw error
    const reason = error.message.replace(`${endpoint.name} `, '').replace(`${endpoint.name}: `, '')
    return { batchMax: undefined, lacking: [{ need: `batches of ${RPC_BATCH_MAX} calls`, reason }] }
  }
}

/** Looks for the limit between a batch that the endpoint takes and one that it refuses: at most eight requests. */
async function batchMaxOf({ sendWhole }: ProbedEndpoint, request: RpcRequest): Promise<number> {
  async function takes(calls: number): Promise<boolean> {
    try {
      await sendWhole(Array<RpcRequest>(calls).fill(request), RPC_READ_TIMEOUT_MS)
      return true
    } catch (error) {
      if (error instanceof BatchRefused) return false
      throw error
    }
  }
  if (await takes(RPC_BATCH_MAX)) return RPC_BATCH_MAX
  let taken = 1
  let refused = RPC_BATCH_MAX
  while (refused - taken > 1) {
    const middle = Math.floor((taken + refused) / 2)
    if (await takes(middle)) taken = middle
    else refused = middle
  }
  return taken
}

async function latencyOf(endpoint: Endpoint, request: RpcRequest): Promise<number> {
  const times: number[] = []
  for (let sample = 0; sample < SAMPLES; sample += 1) {
    const began = performance.now()
    // A batch, as the service sends them.
    await endpoint.send([request, request], RPC_READ_TIMEOUT_MS)
    times.push(performance.now() - began)
  }
  return Math.round(times.toSorted((a, b) => a - b)[1]!)
}

type Findings = Pick<EndpointReport, 'finalDepth' | 'latestAt' | 'finalAt' | 'lacking'> &
  Partial<Pick<EndpointReport, 'historySeconds'>>

interface Header {
  readonly number: string
  readonly timestamp: string
}

async function probeEvm(endpoint: Endpoint, network: Network): Promise<Findings> {
  const blocks = { latest: await headerOf(endpoint, 'latest'), final: undefined as Header | undefined }
  const lacking: { need: string; reason: string }[] = []
  const tag =
    network.finality === 'tag'
      ? 'finalized'
      : hex(Math.max(0, Number(blocks.latest?.number ?? 0) - network.confirmations + 1))
  blocks.final = await headerOf(endpoint, tag)
  const { latest, final } = blocks
  if (!latest) lacking.push({ need: 'the latest block', reason: 'eth_getBlockByNumber returned none' })
  if (!final) lacking.push({ need: 'the final block', reason: `eth_getBlockByNumber ${tag} returned none` })
  if (latest && final) lacking.push(...(await missingState(endpoint, network, final.number)))
  return {
    finalDepth: latest && final && Number(latest.number) - Number(final.number),
    latestAt: latest && Number(latest.timestamp) * 1_000,
    finalAt: final && Number(final.timestamp) * 1_000,
    lacking,
  }
}

/** Balances and contracts are read as of the final block, and that block's receipts. */
async function missingState(endpoint: Endpoint, { tokens }: Network, block: string) {
  const [balance, call, receipts] = await endpoint.send(
    [
      { method: 'eth_getBalance', params: [NOBODY, block] },
      { method: 'eth_call', params: [{ to: tokens[0]?.address ?? NOBODY, data: BALANCE_CALL }, block] },
      { method: 'eth_getBlockReceipts', params: [block] },
    ],
    RPC_READ_TIMEOUT_MS,
  )
  const failed = (need: string, response: RpcResponse | undefined) =>
    response?.ok === false ? [{ need, reason: response.error.message }] : []
  return [
    ...failed('balances at the final block', balance),
    ...failed('contracts at the final block', call),
    ...failed('receipts of a block in one call', receipts),
  ]
}

async function headerOf(endpoint: Endpoint, tag: string): Promise<Header | undefined> {
  const [response] = await endpoint.send(
    [{ method: 'eth_getBlockByNumber', params: [tag, false] }],
    RPC_READ_TIMEOUT_MS,
  )
  return response?.ok ? ((response.result as Header | null) ?? undefined) : undefined
}

const hex = (number: number): string => `0x${number.toString(16)}`

async function probeSolana(endpoint: Endpoint, network: Network): Promise<Findings> {
  const commitment = 'finalized'
  const [latest, final, first] = await endpoint.send(
    [
      { method: 'getSlot', params: [{ commitment: 'confirmed' }] },
      { method: 'getSlot', params: [{ commitment }] },
      { method: 'getFirstAvailableBlock', params: [] },
    ],
    RPC_READ_TIMEOUT_MS,
  )
  if (!latest?.ok || !final?.ok) {
    return {
      finalDepth: undefined,
      latestAt: undefined,
      finalAt: undefined,
      lacking: [{ need: 'the latest slot', reason: 'getSlot failed' }],
    }
  }
  const slot = Number(final.result)
  const mint = network.tokens[0]?.address
  const [time, accounts, signatures] = await endpoint.send(
    [
      { method: 'getBlockTime', params: [slot] },
      { method: 'getMultipleAccounts', params: [[mint], { commitment, minContextSlot: slot, encoding: 'base64' }] },
      { method: 'getSignaturesForAddress', params: [mint, { commitment, limit: 1 }] },
    ],
    RPC_READ_TIMEOUT_MS,
  )
  const failed = (need: string, response: RpcResponse | undefined) =>
    response?.ok === false ? [{ need, reason: response.error.message }] : []
  const at = time?.ok ? Number(time.result) * 1_000 : undefined
  return {
    finalDepth: Number(latest.result) - slot,
    latestAt: at,
    finalAt: at,
    lacking: [
      ...failed('accounts as of a slot', accounts),
      ...failed('transactions of an address', signatures),
      ...failed('the first block that the node keeps', first),
    ],
    historySeconds: first?.ok ? (slot - Number(first.result)) * SECONDS_PER_SLOT : undefined,
  }
}
