import { BLOCKCHAINS, type EndpointReport, liveNetwork, probeEndpoint } from '../../../server/src/chains/index.ts'
import type { Config } from '../../../server/src/config.ts'
import { RPC_BATCH_MAX } from '../../../server/src/kernel/index.ts'
import { type Finding, ok, problem, skipped, warning } from './findings.ts'

/** A slower endpoint makes plans and confirmations slow. */
const SLOW_MS = 1_000
/** A node whose latest block is older has stopped, or is catching up. */
const LATEST_AGE_MS = 5 * 60_000
/** The slowest chain is final after about 20 minutes. */
const FINAL_AGE_MS = 60 * 60_000
/** A block from the future means that this host's clock is behind. */
const CLOCK_MS = 30_000
/** A service that was down for longer cannot follow Solana where it stopped. */
const HISTORY_SECONDS = 24 * 3_600

/** Checks every configured RPC endpoint of every chain, all at once. */
export async function checkChains({ chains, environment }: Pick<Config, 'chains' | 'environment'>): Promise<Finding[]> {
  const perChain = await Promise.all(
    BLOCKCHAINS.map(async (blockchain) => {
      const { rpcUrls, confirmations } = chains[blockchain]
      if (!rpcUrls) {
        return [
          skipped(`${blockchain}: ${environment === 'live' ? 'no endpoint is set, so it is not served' : 'embedded'}`),
        ]
      }
      const network = liveNetwork(blockchain, confirmations)
      const reports = await Promise.all(rpcUrls.map((url) => probeEndpoint(network, url)))
      return reports.flatMap((report) => endpointFindings(blockchain, report, Date.now()))
    }),
  )
  return perChain.flat()
}

/** What a report means; `now` is in milliseconds since 1970. */
export function endpointFindings(blockchain: string, report: EndpointReport, now: number): Finding[] {
  const setting = `${blockchain.toUpperCase()}_RPC_URL`
  const at = `${blockchain}, ${report.name}`
  const { failure, chain, latencyMs } = report
  if (failure !== undefined) {
    const remedy = failure.includes('single object for a batch')
      ? `the endpoint must support batches of JSON-RPC requests: use another one in ${setting}`
      : `check ${setting}, and that this host can reach it`
    return [problem(`${at}: ${failure.replace(`${report.name} `, '').replace(`${report.name}: `, '')}`, remedy)]
  }
  if (!chain?.isRight) {
    return [problem(`${at}: serves another chain (${chain?.id})`, `set ${setting} to an endpoint of ${blockchain}`)]
  }
  const findings = [
    ...speedOf(at, latencyMs ?? 0),
    ...batchesOf(at, report),
    ...agesOf(at, report, now),
    ...lackingOf(at, setting, report),
  ]
  if (findings.some(({ status }) => status === 'problem')) return findings
  const { finalDepth, finalAt } = report
  const age = finalAt === undefined ? '' : `, final ${ago(now - finalAt)} and ${finalDepth} blocks ago`
  return [ok(`${at}: the right chain, ${latencyMs} ms, batches${age}, with its state`), ...findings]
}

function speedOf(at: string, latencyMs: number): Finding[] {
  if (latencyMs < SLOW_MS) return []
  return [warning(`${at}: responds in ${latencyMs} ms`, 'use an endpoint near this host')]
}

function batchesOf(at: string, { batchMax = RPC_BATCH_MAX }: EndpointReport): Finding[] {
  if (batchMax >= RPC_BATCH_MAX) return []
  const remedy = `the service sends more requests, one after the other: an endpoint that takes ${RPC_BATCH_MAX} is faster`
  return [warning(`${at}: takes batches of at most ${batchMax} ${batchMax === 1 ? 'call' : 'calls'}`, remedy)]
}

function agesOf(at: string, { latestAt, finalAt }: EndpointReport, now: number): Finding[] {
  if (latestAt === undefined || finalAt === undefined) return []
  if (latestAt - now > CLOCK_MS) {
    return [
      problem(
        `${at}: its latest block is ${ago(latestAt - now)} in the future`,
        "correct this host's clock, for example with chrony",
      ),
    ]
  }
  if (now - latestAt > LATEST_AGE_MS) {
    return [
      problem(
        `${at}: its latest block is ${ago(now - latestAt)} old`,
        'the node has stopped or is catching up: use another endpoint',
      ),
    ]
  }
  if (now - finalAt > FINAL_AGE_MS) {
    return [
      warning(
        `${at}: its final block is ${ago(now - finalAt)} old`,
        'check whether the chain itself has stopped finalizing blocks',
      ),
    ]
  }
  return []
}

function lackingOf(at: string, setting: string, { lacking, historySeconds, finalDepth }: EndpointReport): Finding[] {
  const findings = lacking.map(({ need, reason }) => {
    if (need.startsWith('receipts')) {
      return warning(`${at}: no ${need} (${reason})`, 'the service reads them one by one, which costs more requests')
    }
    if (need.startsWith('batches')) {
      return problem(
        `${at}: no ${need} (${reason})`,
        `the service sends such batches: raise the limit of requests, or set ${setting} to another endpoint`,
      )
    }
    const depth = finalDepth === undefined ? '' : `, which is ${finalDepth} blocks behind the latest`
    return problem(
      `${at}: no ${need}${depth} (${reason})`,
      `most nodes keep the state of only 128 blocks: set ${setting} to an endpoint that keeps more, such as an archive node`,
    )
  })
  if (historySeconds !== undefined && historySeconds < HISTORY_SECONDS) {
    const message = `${at}: keeps ${ago(historySeconds * 1_000)} of history`
    findings.push(
      warning(
        message,
        'a service that was down for longer cannot resume where it stopped: use an endpoint that keeps days of history',
      ),
    )
  }
  return findings
}

function ago(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1_000))
  if (seconds < 120) return `${seconds} s`
  const minutes = Math.round(seconds / 60)
  return minutes < 120 ? `${minutes} min` : `${Math.round(minutes / 60)} h`
}
