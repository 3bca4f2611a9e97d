import type { EndpointErrorKind } from './endpoint.ts'

/** How an HTTP request to an endpoint ended. A call that the node rejects, such as one that reverts, is `ok`. */
export type RpcOutcome = 'ok' | EndpointErrorKind

/**
 * `available`: its last request succeeded. `lagging`: it responds, but its blocks are old, while another endpoint has
 * recent ones. `resting`: it failed. Both are used only if no other one responds. `unverified`: not used yet, or not
 * since its rest ended.
 */
export type RpcEndpointHealth = 'available' | 'lagging' | 'resting' | 'unverified'

export interface RpcEndpointStatus {
  readonly name: string
  readonly health: RpcEndpointHealth
  /** Whether it recently refused to read the state of a past block, because it does not keep it. */
  readonly lacksState: boolean
}

/** Measures what nodes do; for metrics. Endpoints are named by host and port: the rest of a URL may be a secret. */
export interface RpcObserver {
  /** One HTTP request, with one call or many. */
  requested(request: {
    readonly blockchain: string
    readonly endpoint: string
    readonly outcome: RpcOutcome
    readonly seconds: number
  }): void
  /** The endpoints of a chain, and how to read their health. */
  watch(blockchain: string, read: () => readonly RpcEndpointStatus[]): void
}
