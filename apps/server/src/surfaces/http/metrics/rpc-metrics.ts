import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import type { RpcEndpointHealth, RpcObserver } from '../../../chains/index.ts'

const HEALTH: readonly RpcEndpointHealth[] = ['available', 'lagging', 'resting', 'unverified']

/** Metrics of the requests of this process to nodes. Endpoints are named by host and port, never by a whole URL. */
export function registerRpcMetrics(register: Registry): RpcObserver {
  const requests = new Counter({
    name: 'weir_rpc_requests_total',
    help: 'HTTP requests to RPC endpoints, by outcome: `ok`, `refused`, `lost`, `timeout`, `limited`, `wrong_chain` or `bad`.',
    labelNames: ['blockchain', 'endpoint', 'outcome'] as const,
    registers: [register],
  })
  const durations = new Histogram({
    name: 'weir_rpc_request_duration_seconds',
    help: 'Time that an HTTP request to an RPC endpoint took, whatever its outcome.',
    labelNames: ['blockchain', 'endpoint'] as const,
    buckets: [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [register],
  })
  const chains = new Map<string, Parameters<RpcObserver['watch']>[1]>()
  new Gauge({
    name: 'weir_rpc_endpoints',
    help: 'RPC endpoints by health: `available`, `lagging` with old blocks, `resting` after a failure, or `unverified` (not used yet).',
    labelNames: ['blockchain', 'health'] as const,
    registers: [register],
    collect() {
      for (const [blockchain, read] of chains) {
        const endpoints = read()
        for (const health of HEALTH)
          this.set({ blockchain, health }, endpoints.filter((endpoint) => endpoint.health === health).length)
      }
    },
  })
  new Gauge({
    name: 'weir_rpc_endpoints_without_state',
    help: 'RPC endpoints that refused to read the state of a past block within the last 10 minutes.',
    labelNames: ['blockchain'] as const,
    registers: [register],
    collect() {
      for (const [blockchain, read] of chains)
        this.set({ blockchain }, read().filter(({ lacksState }) => lacksState).length)
    },
  })
  return {
    requested({ blockchain, endpoint, outcome, seconds }) {
      requests.inc({ blockchain, endpoint, outcome })
      durations.observe({ blockchain, endpoint }, seconds)
    },
    watch(blockchain, read) {
      chains.set(blockchain, read)
    },
  }
}
